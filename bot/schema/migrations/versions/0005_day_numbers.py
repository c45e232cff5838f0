"""A column for each seat's number among the matches of its day, by which season points count."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the column. Earlier results, and those of matches that 1.0 began, count by the number of the same people."""
    op.add_column("result_players", sa.Column("nth", sa.Integer))
