"""Pairings for the next round."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from typing import Any, Final

from bot.tournaments.rules.log import ByeTaken, RoundPaired
from bot.tournaments.rules.matchpoints import percents
from bot.tournaments.rules.tournament import Format, Pairing, Tournament, TournamentRound

_BYE: Final = 0
"""The opponent of an entry that has a bye: no entry has this number."""
_WIDTHS: Final = (8, 16, 24, 48, 8, 24, 24)
"""Bits that each consideration of `_Costs` takes, added up over a round: the first weighs most."""


def draw(tournament: Tournament) -> RoundPaired:
    """Draw the next round. The same tournament always gets the same one.

    Raises ValueError if fewer than two entries are left.
    """
    numbers = in_play(tournament)
    if len(numbers) < 2:
        raise ValueError("a round needs at least two entries")
    match tournament.setup.format:
        case Format.SWISS | Format.DUPLICATE:
            couples = _swiss(tournament, numbers)
        case Format.ALL_PLAY_ALL:
            couples = _circle(tournament, numbers)
        case Format.KNOCKOUT:
            couples = _bracket(tournament, numbers)
    playing = [couple for couple in couples if _BYE not in couple]
    pairings = tuple(Pairing(table, *_seated(tournament, *couple)) for table, couple in enumerate(playing, 1))
    return RoundPaired(pairings, tuple(max(couple) for couple in couples if _BYE in couple))


def in_play(tournament: Tournament) -> tuple[int, ...]:
    """List the entries that the next round is drawn from, by number."""
    ready = [entry.number for entry in tournament.entries if not entry.withdrawn and tournament.complete(entry)]
    if tournament.rounds and tournament.setup.format is Format.ALL_PLAY_ALL:
        places = (*tournament.rounds[0].numbers, *_latecomer(tournament))
        return tuple(number for number in ready if number in places)
    if tournament.rounds and tournament.setup.format is Format.KNOCKOUT:
        return tuple(number for number in ready if number in advanced(tournament.rounds[-1]))
    return tuple(ready)


def advanced(round: TournamentRound) -> frozenset[int]:
    """Collect the entries that have won in a round or had a bye."""
    won = {
        (pairing.first, pairing.second)[outcome.winner]
        for pairing in round.pairings
        if (outcome := round.outcomes.get(pairing.table)) is not None and outcome.winner is not None
    }
    return frozenset(won | {*round.byes})


def knocked_out(tournament: Tournament, number: int) -> bool:
    """Whether an entry has lost in a knockout, or has withdrawn from any tournament."""
    return tournament.entry(number).withdrawn or beaten(tournament, number)


def beaten(tournament: Tournament, number: int) -> bool:
    """Whether an entry has lost in a knockout, or wasn't in it when its latest round was drawn."""
    if tournament.setup.format is not Format.KNOCKOUT or tournament.round is None:
        return False
    round = tournament.round
    waiting = {
        each
        for pairing in round.pairings
        if pairing.table not in round.outcomes
        for each in (pairing.first, pairing.second)
    }
    return number not in advanced(round) | waiting


def _lot(tournament: Tournament, *what: int) -> int:
    """Compute a number of 16 bits that stands for chance."""
    text = "/".join(map(str, (tournament.lot, *what)))
    return int.from_bytes(sha256(text.encode()).digest()[:2])


def _by_lot(tournament: Tournament, numbers: Sequence[int]) -> list[int]:
    return sorted(numbers, key=lambda number: (_lot(tournament, number), number))


def take_bye(tournament: Tournament, guest: int) -> ByeTaken | None:
    """Seat a late entry of a knockout with an entry that has a bye; None if no bye is free."""
    host = tournament.free_bye
    if host is None:
        return None
    table = len(tournament.rounds[0].pairings) + 1
    return ByeTaken(Pairing(table, *_seated(tournament, host, guest)))


def by_rating(tournament: Tournament, numbers: Collection[int], ratings: Mapping[int, float]) -> tuple[int, ...]:
    """Order entries from the highest rating to the lowest, a pair by the mean of its people; equal ones by lot."""

    def rating(number: int) -> float:
        people = tournament.entry(number).people
        return sum(ratings.get(person.id, 0.0) for person in people) / len(people)

    return tuple(sorted(_by_lot(tournament, sorted(numbers)), key=rating, reverse=True))


def _seated(tournament: Tournament, one: int, other: int) -> tuple[int, int]:
    """Put the one that is dealt to first in front: the one with fewer such matches, else not the one of last time."""

    def key(number: int) -> tuple[int, int, int]:
        seats = _seats(tournament, number)
        return sum(seats), (seats or [0])[-1], _lot(tournament, len(tournament.rounds), number)

    return (one, other) if key(one) <= key(other) else (other, one)


def _seats(tournament: Tournament, number: int) -> list[int]:
    """List 1 for each match so far in which the entry was dealt to first, and -1 for each other."""
    return [
        1 if pairing.first == number else -1
        for round in tournament.rounds
        for pairing in round.pairings
        if number in (pairing.first, pairing.second)
    ]


# -------------------------------------------------------------------------------------------------- Swiss


def _swiss(tournament: Tournament, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Find the couples whose total cost is lowest: see `_Costs`. Those with the most points come first."""
    from networkx import Graph, max_weight_matching  # imported here: it is slow, and most bots draw no round

    nodes = list(numbers) if len(numbers) % 2 == 0 else [*numbers, _BYE]
    costs = _Costs(tournament, numbers)
    graph: Graph[int, dict[str, Any], dict[str, Any]] = Graph()
    for one, other in combinations(nodes, 2):
        graph.add_edge(one, other, weight=(1 << sum(_WIDTHS)) - costs.of(one, other))
    couples = [(min(couple), max(couple)) for couple in max_weight_matching(graph, maxcardinality=True)]
    return sorted(couples, key=lambda couple: (-costs.points[couple[0]] - costs.points[couple[1]], couple))


class _Costs:
    """The objections to two entries playing each other, or to one having a bye."""

    def __init__(self, tournament: Tournament, numbers: Sequence[int]) -> None:
        self._tournament = tournament
        self.points = {_BYE: 0, **points(tournament)}
        self._fewest = min(self.points[number] for number in numbers)
        self._met: dict[tuple[int, int], int] = {}
        for round in tournament.rounds:
            couples = [(pairing.first, pairing.second) for pairing in round.pairings]
            for couple in (*couples, *((_BYE, number) for number in round.byes)):
                key = (min(couple), max(couple))
                self._met[key] = self._met.get(key, 0) + 1
        self._floats = _floats(tournament)
        self._seats = {number: sum(_seats(tournament, number)) for number in numbers}

    def of(self, one: int, other: int) -> int:
        """Compute the cost of a couple: each consideration in its own bits, the one that weighs most in front.

        1. Nobody has a second bye. 2. Nobody meets twice. 3. The bye goes to one of those with the fewest points.
        4. Opponents have equal points, or else as nearly equal as can be. 5. Nobody meets somebody with more points
        twice in a row, nor with fewer; a bye counts as fewer. 6. Two who have both been dealt to first more often than
        not, or less often, don't meet. 7. The lot.
        """
        low, high = min(one, other), max(one, other)
        met = self._met.get((low, high), 0)
        lot = _lot(self._tournament, len(self._tournament.rounds), low, high)
        if low == _BYE:
            spare = self.points[high] - self._fewest
            return _packed(met, 0, spare, 0, self._floats.get(high, 0) < 0, 0, lot)
        gap = self.points[low] - self.points[high]
        again = gap and (self._floats.get(low, 0) * gap < 0) + (self._floats.get(high, 0) * gap > 0)
        clash = max(0, self._seats[low] * self._seats[high])
        return _packed(0, met, 0, gap * gap, again, clash, lot)


def _packed(*costs: int) -> int:
    total = 0
    for cost, width in zip(costs, _WIDTHS, strict=True):
        total = (total << width) + cost
    return total


def points(tournament: Tournament) -> Mapping[int, int]:
    """Count the points by which equals are found: wins and byes, or with DUPLICATE hundredths of a percent."""
    numbers = [entry.number for entry in tournament.entries]
    if tournament.setup.format is Format.DUPLICATE:
        found = percents(tournament)
        return {number: round(100 * found[number]) for number in numbers}
    won = [advanced(round) for round in tournament.rounds]
    return {number: sum(number in winners for winners in won) for number in numbers}


def _floats(tournament: Tournament) -> dict[int, int]:
    """Map entries to 1 if they met somebody with more points in the latest round, -1 for fewer or a bye, else 0."""
    if tournament.round is None:
        return {}
    before = points(replace(tournament, rounds=tournament.rounds[:-1]))
    found = dict.fromkeys(tournament.round.byes, -1)
    for pairing in tournament.round.pairings:
        gap = before[pairing.second] - before[pairing.first]
        found[pairing.first] = (gap > 0) - (gap < 0)
        found[pairing.second] = -found[pairing.first]
    return found


# ------------------------------------------------------------------------------ all-play-all and knockout


def _circle(tournament: Tournament, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Keep one seat fixed and move the others on by one each round. An entry has a bye if its opponent isn't there.
    Somebody who comes late takes the seat that was empty."""
    starters = tournament.rounds[0].numbers if tournament.rounds else numbers
    circle = [*_by_lot(tournament, sorted(starters)), *_latecomer(tournament)]
    if len(circle) % 2:
        circle.append(_BYE)
    turn, last = len(tournament.rounds), len(circle) - 1
    couples = [(circle[last], circle[turn % last])]
    couples += [(circle[(turn + step) % last], circle[(turn - step) % last]) for step in range(1, len(circle) // 2)]
    here = [tuple(number if number in numbers else _BYE for number in couple) for couple in couples]
    return [(one, other) for one, other in here if one or other]


def _latecomer(tournament: Tournament) -> Sequence[int]:
    """The entry that has come late to an all-play-all in which somebody rests, if there is one."""
    late = tournament.latecomer if tournament.rounds and tournament.rounds[0].byes else None
    return () if late is None else (late,)


def _bracket(tournament: Tournament, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Give out the places of the first round by rating or by lot; they settle the opponents from then on. An entry
    without an opponent has a bye; the byes of the first round are spread over the bracket, and go to the first seeds.

    The first two seeds can meet only in the final, the first four not before the round before it, and so on.
    """
    hosts = dict(tournament.guests)
    starters = tournament.rounds[0].numbers - hosts.keys() if tournament.rounds else numbers
    drawn = tournament.seeds or _by_lot(tournament, sorted(starters))
    places = [0]
    while len(places) < len(drawn):
        places = [each for place in places for each in (place, 2 * len(places) - 1 - place)]
    done = len(tournament.rounds)
    groups = {drawn[place]: at >> (done + 1) for at, place in enumerate(places) if place < len(drawn)}
    groups |= {guest: groups[host] for guest, host in hosts.items()}
    found: dict[int, list[int]] = {}
    for number, group in groups.items():
        if number in numbers:
            found.setdefault(group, []).append(number)
    couples = [found[group] for group in sorted(found)]
    return [(couple[0], couple[1]) if len(couple) == 2 else (_BYE, couple[0]) for couple in couples]
