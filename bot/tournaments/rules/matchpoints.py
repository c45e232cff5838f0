"""Comparison of results on the same boards by matchpoints: one for each result beaten in the same seat, half for an
equal one."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.tournaments.rules.tournament import Outcome, Tournament, TournamentRound

_AVERAGE: Final = Fraction(50)
_WITHOUT_FAULT: Final = Fraction(60)
"""The percentage for a board that wasn't played because the opponent left or didn't come."""


@dataclass(frozen=True, slots=True)
class BoardScore:
    """An entry's score for a board.

    Attributes:
        points: the entry's and the opponent's; None if the board wasn't played.
        percent: the matchpoints as a percentage of the most that are possible; 50 if there is nothing to compare with.
            If the board wasn't played because somebody left or didn't come, 0 for them and 60 for their opponent.
    """

    points: tuple[int, int] | None
    percent: Fraction


def seat_on(board: int, place: int) -> int:
    """Return the seat of a pairing's first entry (place 0) or second (1) on a board: 0 for the one that is dealt to
    first. They take turns."""
    return (place + board - 1) % 2


def round_scores(tournament: Tournament, round: TournamentRound) -> Mapping[int, tuple[BoardScore, ...]]:
    """Score the boards of a round for each entry, in order; empty until all tables of the round have ended."""
    if not round.over:
        return {}
    boards = range(1, tournament.setup.boards + 1)
    found = {number: (BoardScore(None, _AVERAGE),) * len(boards) for number in round.byes}
    differences: dict[tuple[int, int], list[int]] = {}
    for outcome in round.outcomes.values():
        for board, pair in enumerate(outcome.board_points, 1):
            for place in (0, 1):
                differences.setdefault((board, seat_on(board, place)), []).append(pair[place] - pair[1 - place])
    for pairing in round.pairings:
        outcome, two = round.outcomes[pairing.table], (pairing.first, pairing.second)
        for place in (0, 1):
            found[two[place]] = tuple(
                _score(board, place, outcome, differences.get((board, seat_on(board, place)), [])) for board in boards
            )
    return found


def _score(board: int, place: int, outcome: Outcome, differences: list[int]) -> BoardScore:
    if board > len(outcome.board_points):
        return BoardScore(None, _unplayed(outcome, place))
    pair = outcome.board_points[board - 1]
    own, top = pair[place] - pair[1 - place], len(differences) - 1
    beaten = sum(difference < own for difference in differences)
    equal = sum(difference == own for difference in differences) - 1
    percent = Fraction(50 * (2 * beaten + equal), top) if top else _AVERAGE
    return BoardScore((pair[place], pair[1 - place]), percent)


def _unplayed(outcome: Outcome, place: int) -> Fraction:
    if not outcome.forfeit:
        return _AVERAGE
    return _WITHOUT_FAULT if outcome.winner == place else Fraction(0)


def round_percents(tournament: Tournament, round: TournamentRound) -> Mapping[int, Fraction]:
    """Average each entry's scores over a round's boards; empty until all tables of the round have ended."""
    scores = round_scores(tournament, round)
    return {number: sum((score.percent for score in own), Fraction(0)) / len(own) for number, own in scores.items()}


def percents(tournament: Tournament) -> Mapping[int, Fraction]:
    """Average each entry's scores over the rounds that are over; a round that it missed counts as 0."""
    over = [round_percents(tournament, round) for round in tournament.rounds if round.over]
    return {
        entry.number: sum((found.get(entry.number, Fraction(0)) for found in over), Fraction(0)) / max(1, len(over))
        for entry in tournament.entries
    }
