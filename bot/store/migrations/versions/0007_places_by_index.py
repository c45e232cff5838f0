"""Places are counted through the indexes: drop the counts in buckets, and the mark for the list by rate."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the table and the column, and add the number of matches to the index by rate: its list is filtered by it."""
    op.drop_table("standing_counts")
    op.drop_index("ix_standings_by_rate", table_name="standings")
    op.drop_column("standings", "rated")
    op.execute("DELETE FROM key_values WHERE key = 'rates_from'")
    op.create_index(
        "ix_standings_by_rate",
        "standings",
        ["guild_id", "period", *(sa.text(f"{name} DESC") for name in ("rate", "wins", "points")), "user_id", "matches"],
        sqlite_where=sa.text("matches > 0"),
        postgresql_where=sa.text("matches > 0"),
    )
