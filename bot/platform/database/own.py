"""The two tables that any bot has: the people it knows, with what they have chosen, and its own values."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import metadata

# Users' preferences. A user without any needs a row only if other rows refer to it. Those are deleted with it, so that
# code that erases a user needn't know about them.
people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("choices", sa.Text, nullable=False),
)

# The bot's own values, such as the hash of the commands it registered last.
key_values: Final = sa.Table(
    "key_values",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
