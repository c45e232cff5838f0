"""People's choices for themselves, which apply wherever they play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field

from bot.platform.database.errors import StoreError
from bot.platform.database.preferences import StoredPreferences
from bot.platform.language.time_zones import UTC_NAME, zone_name
from bot.platform.refusal import CommonRefusal, Refusal
from bot.platform.settings.stored import Choices
from bot.tables.log.holidays import Holidays, times_of
from bot.tables.pace import Tempo
from bot.tables.turn import SlowNotice, TurnNotice


class DayNotice(StrEnum):
    """A person's wish to hear of each day's puzzle."""

    NEVER = "never"
    SERVER = "server"
    """A mention in the message of the servers where they solve it."""
    PRIVATE = "private"
    """A private message at an hour of theirs."""


class Preferences(Choices):
    """A person's choices. The docstrings explain the fields to the person in the file with their data."""

    turn_notice: TurnNotice = TurnNotice.LATER
    """when you are told that it's your turn: at_once, later (after a while), never"""

    day_notice: DayNotice = DayNotice.NEVER
    """how you hear of the daily puzzle: never, server (a mention where you solve it), private (in a private message)"""

    slow_notice: SlowNotice = SlowNotice.MENTION
    """how you are told of your turns in slow matches: mention (as elsewhere), daily (in a private message), never"""

    language: str | None = None
    """the language in which I speak to you alone; null: that of your Discord"""

    deck: Literal["spanish", "french"] | None = None
    """the cards that you are shown alone: spanish, french; null: the server's"""

    text_only: bool = False
    """whether you get cards as text, without pictures"""

    tempo: Tempo = Tempo.USUAL
    """the pace with which lobbies begin that you open"""

    holidays: Holidays = ()
    """your holidays, each from a day to a day in UTC: meanwhile your clocks in slow matches stand still"""

    digest_hour: Annotated[int, Field(ge=0, le=23)] = 19
    """with slow_notice daily, or day_notice private, the hour at which you are told"""

    digest_zone: Annotated[str, AfterValidator(zone_name)] = UTC_NAME
    """the time zone of that hour: that of the server on which you chose it"""

    digest_locale: str = "en"
    """the language in which you are told: yours when you chose it"""

    digest_channel: Annotated[str, Field(pattern=r"^[0-9]{1,20}$")] | None = None
    """the id of your private channel with me, once I have opened it to tell you"""

    digest_refused: bool = False
    """whether Discord refused such a message, and you haven't read so yet"""

    @property
    def hears_daily(self) -> bool:
        """Whether they have asked for a private message a day."""
        return self.slow_notice is SlowNotice.DAILY or self.day_notice is DayNotice.PRIVATE

    CAUTIOUS: ClassVar[Mapping[str, Any]] = {"turn_notice": TurnNotice.NEVER, "slow_notice": SlowNotice.NEVER}


DEFAULTS: Final = Preferences()


class PreferencesCache:
    """Everybody's preferences, kept in memory: they are few, and deciding whom a message pings can't wait for the
    store."""

    def __init__(self, store: StoredPreferences) -> None:
        self._store = store
        self._preferences: dict[int, Preferences] = {}
        self.on_change: Callable[[int], None] = lambda _: None
        """Called with whoever has changed something, here or in another process."""

    def get(self, person_id: int) -> Preferences:
        return self._preferences.get(person_id, DEFAULTS)

    def turn_notice(self, person_id: int | None, *, unhurried: bool = False) -> TurnNotice:
        """Tell when a person wants to be mentioned in their turn; None means a computer player.

        `unhurried`: the turn is in a slow match or one without deadlines.
        """
        preferences = DEFAULTS if person_id is None else self.get(person_id)
        if unhurried and preferences.slow_notice is not SlowNotice.MENTION:
            return TurnNotice.NEVER
        return preferences.turn_notice

    def people(self, want: Callable[[Preferences], bool]) -> list[int]:
        """List the people whose preferences are like that, which the defaults aren't."""
        return [person_id for person_id, preferences in self._preferences.items() if want(preferences)]

    def holidays(self, person_id: int | None) -> list[tuple[float, float]]:
        """List when a person's holidays begin and are over; None means a computer player."""
        return [] if person_id is None else times_of(self.get(person_id).holidays)

    def daily(self) -> list[tuple[int, Preferences]]:
        """The people who get a private message a day, each with their preferences."""
        return [each for each in self._preferences.items() if each[1].hears_daily]

    async def load(self) -> None:
        """Read all that the store holds.

        Raises:
            StoreError: if it can't be read.
        """
        stored = await self._store.all()
        parsed = {text: Preferences.load(text) for text in set(stored.values())}  # equal preferences share one object
        self._preferences = {person_id: parsed[text] for person_id, text in stored.items()}

    async def change(self, person_id: int, **changes: Any) -> None:
        """Store some of a person's preferences, by the names of the fields, beside those that they have.

        Raises:
            Refusal: if what is stored can't be read, or if the store can't write; then they are unchanged.
            ValueError: if a field doesn't take its value.
        """
        preferences = self.get(person_id).changed(**changes)
        try:
            await self._store.put(person_id, preferences.dump())
        except StoreError as error:
            raise Refusal(CommonRefusal.UNAVAILABLE) from error
        self.drop(person_id)
        if preferences != DEFAULTS:
            self._preferences[person_id] = preferences
        self.on_change(person_id)

    async def refresh(self, person_id: int) -> None:
        """Read a person's preferences again, because another process changed them.

        Raises:
            StoreError: if they can't be read.
        """
        text = await self._store.get(person_id)
        self.drop(person_id)
        if text is not None:
            self._preferences[person_id] = Preferences.load(text)
        self.on_change(person_id)

    def drop(self, person_id: int) -> None:
        """Fall back to the defaults for a person whose preferences the store no longer holds."""
        self._preferences.pop(person_id, None)
