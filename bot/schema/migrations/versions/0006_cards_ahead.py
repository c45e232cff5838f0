"""A table for the cards that people name ahead in slow matches."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the table. Older bots leave it alone: there, nobody names a card, and none is played by itself."""
    op.create_table(
        "ahead_cards",
        sa.Column(
            "game_id",
            sa.BigInteger,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("captured", sa.Text, nullable=False),
        sa.Column("untaken", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ahead_cards_user_id", "ahead_cards", ["user_id"])
