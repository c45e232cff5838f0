"""Conditions about servers that several queries share."""

from typing import Any

import sqlalchemy as sa


def of_server(column: sa.ColumnElement[Any], guild_id: int | None) -> sa.ColumnElement[bool]:
    """Whether a row belongs to a server; None for any, and for what belongs to none."""
    return sa.true() if guild_id is None else column == guild_id
