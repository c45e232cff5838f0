"""The outcome of a review: the points that were given away, and in how many rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
works_for = "0009"


def upgrade() -> None:
    """Add the columns. Earlier reviews have none of these figures, and `/escoba stats` leaves them out."""
    op.add_column("reviews", sa.Column("given_away", sa.Integer(), nullable=True))
    op.add_column("reviews", sa.Column("rounds", sa.Integer(), nullable=True))
