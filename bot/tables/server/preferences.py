"""People's choices for themselves, which apply wherever they play."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from bot.store import Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.turn import TurnNotice


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's choices."""

    turn_notice: TurnNotice = TurnNotice.LATER

    def as_json(self) -> dict[str, str]:
        """The values by the names under which they are stored."""
        return {"turn_notice": self.turn_notice.value}

    def dump(self) -> str | None:
        """The text to store; None for the defaults, which aren't stored."""
        return None if self == DEFAULTS else json.dumps(self.as_json())

    @classmethod
    def load(cls, text: str) -> Preferences:
        """The preferences in a stored text; the defaults if it makes no sense."""
        try:
            return cls(turn_notice=TurnNotice(json.loads(text)["turn_notice"]))
        except (ValueError, TypeError, KeyError):
            return DEFAULTS


DEFAULTS: Final = Preferences()


class PreferencesCache:
    """Everybody's preferences, kept in memory: they are few, and deciding whom a message pings can't wait for the
    store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._preferences: dict[int, Preferences] = {}

    def get(self, person_id: int) -> Preferences:
        return self._preferences.get(person_id, DEFAULTS)

    def turn_notice(self, person_id: int | None) -> TurnNotice:
        """Tell when a person wants to be notified of their turn; None means a computer player."""
        return (DEFAULTS if person_id is None else self.get(person_id)).turn_notice

    async def load(self) -> None:
        """Read all that the store holds.

        Raises:
            StoreError: if it can't be read.
        """
        stored = await self._store.all_choices()
        parsed = {text: Preferences.load(text) for text in set(stored.values())}  # equal preferences share one object
        self._preferences = {person_id: parsed[text] for person_id, text in stored.items()}

    async def save(self, person_id: int, preferences: Preferences) -> None:
        """Store a person's preferences.

        Raises:
            Refusal: if the store can't write; then they are unchanged.
        """
        try:
            await self._store.set_choices(person_id, preferences.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self.drop(person_id)
        if preferences != DEFAULTS:
            self._preferences[person_id] = preferences

    async def refresh(self, person_id: int) -> None:
        """Read a person's preferences again, because another process changed them.

        Raises:
            StoreError: if they can't be read.
        """
        text = await self._store.choices(person_id)
        self.drop(person_id)
        if text is not None:
            self._preferences[person_id] = Preferences.load(text)

    def drop(self, person_id: int) -> None:
        """Fall back to the defaults for a person whose preferences the store no longer holds."""
        self._preferences.pop(person_id, None)
