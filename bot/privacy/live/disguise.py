"""Replaces a person with a stand-in in stored logs, so that they are forgotten there."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, Final

from bot.platform.database.event_logs import Rewrite
from bot.platform.eventlog.log import EventLog
from bot.platform.people.person import NOBODY, Person
from bot.tables.log.codec import LOG

_LARGEST: Final = 2**52


class Disguise:
    """Replaces a person with a stand-in: a different one in each log, so that the logs can't be linked.

    Stand-ins have negative ids, which Discord never assigns, and no name. `sort` is that of the logs: tables' by
    default.
    """

    def __init__(self, person_id: int, sort: EventLog[Any, Any] = LOG) -> None:
        self._person_id = person_id
        self._sort = sort

    def rewriter(self, _: int) -> Rewrite:
        """A function that rewrites the entries of one log."""
        stand_in = Person(-1 - secrets.randbelow(_LARGEST), NOBODY)
        return partial(self._sort.rewritten, self._person_id, stand_in)
