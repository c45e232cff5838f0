"""A game's version is that of its newest entry: drop the column that repeated it.

SQLite can't drop a column that a check constraint names, so there the table is recreated. That is done by hand:
Alembic's batch mode fills a table with another name and renames it, after which SQLite considers every entry of a log
to be without its game. If the games return to a table with the old name, SQLite counts them as found when the migration
is committed.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the column, and the check on it."""
    if op.get_context().dialect.name != "sqlite":
        op.drop_column("games", "version")
        return
    moment = sa.DateTime(timezone=True)
    op.execute("PRAGMA defer_foreign_keys=ON")
    newest_id = op.get_bind().scalar(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'games'"))
    op.execute("CREATE TABLE games_before AS SELECT * FROM games")
    op.drop_table("games")
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("opener_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("opened_at", moment, nullable=False),
        sa.Column("closed_at", moment),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("message_at", moment),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_games_open_channel", "games", ["channel_id"], unique=True, sqlite_where=sa.text("closed_at IS NULL")
    )
    op.execute(
        "INSERT INTO games SELECT id, guild_id, channel_id, opener_id, locale, opened_at, closed_at, message_id,"
        " message_at FROM games_before"
    )
    op.drop_table("games_before")
    # No id is given out twice, not even that of a game whose row is gone.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'games'")
    if newest_id is not None:
        op.execute(sa.text("INSERT INTO sqlite_sequence VALUES ('games', :newest)").bindparams(newest=newest_id))
