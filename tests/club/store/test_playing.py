"""Matches that some people haven't played: what counts for whom, by a count of its own over random matches."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from openskill.models import PlackettLuce

from bot.club.rules.achievements import Achievement
from bot.club.store.results import MatchResult
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.club.store.test_standing_rows import assert_standings_add_up
from tests.support.dose import dose
from tests.support.store import GUILD, NOON, add_finished_game, match_result, player_result, rows

ANA, BEA, CLO, DON = 1, 2, 3, 4
MINUTES = 130
MATCHES = 500
SEAT = (
    *("user_id", "side", "won", "points", "escobas", "place", "stayed", "played", "gains"),
    *("known", "mu", "sigma", "new_mu"),
)
SUMS = ("matches", "wins", "points", "escobas", "season_points", "streak")


def duel(
    *, played: Sequence[bool] = (True, True), gains: Sequence[bool] = (True, True), left: bool = False
) -> MatchResult:
    """A match that Ana has won against Bea."""
    players = [
        player_result(seat, user, won=not seat, place=1 + seat, points=9 - seat, escobas=2, sources='{"cards":3}')
        for seat, user in enumerate((ANA, BEA))
    ]
    players = [replace(each, played=played[each.seat], gains=gains[each.seat]) for each in players]
    if left:
        players[1] = replace(players[1], stayed=False, points=0, escobas=0, sources=None)
    return match_result(replace(each, deeds=frozenset({Achievement.SEVENS})) for each in players)


async def test_a_win_without_a_card_brings_nothing_and_who_left_has_lost(store: Stores) -> None:
    nobody = duel(played=(False, False), gains=(False, False), left=True)
    for _ in range(4):
        await add_finished_game(store, [nobody])
    ana, bea = [await store.leaderboards.stats(GUILD, each) for each in (ANA, BEA)]
    assert (ana.matches, ana.wins, ana.season_points, ana.points, ana.top_points, ana.streak) == (0,) * 6
    assert (bea.matches, bea.wins, bea.season_points) == (4, 0, 0)
    assert (ana.mu, bea.mu and bea.mu < 25) == (25, True)
    career = await store.careers.of(GUILD, ANA)
    assert (career.achievements, career.form) == ((), ())
    assert await store.careers.duel(GUILD, ANA, BEA) is None, "they haven't met"
    await assert_standings_add_up(store)


async def test_a_robot_wins_nothing_and_costs_nobody_anything(store: Stores) -> None:
    await add_finished_game(store, [duel(gains=(False, True))])
    ana, bea = [await store.leaderboards.stats(GUILD, each) for each in (ANA, BEA)]
    assert (ana.matches, ana.wins, ana.season_points, ana.points, ana.escobas, ana.mu) == (0, 0, 0, 0, 0, 25)
    assert (bea.matches, bea.wins, bea.season_points, bea.points, bea.mu) == (1, 0, 1, 8, 25)
    duels = await store.careers.duel(GUILD, ANA, BEA)
    assert duels is not None
    assert (duels.met.matches, duels.met.wins, duels.form) == (1, 0, (None,))
    await add_finished_game(store, [duel(gains=(True, False))])
    ana, bea = [await store.leaderboards.stats(GUILD, each) for each in (ANA, BEA)]
    assert (ana.wins, ana.season_points, ana.mu and ana.mu > 25) == (1, 3, True)
    assert (bea.matches, bea.season_points, bea.points, bea.mu and bea.mu < 25) == (2, 1, 8, True)
    assert [each.achievement for each in (await store.careers.of(GUILD, BEA)).achievements] == [Achievement.SEVENS]
    await assert_standings_add_up(store)


async def test_a_result_of_1_0_counts_as_it_counted(store: Stores) -> None:
    old = [replace(each, played=None, gains=None) for each in duel(left=True).players]
    await add_finished_game(store, [match_result(old)])
    ana = await store.leaderboards.stats(GUILD, ANA)
    assert (ana.wins, ana.season_points, ana.mu and ana.mu > 25) == (1, 3, True)


# ------------------------------------------------------------------------------------------ a ledger of its own


@dataclass
class Ledger:
    """What everybody has on a server, by a count that shares no code with the bot's. It books seats as they are stored,
    and believes of these who counts as a person of their own."""

    sums: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    met: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    days: Counter[object] = field(default_factory=Counter)
    gained: list[tuple[date, int, int | None, float]] = field(default_factory=list[tuple[date, int, int | None, float]])
    """What people have gained, on which day and from whom, None for all who don't count as persons of their own."""
    limited: int = 0
    """Shares of gains that were smaller for want of room."""
    wrong: list[str] = field(default_factory=list[str])

    def erase(self, person: int) -> None:
        """Forget somebody; what they had against others is gone with them."""
        self.sums.pop(person, None)
        self.met.pop(person, None)
        for met in self.met.values():
            met.pop(person, None)

    def book(self, result: MatchResult, seats: Sequence[Any]) -> None:
        """Book one more match of people alone."""
        day = result.ended_at.date()
        of_people = day, frozenset(each.user_id for each in seats)
        self.days[of_people] += 1
        for own in seats:
            # All whom somebody met that don't count as persons of their own are one.
            of_own = day, own.user_id, frozenset(each.user_id if each.known else None for each in seats if each != own)
            self.days[of_own] += 1
            self._count(own, max(self.days[of_people], self.days[of_own]))
        for own, other in permutations(seats, 2):
            if own.side != other.side and own.played and other.played:
                self.met[own.user_id][other.user_id] += 1
        self.wrong += wrongly_rated(seats)
        for own in seats:
            self._judge_weight(own, seats, day, self.days[of_people])
        for own in seats:
            others = [each for each in opponents(own, seats, up=own.new_mu >= own.mu) if each.played and own.played]
            for source in sources(others):
                points = round((own.new_mu - own.mu) * 48_000 / len(sources(others))) / 1000  # as they are stored
                self.gained.append((day, own.user_id, source, points))

    def _count(self, own: Any, nth: int) -> None:
        sums = self.sums[own.user_id]
        if own.gains or not own.won:
            sums["matches"] += 1
            sums["wins"] += own.won
            sums["streak"] = sums["streak"] + 1 if own.won else 0
        if own.gains:
            sums["points"] += own.points
            sums["escobas"] += own.escobas
            sums["season_points"] += (3 if own.won else 1) * (own.stayed and nth <= 3)

    def _judge_weight(self, own: Any, seats: Sequence[Any], day: date, nth: int) -> None:
        """Whether as much of a change was made as there was room for the gain in it, and as people have played for."""
        up = own.whole_mu >= own.mu
        others = opponents(own, seats, up=up)
        if up:
            due = self._made(own, others, seats, day)
        else:
            lost = self._made if own.stayed else self._share
            due = sum(lost(other, [own], seats, day) for other in others) / len(others)
        due *= 0.5 ** max(0, nth - 3)
        if abs(own.weight - due) > 1e-6:
            self.wrong.append(f"of the change {own.weight} is made, not {due}, for {own}")

    def _made(self, own: Any, others: Sequence[Any], seats: Sequence[Any], day: date) -> float:
        giving = [each for each in others if each.played and own.gains]
        return self._share(own, giving, seats, day) * len(giving) / len(others) if giving else 0.0

    def _share(self, own: Any, others: Sequence[Any], seats: Sequence[Any], day: date) -> float:
        """The share of somebody's gain from others for which there is room: 100 points from each source in 30 days."""
        gain = (own.whole_mu - own.mu) * 48 * len(sources(others)) / len(sources(opponents(own, seats, up=True)))
        if gain <= 0:
            return 1.0
        counted = sources(others) | {each.user_id for each in others}  # who wasn't a stranger then, and is one now
        since = day - timedelta(days=30)
        net = sum(
            points for at, who, source, points in self.gained if at > since and who == own.user_id and source in counted
        )
        share = min(1.0, max(0.0, (100 * len(sources(others)) - net) / gain))
        self.limited += share < 1
        return share


def opponents(own: Any, seats: Sequence[Any], *, up: bool) -> list[Any]:
    """Those from whom somebody gains, or to whom they lose: who weren't better, or weren't worse."""
    others = [each for each in seats if each.side != own.side]
    return [each for each in others if (each.rank >= own.rank if up else each.rank <= own.rank)] or others


def sources(seats: Sequence[Any]) -> set[int | None]:
    return {each.user_id if each.known else None for each in seats}


def some_match(random: Random, number: int, members: Sequence[int], accounts: Sequence[int]) -> MatchResult:
    """A match of two, three, four or two pairs, which some leave, and some have a robot play for them. The first of the
    members often wins, and plays against accounts that nobody else meets."""
    sides, team = random.choice(((2, 1), (2, 1), (2, 1), (3, 1), (4, 1), (2, 2)))
    people = random.sample(members, sides * team)
    if random.random() < 0.25:
        people = [members[0], *random.sample(accounts, sides * team - 1)]
    elif random.random() < 0.3:
        people = sorted(people, key=members.index)
    played = [random.random() < 0.8 for _ in people]
    robots = [random.random() < 0.2 for _ in people]
    left = [random.random() < 0.15 for _ in people]
    left[0] = False
    reached = {seat % sides for seat in range(len(people)) if played[seat]}
    return match_result(
        [
            player_result(
                seat,
                person,
                side=seat % sides,
                won=seat % sides == 0 and not left[seat],
                place=sides if left[seat] else 1 + seat % sides,
                points=0 if left[seat] else 21 - 3 * (seat % sides),
                escobas=0 if left[seat] else random.randrange(4),
                sources=None if left[seat] else '{"cards":2}',
                stayed=not left[seat],
                played=played[seat],
                gains=played[seat] and not robots[seat] and len(reached - {seat % sides}) > 0,
            )
            for seat, person in enumerate(people)
        ],
        ended_at=NOON + timedelta(minutes=MINUTES * number),
        seating=str(sides) if team == 1 else f"{sides}x{team}",
    )


def stored_seats(database: str | Path) -> list[Any]:
    """The seats of the latest result, with the place by which each is rated and the mu that all of the change makes."""
    latest = "(SELECT max(id) FROM results)"
    query = (
        f"SELECT {', '.join(SEAT)}, result_players.weight, results.nth FROM result_players"  # noqa: S608 - names of ours
        f" JOIN results ON results.id = result_id WHERE result_id = {latest} ORDER BY seat"
    )
    seats = [SimpleNamespace(**dict(zip((*SEAT, "weight", "nth"), row, strict=True))) for row in rows(database, query)]
    model = PlackettLuce(mu=25, sigma=25 / 6, limit_sigma=True)
    last = max(each.side for each in seats) + 7
    sides: dict[int, list[Any]] = defaultdict(list)
    for each in seats:
        sides[each.side].append(each)
    places = {side: min((each.place for each in own if each.stayed), default=last) for side, own in sides.items()}
    order = sorted(sides)
    for own in seats:
        own.rank = places[own.side] if own.stayed else last
        ranks = places | {own.side: own.rank}
        teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in sides[side]] for side in order]
        rated = model.rate(teams, ranks=[float(ranks[side]) for side in order])
        own.whole_mu = rated[order.index(own.side)][sides[own.side].index(own)].mu
    return seats


def wrongly_rated(players: Sequence[Any]) -> list[str]:
    """What is wrong with the rating changes of a match, by openskill and the rules of who gains from whom."""
    wrong: list[str] = []
    for own in players:
        if abs(own.new_mu - own.mu - own.weight * (own.whole_mu - own.mu)) > 1e-9:
            wrong.append(f"{own} has another change")
        if not own.gains and own.new_mu > own.mu:
            wrong.append(f"{own} has gained")
        others = [each for each in players if each.side != own.side]
        if own.stayed and own.new_mu < own.mu and not any(each.gains for each in others):
            wrong.append(f"{own} has paid for nothing")
    if len(players) == 2 and all(each.stayed for each in players) and players[0].weight != players[1].weight:
        wrong.append(f"{players}: one has paid what the other hasn't gained")
    return wrong


@pytest.mark.parametrize("seed", range(dose("LEDGERS", 1)))
async def test_five_hundred_matches_come_to_what_another_count_says(
    store: Stores, database: str | Path, seed: int
) -> None:
    random, ledger, members, accounts = Random(seed), Ledger(), list(range(1, 13)), list(range(51, 55))
    for number in range(MATCHES):
        match = some_match(random, number, members, accounts)
        await add_finished_game(store, [match])
        ledger.book(match, stored_seats(database))
        if random.random() < 0.02:
            some = random.choice((members, accounts))
            erased = some.pop(random.randrange(1, len(some)))
            await store.personal_data.forget(erased, Disguise(erased).rewriter, match.ended_at)
            ledger.erase(erased)
            some.append(100 + number)
    assert ledger.wrong == []
    assert ledger.limited > MATCHES / 20
    found = rows(
        database,
        "SELECT user_id, matches, wins, points, escobas, season_points, streak FROM standings"
        " WHERE period = 'all' AND preset = ''",
    )
    stored = {row[0]: dict(zip(SUMS, row[1:], strict=True)) for row in found}
    assert stored == {person: {name: sums[name] for name in SUMS} for person, sums in ledger.sums.items()}
    met = {(row[0], row[1]): row[2] for row in rows(database, "SELECT user_id, rival_id, matches FROM rivals")}
    assert met == {(own, other): number for own, others in ledger.met.items() for other, number in others.items()}
    await assert_standings_add_up(store)
