"""Places are counted through the indexes: drop the counts in buckets, and the mark for the list by rate."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


_ORDERS = {
    "wins": ("wins", "rate", "points"),
    "rate": ("rate", "wins", "points"),
    "points": ("points", "wins", "rate"),
    "escobas": ("escobas", "wins", "rate", "points"),
}


def upgrade() -> None:
    """Drop the table and the column, and add the number of matches to the indexes: the lists are filtered by it."""
    op.drop_table("standing_counts")
    for name in _ORDERS:
        op.drop_index(f"ix_standings_by_{name}", table_name="standings")
    op.drop_column("standings", "rated")
    op.execute("DELETE FROM key_values WHERE key = 'rates_from'")
    for name, order in _ORDERS.items():
        op.create_index(
            f"ix_standings_by_{name}",
            "standings",
            ["guild_id", "period", *(sa.text(f"{column} DESC") for column in order), "user_id", "matches"],
            sqlite_where=sa.text("matches > 0"),
            postgresql_where=sa.text("matches > 0"),
        )
