"""A table for the votes of onlookers about who wins a round."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the table. Older bots leave it alone: nobody votes there."""
    op.create_table(
        "votes",
        sa.Column(
            "game_id",
            sa.BigInteger,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("side", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_votes_user_id", "votes", ["user_id"])
