"""A game's version is that of its newest entry: the column that said it a second time goes.

SQLite drops no column that a check names, so there the table is made anew. By hand: Alembic's batches fill a table of
another name and rename it, after which SQLite takes each entry of a log for one whose game is gone. When the games
come back into a table of the old name, it counts them as found; it looks at the count when the step is committed.
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
