"""The first tables: games with their logs, results, small values."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create everything."""
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "games",
        sa.Column("id", row_id, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("opener_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("opened_at", moment, nullable=False),
        sa.Column("closed_at", moment),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("message_at", moment),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("version >= 0", name=op.f("ck_games_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_games_open_channel",
        "games",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_events_version")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_events_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "version", name=op.f("pk_events")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("id", row_id, nullable=False),
        sa.Column("game_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", moment, nullable=False),
        sa.Column("preset", sa.Text(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("seating", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
        sa.UniqueConstraint("game_id", "version", name=op.f("uq_results_game_id_version")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "result_players",
        sa.Column("result_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("escobas", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", moment, nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_result_players_result_id_results")),
        sa.PrimaryKeyConstraint("result_id", "seat", name=op.f("pk_result_players")),
        sa.UniqueConstraint("result_id", "user_id", name=op.f("uq_result_players_result_id_user_id")),
    )
    op.create_index(
        op.f("ix_result_players_guild_id_user_id_ended_at"),
        "result_players",
        ["guild_id", "user_id", "ended_at"],
    )
    op.create_table(
        "key_values",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_key_values")),
    )
