"""What the buttons and the menu below somebody's statistics carry in their custom_ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

KIND: Final = "c"
"""Begins the custom_ids: `c:<verb>:<person>`, then the page unless it is the overview, then the rival of a duel."""
_PERSON: Final = re.compile("[0-9]{1,20}")


class StatsVerb(StrEnum):
    """What a button or the menu asks for."""

    SHOW = "show"
    """Shows the page to everybody in the channel."""
    PAGE = "page"
    """Turns to a page."""
    AGAINST = "against"
    """Turns to the duel with the chosen person."""


class StatsPage(StrEnum):
    """A page of somebody's statistics."""

    OVERVIEW = ""
    RATING = "rating"
    SOURCES = "points"
    ACHIEVEMENTS = "honours"
    DUEL = "duel"


@dataclass(frozen=True, slots=True)
class StatsRef:
    """Whose statistics, and which page of them; only a duel has a rival."""

    person_id: int
    page: StatsPage = StatsPage.OVERVIEW
    rival_id: int | None = None

    def custom_id(self, verb: StatsVerb) -> str:
        page = [self.page.value] if self.page else []
        rival = [] if self.rival_id is None else [str(self.rival_id)]
        return ":".join((KIND, verb, str(self.person_id), *page, *rival))

    @classmethod
    def read(cls, parts: Sequence[str]) -> StatsRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        person, page, rival = (*parts, *[""] * (3 - len(parts)))[:3]
        in_duel = page == StatsPage.DUEL
        if len(parts) > 3 or not _PERSON.fullmatch(person) or page not in set(StatsPage):
            return None
        if len(parts) == 1:
            return cls(int(person))
        if not page or in_duel != (len(parts) == 3) or (in_duel and not _PERSON.fullmatch(rival)):
            return None
        return cls(int(person), StatsPage(page), int(rival) if in_duel else None)
