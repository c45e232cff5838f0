"""Rows that go into the database and come out of it: frozen values, and the condition that picks a server's."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.club.rules.achievements import Achievement
from bot.platform.people import NOBODY


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One seat's result in a match. A user has one seat in it.

    `user_id` is None for a computer and for a user who was erased. A negative id stands for a user who was erased
    during the match; it is stored as None.

    `place` is 1 for those who won; equals share a place, and without places no ratings change. Somebody who left, who
    hasn't `stayed`, is last, and has no `sources`: JSON that says where the points of their side came from, by item.

    The store itself fills in the ratings: `mu` and `sigma` before the match, `new_mu` and `new_sigma` after it, and
    `weight`, the share of the change that was made. They are None if the match changed no ratings; the latter three
    also for a user who was erased, whose `mu` and `sigma` are a newcomer's. In a ranked match it also says whether a
    user was `known`, counted as a person of their own, and which number it has for their season points, `nth`: see
    `bot.club.store.day_numbers`. If 1.0 began it, there is no `nth`, and nobody is `known` unless it changed ratings.

    `played` is whether they have played a card themselves in a round that was scored, and `gains` whether the match may
    bring them anything: see `bot.club.rules.playing`. None, as in results of 1.0, means yes.

    `deeds` are the achievements that the match by itself earns; they are stored as achievements, and not read back
    with the result.
    """

    seat: int
    side: int
    user_id: int | None
    name: str
    won: bool
    points: int
    escobas: int
    place: int | None = None
    sources: str | None = None
    stayed: bool = True
    mu: float | None = None
    sigma: float | None = None
    new_mu: float | None = None
    new_sigma: float | None = None
    weight: float | None = None
    known: bool = False
    played: bool | None = None
    gains: bool | None = None
    nth: int | None = None
    deeds: frozenset[Achievement] = frozenset()

    @property
    def erased(self) -> bool:
        """Whether it was that of a user who was erased."""
        return self.user_id is None and self.name == NOBODY

    @property
    def has_won(self) -> bool:
        """Whether they have won, and gain by it."""
        return self.won and self.gains is not False

    @property
    def counts(self) -> bool:
        """Whether a ranked match counts for them: a win by which they gain nothing doesn't."""
        return self.has_won or not self.won


PLAYER_COLUMNS: Final = tuple(name for name in PlayerResult.__dataclass_fields__ if name != "deeds")
"""The columns that a seat's result is made of."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match. Matches that aren't `ranked` count in no leaderboard: practice, or `friendly` ones.

    Without a server it is the match of somebody who played alone in private, and is counted nowhere.

    `rule_set` is the number of the server's own rules that it was played by; None if it was played by a preset, or if
    the rules were changed after a set was chosen.

    `luck` is stored later, if at all: see `MatchLuck`. The store itself fills in `nth`, the match's number among those
    of the same people on that UTC day, if it is ranked; and `weight`, how much that leaves of the rating changes, if it
    changed any ratings.
    """

    guild_id: int | None
    channel_id: int | None
    ended_at: datetime
    preset: str
    target: int
    seating: str
    rounds: int
    ranked: bool
    players: tuple[PlayerResult, ...]
    luck: str | None = None
    friendly: bool = False
    nth: int | None = None
    weight: float | None = None
    rule_set: int | None = None

    @property
    def server(self) -> int:
        """The server where it is counted; it must have one."""
        assert self.guild_id is not None, "it wasn't played in private"
        return self.guild_id


def without_stand_ins(result: MatchResult) -> MatchResult:
    """Replace the negative ids in a result before it is stored: they stand for people erased during the match."""
    if all(player.user_id is None or player.user_id >= 0 for player in result.players):
        return result
    players = (
        replace(player, user_id=None, name=NOBODY) if player.user_id is not None and player.user_id < 0 else player
        for player in result.players
    )
    return replace(result, players=tuple(players))
