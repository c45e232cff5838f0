"""Tables for the limits on ratings, which need to know something of people who have erased their data."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = depends_on = None
works_for = "0001"

_WITHOUT_ROWID: Final = {"sqlite_with_rowid": False}


def _key(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.BigInteger, primary_key=True, autoincrement=False)


def upgrade() -> None:
    """Create the tables."""
    day = sa.Column("day", sa.Text, primary_key=True)
    gained = sa.Column("gained", sa.Integer, nullable=False)
    op.create_table("marked_rivals", *map(_key, ("guild_id", "mark", "rival")), day, gained, **_WITHOUT_ROWID)
    day = sa.Column("day", sa.Text, primary_key=True)
    matches = sa.Column("matches", sa.Integer, nullable=False)
    op.create_table("marked_matches", *map(_key, ("guild_id", "people")), day, _key("mark"), matches, **_WITHOUT_ROWID)
    op.create_table(
        "marked_ratings",
        *map(_key, ("guild_id", "mark")),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("mu", "sigma")),
        sa.Column("rated_at", sa.DateTime(timezone=True), nullable=False),
        **_WITHOUT_ROWID,
    )
