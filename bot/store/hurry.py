"""How long a server lets one transaction take, and the few that may take longer."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

_STATEMENT: Final = "statement_timeout"
HURRY: Final = {_STATEMENT: 30, "idle_in_transaction_session_timeout": 30}
"""For how many seconds a statement may go on, and a transaction stand still: that of a process which was stopped lets
the others have its locks then."""


async def take_time(connection: AsyncConnection, *, locks: bool = False) -> None:
    """Let the statements of a transaction take any time: what looks at all that the largest server has, which happens
    seldom and never because of a click. It may also stand still between two, unless it `locks` what others want. A file
    sets no limit."""
    if connection.dialect.name == "postgresql":
        for name in [_STATEMENT] if locks else HURRY:
            await connection.execute(sa.text(f"SET LOCAL {name} = 0"))
