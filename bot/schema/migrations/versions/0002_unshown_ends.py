"""An index of the games whose end hasn't been shown, which each start looks for."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = depends_on = None
works_for = "0001"

_UNSHOWN: Final = sa.text("closed_at IS NOT NULL AND message_id IS NOT NULL")


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_games_unshown_end", "games", ["id"], sqlite_where=_UNSHOWN, postgresql_where=_UNSHOWN)
