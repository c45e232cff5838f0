"""What the bot notes of servers, and for itself."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from bot.store.schema.base import UtcDateTime, metadata

# The servers that the bot has left, and when: their data is dropped some time later.
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

# Values of the bot itself, such as the hash of the commands it registered last.
key_values: Final = sa.Table(
    "key_values",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
