"""Tables for the matches of evenings that aren't over yet, and for the faces that people show."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the tables. Older bots leave them alone: they play no evenings, and nobody shows a face there."""
    op.create_table(
        "evening_matches",
        sa.Column(
            "game_id",
            sa.BigInteger,
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("best_of_three", sa.Boolean, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("card_id", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evening_matches_channel_id", "evening_matches", ["channel_id"])
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
