"""Deals: what each game's decks are drawn with. Earlier games have none, and go on with the decks in their logs.

Older bots delete games without knowing of this table, so a game's row here is deleted with it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
works_for = "0013"


def upgrade() -> None:
    op.create_table(
        "deals",
        sa.Column("game_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("posted", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("dealt", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deals_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_deals")),
        sqlite_with_rowid=False,
    )
