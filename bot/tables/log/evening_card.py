"""The facts of an evening that is over, from the logs of its matches."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.engine.events import Event, MatchStarted
from bot.engine.highlights import Feat
from bot.engine.match import Match
from bot.engine.story import MomentKind, course_of, moments_of
from bot.platform.people import told_apart
from bot.tables.log.codec import LOG
from bot.tables.log.evenings import PastMatch, Score
from bot.tables.log.events import LogEvent
from bot.tables.log.seats import Seat
from bot.tables.log.votes import Votes, foreseen


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """A match of an evening: who sat there at its end, its last state, its escoba of the most cards, if it had one, and
    each seat's escobas."""

    past: PastMatch
    seats: tuple[Seat, ...]
    match: Match
    sweep: Feat | None
    escobas: tuple[int, ...]

    @classmethod
    def of(cls, past: PastMatch, events: Sequence[LogEvent]) -> Self:
        """Read a match from its log. It is played again, which takes some hundredths of a second."""
        begun = next(place for place, event in enumerate(events) if isinstance(event, MatchStarted))
        moments = moments_of(event for event in events[begun:] if isinstance(event, Event))
        sweep = next((moment.feat for moment in moments if moment.kind is MomentKind.ESCOBA), None)
        state = LOG.fold(events)
        assert state.match is not None, "it was played"
        assert state.highlights is not None, "a match has highlights"
        return cls(past, state.seats, state.match, sweep, state.highlights.escobas)

    def holders(self, side: int) -> tuple[Seat, ...]:
        return tuple(self.seats[seat] for seat in self.match.seating.seats_of(side))

    @property
    def behind(self) -> int:
        """The most points that its winner was behind after a round; 0 if nobody has won, or not by points."""
        winner = self.past.outcome.winner
        return course_of(self.match)[2] if winner is not None and winner == self.match.winner else 0


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening that is over. Seats stand for their holders; robots count like people, except in scores.

    Attributes:
        matches: its matches, the earliest first.
        scores: for each group of people who have played each other, the holders of the seats of each side, and the
            score between them.
        kings: those who have won the most matches; nobody if all have won equally many.
        sweep: the escoba of the most cards, among equals the most valuable, then the earliest; None if there was none.
        sweeper: whose it was.
        sweepers: those with the most escobas, of which each has `escobas`; nobody if all have equally many.
        behind: the most points that a match's winners had been behind after a round, and won all the same.
        risen: those winners; of several matches those of the earliest.
        seers: the users who were right about who wins a round of it, those most often right first.
    """

    matches: tuple[ToldMatch, ...]
    scores: tuple[tuple[tuple[tuple[Seat, ...], ...], Score], ...]
    kings: tuple[Seat, ...]
    sweep: Feat | None
    sweeper: Seat | None
    sweepers: tuple[Seat, ...]
    escobas: int
    behind: int
    risen: tuple[Seat, ...]
    seers: tuple[int, ...]

    @classmethod
    def of(cls, told: Iterable[ToldMatch], votes: Mapping[int, Votes]) -> Self:
        """Sum up an evening's matches, the earliest first; there is at least one. `votes`: by game, those about it."""
        matches = _with_names(tuple(told))
        holders = {_key(seat): seat for each in matches for seat in each.seats}
        wins, escobas = Counter(dict.fromkeys(holders, 0)), Counter(dict.fromkeys(holders, 0))
        for each in matches:
            wins.update(
                _key(seat)
                for seat in (() if each.past.outcome.winner is None else each.holders(each.past.outcome.winner))
            )
            for seat, count in zip(each.seats, each.escobas, strict=True):
                escobas[_key(seat)] += count
        swept = max(matches, key=_sweep)
        sweep = swept.sweep
        comeback = max(matches, key=lambda each: each.behind)
        behind, winner = comeback.behind, comeback.past.outcome.winner
        return cls(
            matches,
            tuple(_scores(matches)),
            tuple(holders[key] for key in _most(wins)),
            sweep,
            None if sweep is None else swept.seats[sweep.seat],
            tuple(holders[key] for key in _most(escobas)),
            max(escobas.values()),
            behind,
            comeback.holders(winner) if behind and winner is not None else (),
            foreseen((each.match.scores, votes.get(each.past.game_id, {})) for each in matches),
        )


def _key(seat: Seat) -> Hashable:
    return seat.name if seat.person_id is None else seat.person_id


def _with_names(matches: tuple[ToldMatch, ...]) -> tuple[ToldMatch, ...]:
    """The matches with the latest name of everybody, where namesakes are told apart."""
    latest = {_key(seat): seat for each in matches for seat in each.seats}
    names = {key: seat.name for key, seat in zip(latest, told_apart(list(latest.values())), strict=True)}
    return tuple(
        replace(each, seats=tuple(replace(seat, name=names[_key(seat)]) for seat in each.seats)) for each in matches
    )


def _scores(matches: Sequence[ToldMatch]) -> Iterable[tuple[tuple[tuple[Seat, ...], ...], Score]]:
    groups = {frozenset(each.past.outcome.sides): each for each in matches if all(each.past.outcome.sides)}
    for each in groups.values():
        score = Score.between(each.past.outcome.sides, [other.past.outcome for other in matches])
        yield tuple(each.holders(side) for side in range(len(each.past.outcome.sides))), score


def _most(counts: Counter[Hashable]) -> list[Hashable]:
    """List everybody with the highest count; nobody if all are equal."""
    most, least = max(counts.values()), min(counts.values())
    return [key for key, count in counts.items() if count == most > least]


def _sweep(each: ToldMatch) -> tuple[int, int]:
    return (0, 0) if each.sweep is None else (len(each.sweep.cards), each.sweep.worth)
