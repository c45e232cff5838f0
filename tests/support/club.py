"""An evening that a test can play: a tournament, the people of its entries, and random results."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.decide import decide
from bot.tournaments.rules.log import (
    Announced,
    Begin,
    CheckIn,
    Correct,
    DrawRound,
    Enter,
    JoinPartner,
    PlayAgain,
    Remove,
    Report,
    TournamentAction,
    TournamentEvent,
    Withdraw,
)
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Entry, Format, Outcome, Pairing, Setup, Tournament, TournamentStage

ORGANISER = Person(1_000, "Olga")


def person(number: int) -> Person:
    return Person(number, f"P{number}")


class RecordedTournament:
    """A tournament, and everything that has happened in it."""

    def __init__(self, format: Format = Format.SWISS, *, lot: int = 7, **setup: Any) -> None:
        self.announced = Announced(ORGANISER, Setup(format, **setup), lot)
        self.now: Tournament = begin(self.announced)
        self.log: list[TournamentEvent] = []

    def do(
        self,
        action: TournamentAction | Report,
        *,
        manages: bool = False,
        moderates: bool = True,
        running: Collection[int] = (),
    ) -> list[TournamentEvent]:
        events = decide(self.now, action, manages=manages, moderates=moderates, running=running)
        self.log += events
        self.now = apply_all(self.now, events)
        return events

    def refuses(self, code: TournamentRefusal, action: TournamentAction, *, manages: bool = False) -> None:
        with pytest.raises(Refusal) as refused:
            decide(self.now, action, manages=manages)
        assert refused.value.code is code

    def enter(self, *numbers: int) -> None:
        """Make an entry for each number; in pairs, the partner's number is a hundred higher."""
        for number in numbers:
            self.do(Enter(person(number)))
            if self.now.setup.pairs:
                self.do(JoinPartner(person(100 + number), len(self.now.entries)))

    def start(self, entries: int) -> RecordedTournament:
        self.enter(*range(1, entries + 1))
        self.do(Begin(ORGANISER))
        return self

    def check_in(self, *numbers: int) -> None:
        for number in numbers:
            self.do(CheckIn(person(number)))

    def report(self, table: int, outcome: Outcome) -> list[TournamentEvent]:
        round = self.now.round
        assert round is not None
        return self.do(Report(round.number, table, round.attempt(table), outcome))

    def win(self, winner: int, points: int = 15, against: int = 9) -> list[TournamentEvent]:
        """An entry wins its match of the latest round."""
        pairing = self.pairing_of(winner)
        first = pairing.first == winner
        return self.report(pairing.table, Outcome((points, against) if first else (against, points), 0 if first else 1))

    def forfeit(self, loser: int) -> list[TournamentEvent]:
        """An entry doesn't come to its match of the latest round."""
        pairing = self.pairing_of(loser)
        return self.report(pairing.table, Outcome((0, 0), 1 if pairing.first == loser else 0, forfeit=True))

    def pairing_of(self, entry: int) -> Pairing:
        round = self.now.round
        assert round is not None
        return next(each for each in round.pairings if entry in (each.first, each.second))

    def play_round(self, random: Random) -> None:
        """End the tables of the latest round that are still open, at random."""
        round = self.now.round
        assert round is not None
        for pairing in round.pairings:
            if pairing.table not in round.outcomes:
                self.report(pairing.table, some_outcome(self.now.setup, random))

    def play_on(self, random: Random) -> RecordedTournament:
        """Play the tournament to its end."""
        while self.now.stage is TournamentStage.PLAYING:
            self.play_round(random)
            if self.now.stage is TournamentStage.PLAYING:
                self.do(DrawRound(ORGANISER))
        return self

    def next_round(self) -> None:
        self.do(DrawRound(ORGANISER))

    def entry(self, number: int) -> Entry:
        return self.now.entry(number)


def some_outcome(setup: Setup, random: Random) -> Outcome:
    """A possible outcome of a match with this set-up."""
    if setup.format is Format.DUPLICATE:
        boards = tuple((random.randrange(7), random.randrange(7)) for _ in range(setup.boards))
        points = sum(board[0] for board in boards), sum(board[1] for board in boards)
        winner = None if points[0] == points[1] else int(points[1] > points[0])
        return Outcome(points, winner, board_points=boards)
    outcome = Outcome((setup.target + random.randrange(3), random.randrange(setup.target)), 0)
    return outcome if random.random() < 0.5 else replace(outcome, points=outcome.points[::-1], winner=1)


class Disorder:
    """An evening on which people come late, withdraw, come back and stay away, and the organiser makes corrections."""

    def __init__(self, evening: RecordedTournament, random: Random) -> None:
        self._evening, self._random = evening, random
        self._next = 500

    def play(self) -> None:
        evening, random = self._evening, self._random
        while evening.now.stage is TournamentStage.PLAYING:
            self._between()
            round = evening.now.round
            assert round is not None
            for pairing in round.pairings:
                evening.report(pairing.table, self._outcome(pairing))
            if evening.now.stage is TournamentStage.PLAYING and random.random() < 0.3:
                self._correct()
            if evening.now.stage is TournamentStage.PLAYING:
                self._between()
                evening.do(DrawRound(ORGANISER))

    def _between(self) -> None:
        evening, random = self._evening, self._random
        for entry in evening.now.entries:
            if not entry.people or entry.barred:
                continue
            if entry.withdrawn and random.random() < 0.1:
                self._try(Enter(entry.people[0]))
            elif not entry.withdrawn and random.random() < 0.03:
                self._try(Withdraw(entry.people[0]))
            elif not entry.withdrawn and random.random() < 0.01:
                self._try(Remove(ORGANISER, entry.number, disqualified=random.random() < 0.5))
        if random.random() < 0.3:
            self._next += 1
            self._try(Enter(person(self._next)))

    def _outcome(self, pairing: Pairing) -> Outcome:
        gone = [self._evening.entry(each).withdrawn for each in (pairing.first, pairing.second)]
        stays_away = [each or self._random.random() < 0.04 for each in gone]
        if not any(stays_away):
            return some_outcome(self._evening.now.setup, self._random)
        return Outcome(
            (self._random.randrange(9), self._random.randrange(9)),
            None if all(stays_away) else stays_away.index(False),
            forfeit=True,
        )

    def _correct(self) -> None:
        evening, random = self._evening, self._random
        round = random.choice(evening.now.rounds)
        if round.pairings:
            table = random.choice(round.pairings).table
            if round is evening.now.round:
                self._try(PlayAgain(ORGANISER, round.number, table))
                evening.report(table, some_outcome(evening.now.setup, random))
            self._try(Correct(ORGANISER, round.number, table, some_outcome(evening.now.setup, random)))

    def _try(self, action: TournamentAction) -> None:
        with suppress(Refusal):
            self._evening.do(action)
