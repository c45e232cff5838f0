"""What servers and people choose about tables: what games begin with and how they are run, who is told of what."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field

from bot.engine.rules import PRESETS, TARGETS
from bot.platform.database.errors import StoreError
from bot.platform.language.calendar import UTC_NAME, zone_name, zone_named
from bot.platform.language.quiet import Quiet
from bot.platform.settings.documents import Choices, GuildSettingsCache, PreferencesCache
from bot.platform.settings.language import LanguageSettings
from bot.tables.log.events import DEFAULT_PRESET
from bot.tables.log.holidays import MOST_DAYS, Holidays, days_in, times_of, with_days
from bot.tables.log.pace import Pace, Tempo
from bot.tables.options import TableOptions


def _preset(name: str) -> str:
    if name not in PRESETS:
        raise ValueError("not a rule system")
    return name


class TableSettings(Choices):
    """A server's choices; None stands for the default."""

    preset: Annotated[str, AfterValidator(_preset)] = DEFAULT_PRESET
    """The rule system."""
    target: Annotated[int, Field(ge=TARGETS[0], le=TARGETS[-1])] | None = None
    """The points to play to; None: the rule system's own."""
    turn: Annotated[int, Field(ge=0)] | None = None
    """A turn's deadline in seconds, 0 for none; None: the bot's setting."""
    computer: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """The seconds before a computer plays; None: the bot's setting."""
    deck: Literal["spanish", "french"] = "spanish"
    """The cards that are shown."""
    hints: bool = True
    """Whether the current player may ask for advice in an unranked match."""
    pictures: bool = True
    """Whether tables are shown as pictures."""
    talk: bool = True
    """Whether computers chat now and then."""
    reactions: bool = True
    """Whether players and onlookers may show faces at a table."""
    rated: bool = True
    """Whether lobbies begin as rated ones; otherwise they are friendly."""
    players_role: int | None = None
    """The role that a lobby may mention to find players."""
    rule_set: int | None = None
    """The number of the server's own rules that games begin with; None for the rule system's. If those have been
    deleted, games begin with the rule system."""

    def pace(self, default: Pace) -> Pace:
        turn = default.turn if self.turn is None else self.turn
        computer = default.computer if self.computer is None else self.computer
        return replace(default.with_turn(turn), computer=computer)

    def table_options(self, defaults: TableOptions) -> TableOptions:
        hints = defaults.hints and self.hints
        return TableOptions(self.pace(defaults.pace), hints=hints, talk=self.talk, reactions=self.reactions)


class ServerOptions:
    """How tables are run on each server. `usual`: where a server hasn't chosen otherwise."""

    def __init__(self, settings: GuildSettingsCache, usual: TableOptions) -> None:
        self.usual: Final = usual
        self._settings = settings

    async def of(self, guild_id: int | None) -> TableOptions:
        """Find how tables are run on a server, or for somebody who plays alone; as usual while a server's settings
        can't be read."""
        if guild_id is None:
            return self.usual.alone()
        try:
            settings = await self._settings.of(guild_id, TableSettings)
        except StoreError:
            settings = TableSettings()
        return settings.table_options(self.usual)


def sought_key(guild_id: int) -> str:
    """The store's key for when somebody on a server last had its role for players mentioned."""
    return f"sought:{guild_id}"


class TurnNotice(StrEnum):
    """The moment at which somebody wants to be notified that it's their turn."""

    AT_ONCE = "at_once"
    LATER = "later"
    """Once they haven't clicked for a while."""
    NEVER = "never"


class SlowNotice(StrEnum):
    """The way in which somebody wants to be notified of their turns in slow matches."""

    MENTION = "mention"
    """As elsewhere, but no more than twice a turn."""
    PRIVATE = "private"
    """In a private message, as each of them comes."""
    DAILY = "daily"
    """Once a day for all of them together, in a private message."""
    NEVER = "never"


_Id = Annotated[str, Field(pattern=r"^[0-9]{1,20}$")]
"""An id of Discord's."""
MOST_EXPRESS: Final = 50
"""The most servers on which somebody's choice of Express is remembered: the latest."""
QUIET: Final = ("none", "21-8", "22-7", "22-8", "22-9", "23-7", "23-8", "23-9", "0-8", "0-9", "1-9", "1-10")
"""The quiet hours that somebody can choose, each from one hour to another."""


def _quiet(hours: str) -> str:
    """Return quiet hours if they can be chosen. Raises ValueError if not."""
    if hours not in QUIET:
        raise ValueError("no such quiet hours")
    return hours


class DigestPreferences(Choices):
    """The part of a person's choices that is about their daily private message, which several subjects fill.

    The docstrings explain the fields to the person in the file with their data.
    """

    digest_hour: Annotated[int, Field(ge=0, le=23)] = 19
    """with slow_notice daily, or day_notice private, the hour at which you are told"""

    digest_zone: Annotated[str, AfterValidator(zone_name)] = UTC_NAME
    """the time zone of that hour, if you have chosen none: that of the server on which you chose it"""

    zone: Annotated[str, AfterValidator(zone_name)] | None = None
    """your time zone; null: the server's"""

    quiet_hours: Annotated[str, AfterValidator(_quiet)] = "23-8"
    """the hours in which you are told nothing of slow matches, or none"""

    digest_locale: str = "en"
    """the language in which you are told: yours when you chose it"""

    digest_channel: _Id | None = None
    """the id of your private channel with me, once I have opened it to tell you"""

    digest_refused: bool = False
    """whether Discord refused such a message, and you haven't read so yet"""

    @property
    def own_zone(self) -> str:
        """The zone by whose clock they get private messages."""
        return self.zone or self.digest_zone

    @property
    def quiet(self) -> Quiet | None:
        """Their quiet hours by that clock."""
        return Quiet.read(self.quiet_hours, self.own_zone)

    @property
    def told_at(self) -> int:
        """The hour at which they are told once a day: the chosen one, or the end of their quiet hours."""
        return self.digest_hour if self.quiet is None else self.quiet.hour_after(self.digest_hour)


class TablePreferences(DigestPreferences):
    """A person's choices. The docstrings explain the fields to the person in the file with their data."""

    turn_notice: TurnNotice = TurnNotice.LATER
    """when you are told that it's your turn: at_once, later (after a while), never"""

    slow_notice: SlowNotice = SlowNotice.MENTION
    """how you are told of your turns in slow matches: mention (as elsewhere), private (in a private message), daily (in
    one a day), never"""

    deck: Literal["spanish", "french"] | None = None
    """the cards that you are shown alone: spanish, french; null: the server's"""

    text_only: bool = False
    """whether you get cards as text, without pictures"""

    tempo: Tempo = Tempo.USUAL
    """the pace with which lobbies begin that you open"""

    express_on: Annotated[tuple[_Id, ...], Field(max_length=MOST_EXPRESS)] = ()
    """the ids of the servers on which your lobbies begin with a single round: you chose Express there last"""

    holidays: Holidays = ()
    """your holidays, each from a day to a day in your zone: meanwhile your clocks in slow matches stand still; missed
    turns may have added some"""

    CAUTIOUS: ClassVar[Mapping[str, Any]] = {"turn_notice": TurnNotice.NEVER, "slow_notice": SlowNotice.NEVER}


def turn_notice(preferences: PreferencesCache, person_id: int | None, *, unhurried: bool = False) -> TurnNotice:
    """Tell when a person wants to be told that it's their turn; None means a computer player.

    `unhurried`: the turn is in a slow match or one without deadlines, where `in_private` tells in which way.
    """
    chosen = preferences.cached(person_id, TablePreferences)
    if not unhurried or chosen.slow_notice is SlowNotice.MENTION:
        return chosen.turn_notice
    return TurnNotice.AT_ONCE if chosen.slow_notice is SlowNotice.PRIVATE else TurnNotice.NEVER


def in_private(preferences: PreferencesCache, person_id: int | None) -> bool:
    """Whether a person is told of turns in slow matches in private messages, at once or once a day."""
    return preferences.cached(person_id, TablePreferences).slow_notice in (SlowNotice.PRIVATE, SlowNotice.DAILY)


def quiet_of(
    preferences: PreferencesCache, settings: GuildSettingsCache, person_id: int | None, guild_id: int | None
) -> Quiet | None:
    """Tell a person's quiet hours, by the clock of their zone or else of a server; None means a computer player."""
    chosen = preferences.cached(person_id, TablePreferences)
    zone = chosen.zone or settings.cached(guild_id, LanguageSettings).zone
    return None if person_id is None else Quiet.read(chosen.quiet_hours, zone)


def takes_mentions(preferences: PreferencesCache, person_id: int) -> bool:
    """Whether a person may be mentioned at all."""
    return turn_notice(preferences, person_id) is not TurnNotice.NEVER


def holiday_times(preferences: PreferencesCache, person_id: int | None) -> list[tuple[float, float]]:
    """List when a person's holidays begin and are over; None means a computer player."""
    chosen = preferences.cached(person_id, TablePreferences)
    return times_of(chosen.holidays, zone_named(chosen.own_zone))


def with_express(chosen: TablePreferences, guild_id: int, *, express: bool) -> tuple[str, ...]:
    """The servers on which somebody's lobbies begin with a single round, after their choice on one."""
    others = [each for each in chosen.express_on if each != str(guild_id)]
    return tuple([*others, str(guild_id)][-MOST_EXPRESS:] if express else others)


def today_of(chosen: TablePreferences, now: datetime) -> date:
    """Today, in a person's zone."""
    return now.astimezone(zone_named(chosen.own_zone)).date()


async def spend_day(preferences: PreferencesCache, person_id: int, now: datetime) -> bool:
    """Make today a holiday of somebody who has missed a turn, if any are left in its year; returns whether it is one.

    Raises:
        Refusal: if it can't be stored.
    """
    chosen = preferences.cached(person_id, TablePreferences)
    today = today_of(chosen, now)
    if days_in(chosen.holidays, today.year) >= MOST_DAYS:
        return False
    await preferences.change(person_id, TablePreferences, holidays=with_days(chosen.holidays, today, today))
    return True
