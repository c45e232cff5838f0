"""Columns that say who has played for what a match brings them, and which matches are counted by that."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the columns. Tables that are open go on by the rules they were opened with."""
    op.add_column("games", sa.Column("gains_by_play", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("result_players", sa.Column("played", sa.Boolean))
    op.add_column("result_players", sa.Column("gains", sa.Boolean))
