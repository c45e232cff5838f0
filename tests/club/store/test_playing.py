"""Matches that some people haven't played: what counts for whom, by a count of its own over random matches."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from openskill.models import PlackettLuce

from bot.club.rules.achievements import Achievement
from bot.club.store.results import MatchResult, PlayerResult
from bot.privacy.live.erasure import Disguise
from bot.process.stores import Stores
from tests.club.store.test_standing_rows import assert_standings_add_up
from tests.support.dose import dose
from tests.support.store import GUILD, NOON, add_finished_game, match_result, player_result, rows

ANA, BEA, CLO, DON = 1, 2, 3, 4
MINUTES = 47
MATCHES = 500
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
    """What everybody has on a server, by a count that shares no code with the bot's."""

    sums: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    met: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    days: Counter[object] = field(default_factory=Counter)

    def erase(self, person: int) -> None:
        """Forget somebody; what they had against others is gone with them."""
        self.sums.pop(person, None)
        self.met.pop(person, None)
        for met in self.met.values():
            met.pop(person, None)

    def book(self, result: MatchResult) -> None:
        """Book one more match of people alone."""
        players = result.players
        day = (result.ended_at.date(), frozenset(each.user_id for each in players))
        self.days[day] += 1
        for own in players:
            self._count(own, self.days[day])
        for own, other in permutations(players, 2):
            if own.side != other.side and own.played and other.played:
                assert own.user_id is not None
                assert other.user_id is not None
                self.met[own.user_id][other.user_id] += 1

    def _count(self, own: PlayerResult, nth: int) -> None:
        assert own.user_id is not None
        sums = self.sums[own.user_id]
        if own.gains or not own.won:
            sums["matches"] += 1
            sums["wins"] += own.won
            sums["streak"] = sums["streak"] + 1 if own.won else 0
        if own.gains:
            sums["points"] += own.points
            sums["escobas"] += own.escobas
            sums["season_points"] += (3 if own.won else 1) * (own.stayed and nth <= 3)


def some_match(random: Random, number: int, members: Sequence[int]) -> MatchResult:
    """A match of two, three, four or two pairs, which some leave, and some have a robot play for them."""
    sides, team = random.choice(((2, 1), (2, 1), (2, 1), (3, 1), (4, 1), (2, 2)))
    people = random.sample(members, sides * team)
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


def wrongly_rated(players: Sequence[Any]) -> list[str]:
    """What is wrong with the rating changes of a match, by openskill and the rules of who gains from whom."""
    model = PlackettLuce(mu=25, sigma=25 / 6, limit_sigma=True)
    last = max(each.side for each in players) + 2
    wrong: list[str] = []
    for own in players:
        sides: dict[int, list[Any]] = defaultdict(list)
        for each in players:
            sides[each.side].append(each)
        stayed = {side: [each.place for each in people if each.stayed] for side, people in sides.items()}
        places = {side: min(found, default=last + 5) for side, found in stayed.items()}
        if not own.stayed:
            places[own.side] = last + 5
        order = sorted(sides)
        teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in sides[side]] for side in order]
        rated = model.rate(teams, ranks=[float(places[side]) for side in order])
        whole = rated[order.index(own.side)][sides[own.side].index(own)]
        if abs(own.new_mu - own.mu - own.weight * (whole.mu - own.mu)) > 1e-9:
            wrong.append(f"{own} has another change")
        if not own.gains and own.new_mu > own.mu:
            wrong.append(f"{own} has gained")
        others = [each for each in players if each.side != own.side]
        if own.stayed and own.new_mu < own.mu and not any(each.gains for each in others):
            wrong.append(f"{own} has paid for nothing")
        if not own.stayed and whole.mu < own.mu and not own.weight and own.nth <= 3:
            wrong.append(f"{own} has left without a loss")
    if len(players) == 2 and all(each.stayed for each in players) and players[0].weight != players[1].weight:
        wrong.append(f"{players}: one has paid what the other hasn't gained")
    return wrong


@pytest.mark.parametrize("seed", range(dose("LEDGERS", 1)))
async def test_five_hundred_matches_come_to_what_another_count_says(
    store: Stores, database: str | Path, seed: int
) -> None:
    random, ledger, members = Random(seed), Ledger(), list(range(1, 13))
    for number in range(MATCHES):
        match = some_match(random, number, members)
        await add_finished_game(store, [match])
        ledger.book(match)
        if random.random() < 0.02:
            erased = members.pop(random.randrange(len(members)))
            await store.personal_data.forget(erased, Disguise(erased).rewriter, NOON)
            ledger.erase(erased)
            members.append(100 + number)
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
    names = ("result_id", "side", "place", "stayed", "gains", "mu", "sigma", "new_mu", "weight")
    query = (
        "SELECT result_id, side, place, stayed, gains, mu, sigma, new_mu, result_players.weight, nth"
        " FROM result_players JOIN results ON results.id = result_id ORDER BY result_id, seat"
    )
    of_match: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows(database, query):
        of_match[row[0]].append(SimpleNamespace(**dict(zip((*names, "nth"), row, strict=True))))
    whole = [players for players in of_match.values() if all(each.new_mu is not None for each in players)]
    assert len(whole) > MATCHES / 3
    assert [line for players in whole for line in wrongly_rated(players)] == []
