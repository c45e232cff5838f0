"""A check of a server's stored ratings, which works them all out again, result by result."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rating import Rating, match_weight
from bot.store import key_values
from bot.store.club import ratings
from bot.store.club.standing import aged
from bot.store.rows import PLAYER_COLUMNS, PlayerResult
from bot.store.schema import result_players, results

TOLERANCE: Final = 1e-9
"""The compiled and the pure-Python openskill may differ in the last digit."""
_DAYS: Final = 40
"""Days whose matches are remembered, in case the clock went back."""


@dataclass(frozen=True, slots=True)
class _Match:
    result_id: int
    ended_at: datetime
    nth: int
    weight: float | None
    players: list[PlayerResult] = field(default_factory=list[PlayerResult])


@dataclass(slots=True)
class _Chain:
    """The results worked out so far. `cut`: the server's first results may have been deleted."""

    cut: bool
    current: dict[int, tuple[Rating, datetime]] = field(default_factory=dict[int, tuple[Rating, datetime]])
    days: defaultdict[date, Counter[frozenset[int]]] = field(
        default_factory=lambda: defaultdict[date, Counter[frozenset[int]]](Counter)
    )
    wrong: list[str] = field(default_factory=list[str])

    def add(self, match: _Match) -> None:
        people = [each.user_id for each in match.players if each.user_id is not None]
        everybody = len(people) == len(match.players)
        if everybody and not self.cut:
            self._check_number(match, frozenset(people))
        changes = ratings.changes_ratings(match.players)
        # Somebody who has since been erased may have played in a match that changed the others' ratings.
        expected = match_weight(match.nth) if changes or match.weight is not None else None
        if match.weight != expected or (match.weight is not None and not _known(match.players)):
            self.wrong.append(f"ratings: result {match.result_id} has the wrong weight")
        elif match.weight is not None:
            self._rate(match, match.weight)

    def _check_number(self, match: _Match, people: frozenset[int]) -> None:
        day = match.ended_at.date()
        if day not in self.days and len(self.days) >= _DAYS:
            oldest = min(self.days)
            if day < oldest:
                return
            del self.days[oldest]
        self.days[day][people] += 1
        if match.nth != self.days[day][people]:
            self.wrong.append(f"ratings: result {match.result_id} has the wrong number among those of its day")

    def _rate(self, match: _Match, weight: float) -> None:
        before = [self._before(each, match) for each in match.players]
        for each, old, new in zip(match.players, before, ratings.rated(match.players, before, weight), strict=True):
            if each.user_id is None:
                continue
            if not (_equal(old, each.mu, each.sigma) and _equal(new, each.new_mu, each.new_sigma)):
                self.wrong.append(f"ratings: result {match.result_id} has the wrong rating for user {each.user_id}")
            # Later ratings are worked out from the stored one, so that an error is reported only where it is.
            found = new if each.new_mu is None or each.new_sigma is None else Rating(each.new_mu, each.new_sigma)
            since = self.current[each.user_id][1] if each.user_id in self.current else match.ended_at
            self.current[each.user_id] = (found, max(since, match.ended_at))

    def _before(self, player: PlayerResult, match: _Match) -> Rating:
        stored = Rating() if player.mu is None or player.sigma is None else Rating(player.mu, player.sigma)
        if player.user_id is None:
            return stored
        if player.user_id not in self.current:
            return stored if self.cut else Rating()
        rating, since = self.current[player.user_id]
        return aged(rating, since, match.ended_at).at_the_table()


async def differences(connection: AsyncConnection, guild_id: int) -> list[str]:
    """Report how stored ratings of a server's results differ from those worked out again, one line per difference."""
    chain = _Chain(cut=await key_values.get(connection, cut_key(guild_id)) is not None)
    of_match = [results.c[name] for name in ("id", "ended_at", "nth", "weight")]
    of_player = [result_players.c[name] for name in PLAYER_COLUMNS]
    query = (
        sa.select(*of_match, *of_player)
        .join_from(results, result_players)
        .where(result_players.c.guild_id == guild_id, results.c.nth.is_not(None))
        .order_by(results.c.id, result_players.c.seat)
    )
    match: _Match | None = None
    async with connection.stream(query) as rows:
        async for row in rows:
            if match is None or match.result_id != row.id:
                if match is not None:
                    chain.add(match)
                match = _Match(*row[: len(of_match)])
            match.players.append(PlayerResult(*row[len(of_match) :]))
    if match is not None:
        chain.add(match)
    return chain.wrong


def cut_key(guild_id: int) -> str:
    """Return the key that is set while some results of a server are deleted and others aren't yet."""
    return f"ratings_cut:{guild_id}"


def _known(players: Sequence[PlayerResult]) -> bool:
    """Whether everybody's rating before the match and their place in it are stored."""
    return all(each.mu is not None and each.sigma is not None and each.place is not None for each in players)


def _equal(rating: Rating, mu: float | None, sigma: float | None) -> bool:
    if mu is None or sigma is None:
        return False
    return abs(rating.mu - mu) <= TOLERANCE and abs(rating.sigma - sigma) <= TOLERANCE
