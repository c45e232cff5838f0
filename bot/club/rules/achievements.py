"""Achievements: feats that a card player would talk about at the next table. Each is given once per person and server.

Some are deeds in a match, found in what everybody saw of it; others are sums of a person's matches so far.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Final

from bot.engine.cards import Rank, Suit
from bot.engine.highlights import Deed, Highlights
from bot.engine.match import Match
from bot.engine.rules import PRESETS
from bot.engine.scoring import Item, RoundScore

ALL_SEVENS: Final = 4
ALL_OROS: Final = 10
LEAST_TARGET: Final = 11
"""Matches to fewer points are so short that a comeback or a rout says little."""
BEHIND: Final = 2 / 5
"""The share of the target by which somebody must have been behind for a comeback: nine points of 21."""
ROUTED: Final = 1 / 3
"""The share of the target that nobody else may exceed in a rout: seven points of 21."""
MANY_MATCHES: Final = 100
RUN: Final = 5
LONG_RUN: Final = 10
MANY_RIVALS: Final = 10
FAR_ABOVE: Final = 150
"""Fewest points of rating, as it is shown, by which a beaten opponent must have been ahead."""


class Achievement(StrEnum):
    """An achievement, in the order in which they are listed. The values are stored."""

    FIRST_WIN = "first_win"
    SEVENS = "sevens"
    """All four sevens in a round."""
    OROS = "oros"
    """All ten oros in a round."""
    CLEAN_SWEEP = "clean_sweep"
    """Every point of a round, with some from each of its items except cantos."""
    GOLDEN_ESCOBA = "golden_escoba"
    FOUR_ESCOBAS = "four_escobas"
    LAST_CARD = "last_card"
    SIX_CARDS = "six_cards"
    COMEBACK = "comeback"
    """A win after having been far behind."""
    ROUT = "rout"
    """A win in which nobody else got far."""
    GIANT_KILLER = "giant_killer"
    """A win against somebody rated far higher."""
    RUN = "run"
    LONG_RUN = "long_run"
    TEN_RIVALS = "ten_rivals"
    """Wins against ten people."""
    ALL_ROUNDER = "all_rounder"
    """Wins in all rule systems."""
    HUNDRED = "hundred"


DEEDS: Final = frozenset(
    {
        *(Achievement.SEVENS, Achievement.OROS, Achievement.CLEAN_SWEEP, Achievement.COMEBACK, Achievement.ROUT),
        *(Achievement.GOLDEN_ESCOBA, Achievement.FOUR_ESCOBAS, Achievement.LAST_CARD, Achievement.SIX_CARDS),
    }
)
"""The achievements that a match alone decides; for the others, the matches before it count, too."""
DEEDS_OF_A_WIN: Final = frozenset({Achievement.COMEBACK, Achievement.ROUT})
_BY_SEAT: Final = {
    Deed.GOLDEN_ESCOBA: Achievement.GOLDEN_ESCOBA,
    Deed.FOUR_ESCOBAS: Achievement.FOUR_ESCOBAS,
    Deed.LAST_CARD: Achievement.LAST_CARD,
    Deed.SIX_CARDS: Achievement.SIX_CARDS,
}


@dataclass(frozen=True, slots=True)
class Progress:
    """The sums of somebody's rated matches on a server, the latest included.

    Attributes:
        rivals: the number of people they have beaten, counted up to `MANY_RIVALS`.
        presets: the rule systems in which they have won.
        above: the points of rating by which the strongest opponent beaten in the latest match was ahead.
    """

    matches: int
    wins: int
    best_streak: int
    rivals: int = 0
    presets: frozenset[str] = frozenset()
    above: int = 0


def deeds_of(match: Match, highlights: Highlights, seat: int) -> frozenset[Achievement]:
    """Find what the player of a seat achieved in a match; partners share what their side did."""
    side = match.seating.side_of(seat)
    found = {_BY_SEAT[deed] for doer, deed in highlights.deeds if doer == seat}
    for score in match.scores:
        found |= _of_round(score, side)
    if match.winner == side and match.rules.target >= LEAST_TARGET:
        found |= _of_win(match, side)
    return frozenset(found)


def reached(progress: Progress) -> frozenset[Achievement]:
    """Find what somebody has achieved with all their matches so far."""
    conditions = {
        Achievement.FIRST_WIN: progress.wins > 0,
        Achievement.GIANT_KILLER: progress.above >= FAR_ABOVE,
        Achievement.RUN: progress.best_streak >= RUN,
        Achievement.LONG_RUN: progress.best_streak >= LONG_RUN,
        Achievement.TEN_RIVALS: progress.rivals >= MANY_RIVALS,
        Achievement.ALL_ROUNDER: progress.presets >= PRESETS.keys(),
        Achievement.HUNDRED: progress.matches >= MANY_MATCHES,
    }
    return frozenset(achievement for achievement, met in conditions.items() if met)


def _of_round(score: RoundScore, side: int) -> set[Achievement]:
    found: set[Achievement] = set()
    pile = next(scored.cards[side] for scored in score.items if scored.item is Item.CARDS)
    if len(pile.of_rank(Rank.SEVEN)) == ALL_SEVENS:
        found.add(Achievement.SEVENS)
    if len(pile.of_suit(Suit.OROS)) == ALL_OROS:
        found.add(Achievement.OROS)
    if score.points[side] == sum(score.points) and all(
        scored.points[side] for scored in score.items if scored.item is not Item.CANTOS
    ):
        found.add(Achievement.CLEAN_SWEEP)
    return found


def _of_win(match: Match, side: int) -> set[Achievement]:
    found: set[Achievement] = set()
    courses = [[*accumulate(score.points[each] for score in match.scores)] for each in range(match.seating.sides)]
    behind = max(max(totals) - totals[side] for totals in zip(*courses, strict=True))
    if behind >= BEHIND * match.rules.target:
        found.add(Achievement.COMEBACK)
    if all(total <= ROUTED * match.rules.target for other, total in enumerate(match.totals) if other != side):
        found.add(Achievement.ROUT)
    return found
