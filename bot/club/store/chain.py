"""A check of a server's stored ratings and gains, which works them all out again, result by result."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.rules.gains import DAYS, ENOUGH, Gains, rate_within_limit
from bot.club.rules.rating import Rating, match_weight, rate
from bot.club.store import day_numbers, gains, ratings
from bot.club.store.day_numbers import People
from bot.club.store.results import PLAYER_COLUMNS, PlayerResult
from bot.club.store.standing import aged
from bot.platform.database.base import read_pair
from bot.schema.tables import result_players, results

TOLERANCE: Final = 1e-9
"""The compiled and the pure-Python openskill may differ in the last digit."""
_DAYS: Final = 40
"""Days whose matches are remembered, in case the clock went back."""
_MARKED: Final = timedelta(days=_DAYS)
"""Time for which somebody's marks may limit what they gain after their return."""


@dataclass(frozen=True, slots=True)
class _Match:
    result_id: int
    ended_at: datetime
    nth: int
    weight: float | None
    players: list[PlayerResult] = field(default_factory=list[PlayerResult])


@dataclass(slots=True)
class _Chain:
    """The results worked out so far.

    Attributes:
        cut: whether the server's first results may have been deleted.
        current: the rating of each person, and since when.
        days: by day, the number of matches of the same people, and of those in which each person met the same people.
        met: the people that each person has met.
        bygone: the people who have met somebody who has since been erased.
        erased: by day, the matches with somebody who has since been erased: the others in them, and how many that were.
        returned: since when those are there who came with the rating that they had when they erased their data.
        gains: by person and source, what was gained on each of the latest days.
        latest: the latest day of a rated match.
        wrong: what is wrong, a line each.
    """

    cut: bool
    current: dict[int, tuple[Rating, datetime]] = field(default_factory=dict[int, tuple[Rating, datetime]])
    days: defaultdict[date, Counter[People | tuple[int, People]]] = field(
        default_factory=lambda: defaultdict[date, Counter[People | tuple[int, People]]](Counter)
    )
    met: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict[int, set[int]](set))
    bygone: set[int] = field(default_factory=set[int])
    erased: defaultdict[date, list[tuple[frozenset[int], int]]] = field(
        default_factory=lambda: defaultdict[date, list[tuple[frozenset[int], int]]](list)
    )
    returned: dict[int, datetime] = field(default_factory=dict[int, datetime])
    gains: defaultdict[int, defaultdict[int, Counter[str]]] = field(
        default_factory=lambda: defaultdict[int, defaultdict[int, Counter[str]]](
            lambda: defaultdict[int, Counter[str]](Counter)
        )
    )
    latest: str = ""
    wrong: list[str] = field(default_factory=list[str])

    def add(self, match: _Match) -> None:
        people = [player.user_id for player in match.players if player.user_id is not None]
        erased = sum(player.erased for player in match.players)
        if erased:
            self.erased[match.ended_at.date()].append((frozenset(people), erased))
            for day in [day for day in self.erased if match.ended_at.date() - day > _MARKED]:
                del self.erased[day]
        if people and not self.cut:
            self._check_numbers(match, frozenset(people), whole=not erased)
        changes = ratings.changes_ratings(match.players)
        # Somebody who has since been erased may have played in a match that changed the others' ratings.
        expected = match_weight(match.nth) if changes or match.weight is not None else None
        if match.weight != expected or (match.weight is not None and not _known(match.players)):
            self.wrong.append(f"ratings: result {match.result_id} has the wrong weight")
        elif match.weight is not None:
            self._rate(match)
        for player in match.players:
            if player.user_id is not None and not self._may_be_known(player.user_id, known=player.known):
                self.wrong.append(
                    f"ratings: result {match.result_id} is wrong about whom user {player.user_id} has met"
                )
        self._note_meetings(match)

    def _check_numbers(self, match: _Match, people: frozenset[int], *, whole: bool) -> None:
        """Compare the match's numbers with those before it. If it isn't `whole`, because somebody was erased, it only
        counts for later ones: a correction leaves its numbers as they were."""
        day = match.ended_at.date()
        if day not in self.days and len(self.days) >= _DAYS:
            oldest = min(self.days)
            if day < oldest:
                return
            del self.days[oldest]
        before, seats = self.days[day], day_numbers.seats_of(match.players)
        for user_id, nth in [(seat.user_id, seat.nth) for seat in seats]:
            if user_id is None or nth is None:
                continue
            met = day_numbers.met_by(user_id, seats)
            before[user_id, met] += 1
            if whole and nth != max(match.nth, before[user_id, met]):
                self.wrong.append(
                    f"ratings: result {match.result_id} has the wrong number for user {user_id} on its day"
                )
        if not whole:
            return
        before[people] += 1
        # Some of those with somebody erased may have been theirs, too.
        there = self.erased.get(day, [])
        marked = sum(rest < people and len(rest) + others == len(people) for rest, others in there)
        if not 0 <= match.nth - before[people] <= marked:
            self.wrong.append(f"ratings: result {match.result_id} has the wrong number among those of its day")

    def _rate(self, match: _Match) -> None:
        before = [self._before(player, match) for player in match.players]
        players = gains.as_rated(match.players, before)
        erased = any(player.erased for player in match.players)
        weights = self._weights(match, before)
        for player, old, new, weight in zip(match.players, before, rate(players), weights, strict=True):
            user_id, mu, sigma = player.user_id, player.new_mu, player.new_sigma
            if user_id is None:
                continue
            right = player.weight is not None and (weight is None or abs(player.weight - weight) <= TOLERANCE)
            after = old.at_the_table().toward(new, player.weight or 0)
            if erased and mu is not None and sigma is not None:
                after = Rating(mu, sigma)  # what the erased one brought isn't known any more
            if not (right and _equal(old, player.mu, player.sigma) and _equal(after, mu, sigma)):
                self.wrong.append(f"ratings: result {match.result_id} has the wrong rating for user {user_id}")
            # Later ratings are worked out from the stored one, so that an error is reported only where it is.
            found = after if mu is None or sigma is None else Rating(mu, sigma)
            since = self.current[user_id][1] if user_id in self.current else match.ended_at
            self.current[user_id] = (found, max(since, match.ended_at))
        self._gain(match)

    def _weights(self, match: _Match, before: Sequence[Rating]) -> list[float | None]:
        """Work out everybody's share of their rating change; None where that can't be known any more."""
        people = [player.user_id for player in match.players if player.user_id is not None]
        marked = any(
            match.ended_at - self.returned[user_id] <= _MARKED for user_id in people if user_id in self.returned
        )
        if self.cut or marked or len(people) < len(match.players):
            return [None] * len(match.players)
        since = gains.day_of(match.ended_at, DAYS)
        net = {
            (user_id, source_id): sum(amount for day, amount in by_day.items() if day > since)
            for user_id in people
            for source_id, by_day in self.gains[user_id].items()
        }
        lately = Gains({player.user_id for player in match.players if player.user_id is not None and player.known}, net)
        rated = rate_within_limit(people, gains.as_rated(match.players, before), match.nth, lately)
        return [player.weight for player in rated]

    def _may_be_known(self, user_id: int, *, known: bool) -> bool:
        """Whether somebody may have counted as a person of their own or not, by those whom they had met before."""
        unclear = self.cut or user_id in self.bygone or user_id in self.returned
        return not known or unclear or len(self.met[user_id]) >= ENOUGH

    def _gain(self, match: _Match) -> None:
        day = gains.day_of(match.ended_at)
        self.latest = max(self.latest, day)
        for (user_id, source_id), amount in gains.amounts(match.players).items():
            self.gains[user_id][source_id][day] += amount
        old = gains.day_of(match.ended_at, gains.KEPT)
        for player in match.players:
            for by_day in self.gains[player.user_id].values() if player.user_id is not None else ():
                for day in [day for day in by_day if day <= old]:
                    del by_day[day]

    def _note_meetings(self, match: _Match) -> None:
        for own in match.players:
            if own.user_id is None or own.played is False:
                continue
            others = {other.user_id for other in match.players if other.side != own.side and other.played is not False}
            self.met[own.user_id] |= {user_id for user_id in others if user_id is not None}
            if None in others:
                self.bygone.add(own.user_id)

    def compare(self, stored: Mapping[gains.Key, int], dropped: str) -> None:
        """Compare the gains of the latest days with those stored; all up to a day may have been dropped."""
        since = gains.day_of(datetime.fromisoformat(self.latest).replace(tzinfo=UTC), DAYS) if self.latest else ""
        right = {
            (user_id, source_id, day): amount
            for user_id, sources in self.gains.items()
            for source_id, by_day in sources.items()
            for day, amount in by_day.items()
        }
        for key in sorted(stored.keys() | right.keys()):
            if key[2] > max(since, dropped) and stored.get(key) != right.get(key):
                self.wrong.append("ratings: what user {} has gained from {} on {} is wrong".format(*key))

    def _before(self, player: PlayerResult, match: _Match) -> Rating:
        stored = Rating() if player.mu is None or player.sigma is None else Rating(player.mu, player.sigma)
        if player.user_id is None:
            return stored
        if player.user_id not in self.current:
            if self.erased and stored != Rating():
                self.returned[player.user_id] = match.ended_at
            return stored if self.cut or player.user_id in self.returned else Rating()
        rating, since = self.current[player.user_id]
        return aged(rating, since, match.ended_at).at_the_table()


async def differences(connection: AsyncConnection, guild_id: int) -> list[str]:
    """Report how stored ratings of a server's results differ from those worked out again, one line per difference."""
    chain = _Chain(cut=await read_pair(connection, cut_key(guild_id)) is not None)
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
    chain.compare(await gains.stored(connection, guild_id), await read_pair(connection, gains.KEPT_SINCE) or "")
    return chain.wrong


def cut_key(guild_id: int) -> str:
    """Return the key that is set while some results of a server are deleted and others aren't yet."""
    return f"ratings_cut:{guild_id}"


def _known(players: Sequence[PlayerResult]) -> bool:
    """Whether everybody's rating before the match and their place in it are stored."""
    return all(player.mu is not None and player.sigma is not None and player.place is not None for player in players)


def _equal(rating: Rating, mu: float | None, sigma: float | None) -> bool:
    if mu is None or sigma is None:
        return False
    return abs(rating.mu - mu) <= TOLERANCE and abs(rating.sigma - sigma) <= TOLERANCE
