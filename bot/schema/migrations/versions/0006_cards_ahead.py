"""Tables for the cards that people name ahead in slow matches, and for the faces that they show."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the tables. Older bots leave them alone: there, nobody names a card or shows a face."""
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
    op.create_table(
        "faces",
        sa.Column(
            "game_id",
            sa.BigInteger,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("deal", sa.Text, nullable=False),
        sa.Column("face", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_faces_user_id", "faces", ["user_id"])
