"""The keys that a server's matches are counted by: its seasons, and its own rules."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from bot.engine.rules import PRESETS, Rules

ALL_TIME: Final = "all"
"""The period that covers all matches."""
PERIOD: Final = "([12][0-9]{3})-(?:(0[1-9]|1[0-2])|Q([1-4]))"
"""The pattern of the names of seasons."""


class SeasonLength(StrEnum):
    """The length of a server's seasons."""

    MONTH = "month"
    QUARTER = "quarter"
    NONE = "none"


def month_of(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m}"


def quarter_of(moment: datetime) -> str:
    day = moment.astimezone(UTC)
    return f"{day:%Y}-Q{(day.month + 2) // 3}"


def season_of(length: SeasonLength, moment: datetime) -> str | None:
    """Return the season that a moment is in; None on a server without seasons."""
    match length:
        case SeasonLength.MONTH:
            return month_of(moment)
        case SeasonLength.QUARTER:
            return quarter_of(moment)
        case SeasonLength.NONE:
            return None


def periods_of(moment: datetime) -> tuple[str, str, str]:
    """Return every period in which a match that ends at this moment is counted."""
    return ALL_TIME, month_of(moment), quarter_of(moment)


def is_season(period: str) -> bool:
    return re.fullmatch(PERIOD, period) is not None


def length_of(season: str) -> SeasonLength:
    """Return the length of a season; NONE if it isn't one."""
    found = re.fullmatch(PERIOD, season)
    if found is None:
        return SeasonLength.NONE
    return SeasonLength.MONTH if found[2] else SeasonLength.QUARTER


def bounds(season: str) -> tuple[datetime, datetime]:
    """Return the times when a season begins and when the next one does. ValueError if it isn't a season.

    >>> [f"{moment:%d %B %Y}" for moment in bounds("2026-Q4")]
    ['01 October 2026', '01 January 2027']
    """
    year, first, months = _read(season)
    following = year * 12 + first - 1 + months
    return datetime(year, first, 1, tzinfo=UTC), datetime(following // 12, following % 12 + 1, 1, tzinfo=UTC)


def before(season: str) -> str:
    """Return the season of the same length before this one.

    >>> before("2026-01"), before("2026-Q1")
    ('2025-12', '2025-Q4')
    """
    year, first, months = _read(season)
    month = year * 12 + first - 1 - months
    beginning = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return quarter_of(beginning) if months > 1 else month_of(beginning)


def _read(season: str) -> tuple[int, int, int]:
    found = re.fullmatch(PERIOD, season)
    if found is None:
        raise ValueError(f"no season: {season}")
    year, month, quarter = found.groups()
    return (int(year), int(month), 1) if month else (int(year), 3 * int(quarter) - 2, 3)


MAX_RULE_SETS: Final = 10
"""The most rule sets that a server can have."""
LONGEST_NAME: Final = 32
KEY: Final = "set([1-9][0-9]{0,9})"
"""The pattern of the keys of sets; its group is the number."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A server's own rules as they were when somebody chose them: changing the set later changes no table.

    Attributes:
        number: identifies the set among those of all servers; never given to another.
        name: its name on its server, as it was typed.
        rules: the rules it stands for.
    """

    number: int
    name: str
    rules: Rules

    @property
    def key(self) -> str:
        return key_of(self.number)

    def agrees_with(self, rules: Rules) -> bool:
        """Whether rules are the set's: only the target and the number of rounds, which aren't switches, may differ."""
        return replace(rules, target=self.rules.target, rounds=self.rules.rounds) == self.rules


def key_of(number: int) -> str:
    """Write the key that stands for a set wherever a preset's name may stand: in menus, commands and standings. No
    preset has such a name.

    >>> key_of(12)
    'set12'
    """
    return f"set{number}"


def number_of(key: str) -> int | None:
    """Read the number of the set that a key stands for; None if it isn't a set's key."""
    found = re.fullmatch(KEY, key)
    return None if found is None else int(found[1])


def is_key(text: str) -> bool:
    """Whether a text names rules to choose from: a preset, or a set."""
    return text in PRESETS or number_of(text) is not None
