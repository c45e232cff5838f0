"""Friendly matches, ratings, achievements and tournaments.

Older bots would write results without ratings, and take a tournament's tables for ordinary ones, so none of them can
run beside this version.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_OPEN = sa.text("closed_at IS NULL")
_OF_TOURNAMENT = sa.text("tournament_id IS NOT NULL")


def upgrade() -> None:
    """Add the columns, which are empty in existing rows, and create the tables."""
    op.add_column("games", sa.Column("tournament_id", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("fixture", sa.Text(), nullable=True))
    op.create_index(
        "uq_games_fixture",
        "games",
        ["tournament_id", "fixture"],
        unique=True,
        sqlite_where=_OF_TOURNAMENT,
        postgresql_where=_OF_TOURNAMENT,
    )
    op.add_column("results", sa.Column("friendly", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("results", sa.Column("weight", sa.Double(), nullable=True))
    op.add_column("result_players", sa.Column("place", sa.Integer(), nullable=True))
    op.add_column("result_players", sa.Column("sources", sa.Text(), nullable=True))
    for name in ("mu", "sigma", "new_mu", "new_sigma"):
        op.add_column("result_players", sa.Column(name, sa.Double(), nullable=True))
    op.create_table(
        "achievements",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("achievement", sa.Text(), nullable=False),
        sa.Column("result_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_achievements_result_id_results")),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "achievement", name=op.f("pk_achievements")),
        sqlite_with_rowid=False,
    )
    for name in ("user_id", "result_id"):
        op.create_index(op.f(f"ix_achievements_{name}"), "achievements", [name])
    op.create_table(
        "tournaments",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("organiser_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sqlite_autoincrement=True,
    )
    for name in ("guild_id", "organiser_id"):
        op.create_index(op.f(f"ix_tournaments_{name}"), "tournaments", [name])
    op.create_index(
        "uq_tournaments_open_channel",
        "tournaments",
        ["channel_id"],
        unique=True,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_tournament_events_version")),
        _tournament("tournament_events"),
        sa.PrimaryKeyConstraint("tournament_id", "version", name=op.f("pk_tournament_events")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_people",
        sa.Column("tournament_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        _tournament("tournament_people"),
        sa.PrimaryKeyConstraint("tournament_id", "user_id", name=op.f("pk_tournament_people")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_tournament_people_user_id"), "tournament_people", ["user_id"])


def _tournament(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tournament_id"], ["tournaments.id"], name=op.f(f"fk_{table}_tournament_id_tournaments")
    )
