"""What people have chosen for themselves, wherever they play."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from bot.store import Store, StoreError
from bot.tables.errors import Refusal, RefusalCode


class TurnNotice(StrEnum):
    """When somebody is told that it's their turn."""

    AT_ONCE = "at_once"
    LATER = "later"
    """After a while in which they haven't clicked."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen; as it is made, it is what is usual."""

    told: TurnNotice = TurnNotice.LATER

    def dump(self) -> str | None:
        """The text that the store keeps; None for what is usual, of which nothing is kept."""
        return None if self == USUAL else json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Preferences:
        """The choices of a stored text; what it has no sense for is as if never chosen."""
        try:
            return cls(told=TurnNotice(json.loads(text)["told"]))
        except (ValueError, TypeError, KeyError):
            return USUAL


USUAL = Preferences()


class PreferencesCache:
    """Everybody's choices, kept in memory: they are few, and whom a message may ping must not wait for the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._preferences: dict[int, Preferences] = {}

    def of(self, person_id: int | None) -> Preferences:
        """What a person has chosen; a computer player has chosen nothing."""
        return USUAL if person_id is None else self._preferences.get(person_id, USUAL)

    async def load(self) -> None:
        """Read what the store holds.

        Raises:
            StoreError: if it can't be read.
        """
        stored = await self._store.all_choices()
        read = {text: Preferences.load(text) for text in set(stored.values())}  # one object for all who chose the same
        self._preferences = {person_id: read[text] for person_id, text in stored.items()}

    async def choose(self, person_id: int, preferences: Preferences) -> None:
        """Keep what a person has chosen.

        Raises:
            Refusal: if the store can't write.
        """
        try:
            await self._store.set_choices(person_id, preferences.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self.forget(person_id)
        if preferences != USUAL:
            self._preferences[person_id] = preferences

    async def read(self, person_id: int) -> None:
        """Learn what somebody has chosen in another process.

        Raises:
            StoreError: if it can't be read.
        """
        text = await self._store.choices(person_id)
        self.forget(person_id)
        if text is not None:
            self._preferences[person_id] = Preferences.load(text)

    def forget(self, person_id: int) -> None:
        """They have chosen nothing any more; the store knows it already."""
        self._preferences.pop(person_id, None)
