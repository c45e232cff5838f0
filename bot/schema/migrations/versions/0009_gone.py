"""The needs of erasing and keeping: who got a role, when people chose something; no ratings of the erased."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = depends_on = None
works_for = "0001"


def upgrade() -> None:
    """Add the table: older bots erase a person's rows with their row in `people`.

    In the results of those who are erased already the ratings with which they entered give way to a newcomer's, which
    older bots can go on with, and which lead from none of their matches to the next.
    """
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA secure_delete=ON")
    op.execute(
        "UPDATE result_players SET mu = 25.0, sigma = 25.0 / 6 WHERE user_id IS NULL AND name = '—' AND mu IS NOT NULL"
    )
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
    op.add_column("people", sa.Column("chosen_at", sa.DateTime(timezone=True)))
