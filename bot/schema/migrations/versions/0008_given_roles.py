"""A table for the roles that people got with a podium."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the table. Older bots erase a person's rows with their row in `people`."""
    op.create_table(
        "given_roles",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("role_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column(
            "user_id",
            sa.BigInteger,
            sa.ForeignKey("people.user_id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_given_roles_user_id", "given_roles", ["user_id"])
