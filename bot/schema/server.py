"""Tables of what servers have chosen, and of what the bot notes about them."""

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import UtcDateTime, metadata, row_id

# The servers that the bot has left, with the time: their data is dropped some time later.
departures: Final = sa.Table(
    "departures",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("left_at", UtcDateTime, nullable=False),
)

# The servers that are missing: the bot no longer sees them, though Discord hasn't told it that it left them.
missing_guilds: Final = sa.Table(
    "missing_guilds",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("since", UtcDateTime, nullable=False),
)

# The rule sets that servers have saved under names; `config` is what a lobby begins with. A `removed` one is kept for
# its name, because there are, or may yet be, results by those rules.
rule_sets: Final = sa.Table(
    "rule_sets",
    metadata,
    sa.Column("id", row_id, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("config", sa.Text, nullable=False),
    sa.Column("saved_by", sa.BigInteger, sa.ForeignKey("people.user_id", ondelete="SET NULL"), index=True),
    sa.Column("saved_at", UtcDateTime, nullable=False),
    sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
    # Results and games name sets by id, so no id may be reused.
    sqlite_autoincrement=True,
)
