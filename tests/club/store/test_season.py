"""A season: whatever was played, the standings equal an independent recount, and the ratings those of the library.

SEASON=2000 plays that many matches; `make soak` does. What is expected uses none of the bot's own counting or rating.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

import pytest
from openskill.models import PlackettLuce, PlackettLuceRating

from bot.club.rules.seasons import ALL_TIME
from bot.club.store.results import MatchResult, PlayerResult
from bot.club.store.standing import EVERY_PRESET, Leaderboard, Metric, Standing
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.support.dose import dose
from tests.support.store import GUILD, MARCH, NOON, entry, match_result, new_game

PEOPLE = 60
PRESETS = ("escoba", "bare", "club")
ITEMS = ("cards", "escobas", "oros", "prime")
MODEL = PlackettLuce(mu=25.0, sigma=25.0 / 6, limit_sigma=True)
LAST = MARCH + timedelta(days=75)
_SIDES = ([[1], [1]], [[1], [1], [1]], [[1, 1], [1, 1]], [[1, 1, 1], [1, 1, 1]], [[1, 1], [1, 1], [1, 1]])


def season(random: Random, matches: int) -> list[MatchResult]:
    """Matches of sides of one to three over eleven weeks, in the order in which they are stored.

    Some are between the same people again and again, some are friendly, and some against computers; some people leave,
    and some clocks have gone back.
    """
    found: list[MatchResult] = []
    people: list[int] = []
    for number in range(matches):
        sides = random.choice(_SIDES)
        seats = [side for side, own in enumerate(sides) for _ in own]
        if len(people) != len(seats) or random.random() < 0.5:
            people = random.sample(range(1, PEOPLE + 1), len(seats))
        kind = random.choice(["rated"] * 6 + ["friendly", "computers", "practice"])
        points = [random.randint(0, 14) for _ in sides]
        points[random.randrange(len(sides))] = 15
        places = [1 + sum(other > own for other in points) for own in points]
        left = {seat for seat in range(len(seats)) if random.random() < 0.03}
        computers = {
            seat
            for seat in range(len(seats))
            if (kind == "computers" and seat == 0) or (kind == "practice" and seat != 0)
        }
        found.append(
            match_result(
                [
                    PlayerResult(
                        seat=seat,
                        side=side,
                        user_id=None if seat in computers else people[seat],
                        name="computer" if seat in computers else f"person {people[seat]} {number % 3}",
                        won=seat not in left and places[side] == 1,
                        points=0 if seat in left else points[side],
                        escobas=0 if seat in left else random.randint(0, 5),
                        place=len(sides) if seat in left else places[side],
                        sources=None if seat in left else json.dumps({random.choice(ITEMS): points[side]}),
                        stayed=seat not in left,
                    )
                    for seat, side in enumerate(seats)
                ],
                ended_at=MARCH
                + (LAST - MARCH) * number / matches
                - timedelta(hours=random.choice([0] * 30 + [1, 30, 400])),
                preset=random.choice(PRESETS),
                rounds=random.randint(1, 6),
                ranked=kind in ("rated", "computers"),
                friendly=kind == "friendly",
            )
        )
    return found


# ------------------------------------------------------------------------------------------ counted independently


@dataclass
class Count:
    """One person's figures in a period, by one rule system or all."""

    figures: Counter[str] = field(default_factory=Counter[str])
    sources: Counter[str] = field(default_factory=Counter[str])
    results: list[tuple[datetime, int, bool]] = field(default_factory=list[tuple[datetime, int, bool]])
    names: list[tuple[datetime, int, str]] = field(default_factory=list[tuple[datetime, int, str]])


@dataclass
class Recount:
    """The season as counted by a book-keeper who reads one result after the other."""

    counts: defaultdict[tuple[str, int, str], Count] = field(
        default_factory=lambda: defaultdict[tuple[str, int, str], Count](Count)
    )
    ratings: dict[int, PlackettLuceRating] = field(default_factory=dict[int, PlackettLuceRating])
    rated_at: dict[int, datetime] = field(default_factory=dict[int, datetime])
    of_season: dict[tuple[str, int], PlackettLuceRating] = field(
        default_factory=dict[tuple[str, int], PlackettLuceRating]
    )
    met: Counter[object] = field(default_factory=Counter[object])
    opponents: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict[int, set[int]](set))
    gained: list[tuple[datetime, int, int | None, int]] = field(
        default_factory=list[tuple[datetime, int, int | None, int]]
    )
    """Who has gained how many thousandths of a point from whom, None for all who had met fewer than three people."""

    def add(self, number: int, result: MatchResult) -> None:
        weight, full = None, False
        if result.ranked:
            who = (result.ended_at.date(), frozenset(each.user_id for each in result.players) - {None})
            self.met[who] += 1
            full = self.met[who] <= 3
            weight = 1.0 if full else 1 / 2 ** (self.met[who] - 3)
        if weight is not None and all(each.user_id is not None for each in result.players):
            self._rate(result, weight)
        for each in result.players if result.ranked else ():
            others = {one.user_id for one in result.players if one.side != each.side}
            self.opponents[each.user_id or 0] |= {one for one in others if one is not None}
        for each in result.players:
            if each.user_id is not None:
                for period in periods(result.ended_at):
                    for preset in ("", result.preset):
                        self._count(self.counts[period, each.user_id, preset], each, result, number, full=full)

    def _rate(self, result: MatchResult, weight: float) -> None:
        for each in result.players:
            person = each.user_id or 0
            old = self.ratings.setdefault(person, MODEL.rating())
            away = (result.ended_at - self.rated_at.get(person, result.ended_at)).total_seconds() / 86400
            self.ratings[person] = MODEL.rating(mu=old.mu, sigma=min(25 / 6, old.sigma + max(0, away) / 365))
        sides = sorted({each.side for each in result.players})
        ranks: dict[int, float] = {}
        for side in sides:
            stayed = [each.place or 0 for each in result.players if each.side == side and each.stayed]
            ranks[side] = stayed[0] if stayed else 99
        whole: dict[int, PlackettLuceRating] = {}
        places: dict[int, float] = {}
        for each in result.players:
            own = ranks | ({} if each.stayed else {each.side: 99})
            teams = [[self.ratings[one.user_id or 0] for one in result.players if one.side == side] for side in sides]
            rated = MODEL.rate(teams, ranks=[own[side] for side in sides])
            mates = [one.user_id for one in result.players if one.side == each.side]
            whole[each.user_id or 0] = rated[sides.index(each.side)][mates.index(each.user_id)]
            places[each.user_id or 0] = own[each.side]
        new: dict[int, PlackettLuceRating] = {}
        booked: list[tuple[int, int | None, int]] = []
        side_of = {each.user_id or 0: each.side for each in result.players}
        up = {one: whole[one].mu >= self.ratings[one].mu for one in whole}
        for person, found in whole.items():
            rivals = [one for one in whole if side_of[one] != side_of[person]]
            others = [
                one
                for one in rivals
                if (places[one] >= places[person] if up[person] else places[one] <= places[person])
            ]
            others = others or rivals
            if up[person]:
                part = self._room(result.ended_at, person, others, whole, places, side_of)
            else:
                parts = [self._room(result.ended_at, one, [person], whole, places, side_of) for one in others]
                part = sum(parts) / len(parts)
            old, share = self.ratings[person], weight * part
            new[person] = MODEL.rating(
                mu=old.mu + share * (found.mu - old.mu), sigma=old.sigma + share * (found.sigma - old.sigma)
            )
            booked += self._book(person, others, new[person].mu - old.mu)
        self.gained += [(result.ended_at, *each) for each in booked]
        self.ratings |= new
        for person in new:
            self.rated_at[person] = max(self.rated_at.get(person, result.ended_at), result.ended_at)
            for period in periods(result.ended_at):
                self.of_season[period, person] = new[person]
                self.counts[period, person, ""].figures["rated"] += 1

    def _source(self, person: int) -> int | None:
        return person if len(self.opponents[person]) >= 3 else None

    def _book(self, person: int, others: list[int], change: float) -> list[tuple[int, int | None, int]]:
        sources = {self._source(one) for one in others}
        return [(person, source, round(change * 48_000 / len(sources))) for source in sources]

    def _room(
        self,
        at: datetime,
        winner: int,
        losers: list[int],
        whole: dict[int, PlackettLuceRating],
        places: dict[int, float],
        side_of: dict[int, int],
    ) -> float:
        """The share of a winner's gain from some losers that 100 points from each within 30 days leave."""
        gain = (whole[winner].mu - self.ratings[winner].mu) * 48_000
        if gain <= 0:
            return 1.0
        rivals = [one for one in whole if side_of[one] != side_of[winner]]
        behind = {self._source(one) for one in rivals if places[one] >= places[winner]}
        sources = {self._source(one) for one in losers}
        since = at.date() - timedelta(days=30)
        lately = sum(
            amount
            for when, who, source, amount in self.gained
            if who == winner and source in sources and when.date() > since
        )
        of_these = gain * len(sources) / len(behind or {self._source(one) for one in rivals})
        return min(1.0, max(0.0, (100_000 * len(sources) - lately) / of_these))

    def _count(self, count: Count, player: PlayerResult, result: MatchResult, number: int, *, full: bool) -> None:
        count.names.append((result.ended_at, number, player.name))
        if not result.ranked:
            if not result.friendly:
                count.figures.update(practice_matches=1, practice_wins=int(player.won))
            return
        count.results.append((result.ended_at, number, player.won))
        count.figures.update(
            matches=1,
            wins=int(player.won),
            points=player.points,
            escobas=player.escobas,
            rounds=result.rounds,
            season_points=(3 if player.won else 1) if full and player.stayed else 0,
        )
        count.sources.update(json.loads(player.sources or "{}"))

    def forget(self, person: int) -> None:
        for key in [key for key in self.counts if key[1] == person]:
            del self.counts[key]
        for key in [key for key in self.of_season if key[1] == person]:
            del self.of_season[key]
        self.gained = [each for each in self.gained if person not in each[1:3]]
        for own in self.opponents.values():
            own.discard(person)


def periods(moment: datetime) -> tuple[str, str, str]:
    return "all", f"{moment.year}-{moment.month:02}", f"{moment.year}-Q{1 + (moment.month - 1) // 3}"


def figures_of(standing: Standing) -> dict[str, int]:
    "The face cards of a standing that aren't zero."
    names = ("matches", "wins", "points", "escobas", "rounds", "practice_matches", "practice_wins", "season_points")
    found = {name: getattr(standing, name) for name in (*names, "rated", "streak", "best_streak")}
    return {name: value for name, value in found.items() if value}


def expected_figures(count: Count) -> dict[str, int]:
    streak = best = 0
    for _, _, won in sorted(count.results):
        streak = streak + 1 if won else 0
        best = max(best, streak)
    found = count.figures | Counter(streak=streak, best_streak=best)
    return {name: value for name, value in found.items() if value}


# ------------------------------------------------------------------------------------------ the season


async def play(store: Stores, results: Sequence[MatchResult], recount: Recount, first: int = 0) -> None:
    for number, result in enumerate(results, first):
        game = await new_game(store, number)
        await store.games.append(game.id, [entry(1)], result=result, close=True)
        recount.add(number, result)


async def assert_equal(store: Stores, recount: Recount) -> None:
    """Compare all standings and ratings, read as the bot reads them, with those counted here."""
    listed: set[tuple[str, int, str]] = set()
    for period in {key[0] for key in recount.counts}:
        for preset in (EVERY_PRESET, *PRESETS):
            page = await store.leaderboards.page(GUILD, Leaderboard(Metric.POINTS, period, preset), limit=99, offset=0)
            for row in page.rows:
                count = recount.counts[period, row.user_id, preset]
                assert figures_of(row) == expected_figures(count)
                if (period, preset) == (ALL_TIME, EVERY_PRESET):
                    assert row.points_by_source == dict(count.sources)
                    assert row.name == max(count.names)[2]
                listed.add((period, row.user_id, preset))
        page = await store.leaderboards.page(GUILD, Leaderboard(Metric.RATING, period), limit=99, offset=0)
        expected = {person: rating for (of, person), rating in recount.of_season.items() if of == period}
        assert {row.user_id for row in page.rows} == expected.keys()
        shown = [rating.value for row in page.rows if (rating := row.rating_at(LAST)) is not None]
        assert shown == sorted(shown, reverse=True)
        assert len(shown) == len(page.rows)
        for row in page.rows:
            assert row.mu == pytest.approx(expected[row.user_id].mu, abs=1e-9, rel=0)
            assert row.sigma == pytest.approx(expected[row.user_id].sigma, abs=1e-9, rel=0)
    assert listed == {key for key, count in recount.counts.items() if count.figures["matches"]}
    assert await store.standings.differences(GUILD) == []


@pytest.mark.thorough
async def test_a_season_adds_up_and_everybody_is_rated_as_the_library_rates(store: Stores) -> None:
    random = Random("season")
    results = season(random, dose("SEASON", 60))
    half, recount = len(results) // 2, Recount()
    await play(store, results[:half], recount)
    erased = random.sample(range(1, PEOPLE + 1), 3)
    for person in erased:
        before = {key: rating for key, rating in recount.of_season.items() if key[1] != person}
        await store.personal_data.forget(person, Disguise(person).rewriter, NOON)
        recount.forget(person)
        assert recount.of_season == before, "nobody else's rating has changed"
    await assert_equal(store, recount)
    later = [each for each in results[half:] if not {one.user_id for one in each.players} & set(erased)]
    await play(store, later, recount, half)
    await assert_equal(store, recount)
