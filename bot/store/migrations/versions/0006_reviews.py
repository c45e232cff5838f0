"""How good a person's decisions were in the matches that they reviewed: one row per match and person."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reviews",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("result_id", sa.BigInteger(), nullable=False),
        sa.Column("accuracy", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_reviews_result_id_results")),
        sa.PrimaryKeyConstraint("user_id", "result_id", name=op.f("pk_reviews")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_reviews_result_id"), "reviews", ["result_id"])
