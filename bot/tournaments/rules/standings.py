"""The order of entries in a tournament: scores and tie-breaks, each with the parts that add up to it."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final

from bot.tournaments.rules.matchpoints import round_percents
from bot.tournaments.rules.pairings import advanced, knocked_out
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Tournament, TournamentRound, TournamentStage


class TieBreak(StrEnum):
    """The values that decide between entries with the same score, in this order."""

    DIFFERENCE = "difference"
    """Points made minus points conceded. A bye counts 0. If a match wasn't played to its end, the winner keeps a lead
    and never gets less than 0; the loser has lost by the target, or by more if they were further behind. So has whoever
    had withdrawn, in each round without them. With DUPLICATE, which has no target, a lead doesn't help the loser."""
    DIRECT = "direct"
    """Wins over those who are still equal, if all of them have played each other."""
    BUCHHOLZ = "buchholz"
    """The scores of all opponents. For a bye or a match that wasn't played to its end, the entry's own score counts."""


TIE_BREAKS: Final = tuple(TieBreak)


@dataclass(frozen=True, slots=True)
class SumPart:
    """One number of a sum. `opponent`: the entry it was made against; None with a bye, or in a missed round."""

    round: int
    opponent: int | None
    value: Fraction


@dataclass(frozen=True, slots=True)
class Sum:
    """A number, as the sum of its parts."""

    parts: tuple[SumPart, ...] = ()

    @property
    def total(self) -> Fraction:
        return sum((part.value for part in self.parts), Fraction(0))


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """The place of an entry.

    Attributes:
        rank: from 1; equal entries share one, and the rank after theirs is higher by as many as they are.
        entry: its number.
        score: wins and byes; with DUPLICATE the percentage over all rounds that are over, and with KNOCKOUT the
            number of rounds that it has survived.
        wins: matches that it has won, forfeits included, byes not.
        losses: matches that it has lost.
        rounds: the parts of each round: 1 for a win or a bye, else 0, without the rounds that the entry wasn't in; with
            DUPLICATE the percentage of each round that counts, 0 for one that the entry wasn't in.
        ties: the tie-breaks; none with KNOCKOUT.
    """

    rank: int
    entry: int
    score: Fraction
    wins: int
    losses: int
    rounds: Sum
    ties: Mapping[TieBreak, Sum]


@dataclass(frozen=True, slots=True)
class _Game:
    """A match, or a bye, as seen by one entry."""

    round: int
    opponent: int | None
    place: int = 0
    outcome: Outcome | None = None

    @property
    def won(self) -> bool:
        return self.outcome is None or self.outcome.winner == self.place

    @property
    def lost(self) -> bool:
        """A draw is neither won nor lost."""
        return not self.won and (self.outcome is None or self.outcome.forfeit or self.outcome.winner is not None)

    @property
    def played(self) -> bool:
        return self.outcome is not None and not self.outcome.forfeit

    def difference(self, target: int) -> int:
        """See `TieBreak.DIFFERENCE`."""
        if self.outcome is None:
            return 0
        made = self.outcome.points[self.place] - self.outcome.points[1 - self.place]
        if self.outcome.forfeit:
            return max(0, made) if self.won else min(-target, made)
        return made


def standings(tournament: Tournament) -> tuple[EntryStanding, ...]:
    """Rank all entries that are or were in play, the best first; none before the first round is drawn.

    Matches that have ended count; with DUPLICATE, only those of rounds whose tables have all ended. An entry that came
    late is behind all others until it has played one. The disqualified share a rank behind all others.
    """
    if tournament.setup.format is Format.KNOCKOUT:
        return _knockout(tournament)
    duplicate = tournament.setup.format is Format.DUPLICATE
    counted = [round for round in tournament.rounds if round.over or not duplicate]
    games = {number: _games(counted, number) for number in _listed(tournament)}
    if duplicate:
        percents = [(round.number, round_percents(tournament, round)) for round in counted]
        sums = {
            number: Sum(
                tuple(SumPart(at, _opponent(games[number], at), own.get(number, Fraction(0))) for at, own in percents)
            )
            for number in games
        }
        scores = {number: own.total / max(1, len(counted)) for number, own in sums.items()}
    else:
        sums = {number: _wins(own) for number, own in games.items()}
        scores = {number: own.total for number, own in sums.items()}
    out = _disqualified(tournament)
    missed = {number: [] if duplicate else _missed(counted, number) for number in games}
    ties = _ties(games, missed, scores, 0 if duplicate else tournament.setup.target, out)

    untried = {number for number, own in games.items() if not own and tournament.entry(number).from_round > 1}
    keys = {
        number: (number in untried, -scores[number], *(-own[kind].total for kind in TIE_BREAKS))
        for number, own in ties.items()
    }
    ranked = sorted(games, key=lambda number: (number in out, keys[number], number))
    stayed = len(games.keys() - out)
    return tuple(
        _standing(min(rank, stayed + 1), number, scores[number], games[number], sums[number], ties[number])
        for rank, number in _ranks(ranked, {number: (number in out, key) for number, key in keys.items()})
    )


def podium(tournament: Tournament) -> tuple[EntryStanding, ...]:
    """List the first three ranks of a finished tournament. In a knockout, those who lost in the round before the final
    share the third; entries that have withdrawn keep what they have reached, and the disqualified don't."""
    if tournament.stage is not TournamentStage.FINISHED:
        return ()
    out = _disqualified(tournament)
    return tuple(standing for standing in standings(tournament) if standing.rank <= 3 and standing.entry not in out)


def _disqualified(tournament: Tournament) -> set[int]:
    return {entry.number for entry in tournament.entries if entry.gone is Gone.DISQUALIFIED}


def _listed(tournament: Tournament) -> list[int]:
    """List the entries that are or were in play."""
    if not tournament.rounds:
        return []
    return [
        entry.number
        for entry in tournament.entries
        if tournament.took_part(entry) or (tournament.complete(entry) and not entry.withdrawn)
    ]


def _games(rounds: Sequence[TournamentRound], number: int) -> list[_Game]:
    """List the byes of an entry and its matches that have ended, by round."""
    found: list[_Game] = []
    for round in rounds:
        if number in round.byes:
            found.append(_Game(round.number, None))
        for pairing in round.pairings:
            two = (pairing.first, pairing.second)
            outcome = round.outcomes.get(pairing.table)
            if number in two and outcome is not None:
                place = two.index(number)
                found.append(_Game(round.number, two[1 - place], place, outcome))
    return found


def _missed(rounds: Sequence[TournamentRound], number: int) -> list[int]:
    """List the rounds that were drawn without an entry that had been in an earlier one: it had withdrawn."""
    there = [round.number for round in rounds if number in round.numbers]
    return [round.number for round in rounds if there and round.number > there[0] and round.number not in there]


def _wins(games: Sequence[_Game]) -> Sum:
    return Sum(tuple(SumPart(game.round, game.opponent, Fraction(game.won)) for game in games))


def _opponent(games: Sequence[_Game], round: int) -> int | None:
    return next((game.opponent for game in games if game.round == round), None)


def _standing(
    rank: int,
    number: int,
    score: Fraction,
    games: Sequence[_Game],
    rounds: Sum,
    ties: Mapping[TieBreak, Sum],
) -> EntryStanding:
    wins = sum(game.won and game.opponent is not None for game in games)
    return EntryStanding(rank, number, score, wins, sum(game.lost for game in games), rounds, ties)


def _ranks(ordered: Sequence[int], keys: Mapping[int, object]) -> list[tuple[int, int]]:
    """Pair each entry with its rank; entries with equal keys share a rank."""
    found: list[tuple[int, int]] = []
    for _, group in groupby(ordered, lambda number: keys[number]):
        rank = len(found) + 1
        found += [(rank, number) for number in group]
    return found


def _ties(
    games: Mapping[int, Sequence[_Game]],
    missed: Mapping[int, Sequence[int]],
    scores: Mapping[int, Fraction],
    target: int,
    out: Set[int],
) -> dict[int, dict[TieBreak, Sum]]:
    differences: dict[int, Sum] = {}
    for number, own in games.items():
        parts = [SumPart(game.round, game.opponent, Fraction(game.difference(target))) for game in own]
        parts += [SumPart(at, None, Fraction(-target)) for at in missed[number]]
        differences[number] = Sum(tuple(sorted(parts, key=lambda part: part.round)))
    equals: dict[tuple[bool, Fraction, Fraction], set[int]] = {}
    for number in games:
        equals.setdefault((number in out, scores[number], differences[number].total), set()).add(number)
    return {
        number: {
            TieBreak.DIFFERENCE: differences[number],
            TieBreak.DIRECT: _direct(games, number, equals[number in out, scores[number], differences[number].total]),
            TieBreak.BUCHHOLZ: _buchholz(own, scores, scores[number]),
        }
        for number, own in games.items()
    }


def _direct(games: Mapping[int, Sequence[_Game]], number: int, equal: set[int]) -> Sum:
    for tied in equal:
        if not equal - {tied} <= {game.opponent for game in games[tied]}:
            return Sum()
    return Sum(
        tuple(
            SumPart(game.round, game.opponent, Fraction(game.won)) for game in games[number] if game.opponent in equal
        )
    )


def _buchholz(games: Sequence[_Game], scores: Mapping[int, Fraction], own: Fraction) -> Sum:
    return Sum(
        tuple(
            SumPart(
                game.round,
                game.opponent,
                scores[game.opponent] if game.played and game.opponent is not None else own,
            )
            for game in games
        )
    )


def _knockout(tournament: Tournament) -> tuple[EntryStanding, ...]:
    """Rank by the rounds survived: entries that are still in share the first rank, and those that are out get the best
    rank of all who lost in the same round: 2 in the final, 3 before it, then 5, 9, ..."""
    games = {number: _games(tournament.rounds, number) for number in _listed(tournament)}
    survived = Counter(number for round in tournament.rounds for number in advanced(round))
    out = _disqualified(tournament)

    def rank(number: int) -> int:
        left = tournament.planned - survived[number]
        return 2 ** (left - 1) + 1 if left and knocked_out(tournament, number) else 1

    ranks = {number: rank(number) for number in games.keys() - out}
    last = max([len(ranks), *ranks.values()]) + 1
    return tuple(
        _standing(ranks.get(number, last), number, Fraction(survived[number]), games[number], _wins(games[number]), {})
        for number in sorted(games, key=lambda number: (ranks.get(number, last), number))
    )
