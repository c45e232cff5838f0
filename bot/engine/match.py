"""A match: rounds until the target is reached, or a fixed number of them, built from events.

Here every round is played with an unshuffled deck:

>>> from bot.engine.cards import DECK
>>> from bot.engine.events import MatchStarted, RoundDealt
>>> from bot.engine.match import replay, start
>>> from bot.engine.rules import Rules, Seating
>>> from bot.engine.moves import Stage
>>> events = [MatchStarted(Rules(target=11), Seating.TWO, dealer=0)]
>>> match = start(events[0])
>>> while match.stage is not Stage.OVER:
...     dealing = match.stage is Stage.TO_DEAL
...     events.append(RoundDealt(DECK) if dealing else match.event_of(match.legal_moves()[0]))
...     match = match.apply(events[-1])
>>> [score.points for score in match.scores]
[(1, 4), (4, 1), (1, 4), (4, 1), (1, 4)]
>>> match.totals, match.winner
((11, 14), 1)
>>> replay(events) == match  # that is how a match is restored
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.engine.cards import Card
from bot.engine.errors import IllegalMove, RuleCode
from bot.engine.events import Claimed, Event, Laid, MatchStarted, Played, RoundDealt, Sang
from bot.engine.facts import CardLaid, Fact, MatchWon, RoundBegan, RoundScored
from bot.engine.moves import Claim, Move, Places, Play, Sing, Stage, placed
from bot.engine.round import Round, deal_round
from bot.engine.rules import Duty, Rules, Seating
from bot.engine.scoring import RoundScore

RECENT = 8
"""Recent facts that a match keeps for players who weren't watching: more than one turn for each of six players."""


Hearer = Callable[[tuple[Fact, ...], int, Round], None]
"""Is told what came of an event: its facts, without the score, the number of the round, and the round after it."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match after `version` events; `facts` are what happened in the latest one.

    `scores` are those of the rounds played so far, `totals` the points of each side, `round` the latest round. `recent`
    holds the round's last few facts, for a player who wasn't watching. `places` is where the table cards lie. `winner`
    is None until the match is over, and with `rules.rounds` also after a draw.
    """

    rules: Rules
    seating: Seating
    dealer: int
    version: int = 1
    round: Round | None = None
    scores: tuple[RoundScore, ...] = ()
    totals: tuple[int, ...] = ()
    escobas: tuple[int, ...] = ()
    winner: int | None = None
    facts: tuple[Fact, ...] = ()
    recent: tuple[Fact, ...] = ()
    places: Places = ()

    @property
    def stage(self) -> Stage:
        """The next thing that the match waits for."""
        if self.over:
            return Stage.OVER
        return Stage.TO_DEAL if self.round is None or self.round.score is not None else Stage.TO_PLAY

    @property
    def over(self) -> bool:
        """Whether the match was won, or all of its fixed number of rounds were played."""
        return self.winner is not None or 0 < self.rules.rounds <= len(self.scores)

    @property
    def round_number(self) -> int:
        """The number of the latest round, from 1, or 0 before the first."""
        return len(self.scores) + (self.stage is Stage.TO_PLAY)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None when no card can be played."""
        return self.round.turn if self.round is not None and self.round.score is None else None

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move of the current player; empty when no card can be played."""
        return () if self.round is None else self.round.legal_moves()

    def event_of(self, move: Move) -> Played | Claimed | Sang:
        """The event that records `move` by the current player.

        Raises:
            IllegalMove: if no card can be played now.
        """
        turn = self.turn
        if turn is None:
            raise IllegalMove(RuleCode.NO_ROUND)
        match move:
            case Play(card, captured):
                return Played(turn, card, captured)
            case Claim(captured):
                return Claimed(turn, captured)
            case Sing():
                return Sang(turn)

    @property
    def forced(self) -> Played | None:
        """The current player's only legal move; None if there is a choice, or if it could hide one.

        Where capturing isn't compulsory, a last card that isn't played at once would tell of a capture or of a claim.
        """
        if self.rules.duty is not Duty.COMPULSORY or self.turn is None:
            return None
        match self.legal_moves():
            case (Play(card, captured),):
                return Played(self.turn, card, captured, forced=True)
            case _:
                return None

    def apply(self, event: Event) -> Match:
        """The match after one more event.

        Raises:
            IllegalMove: if the rules don't allow the event now.
        """
        return self.apply_all((event,))

    def apply_all(self, events: Iterable[Event], hear: Hearer | None = None) -> Match:
        """The match after several events: the same as repeated `apply`, but builds only the final value.

        Args:
            events: what happens, in order.
            hear: is told after each event what came of it.

        Raises:
            IllegalMove: if the rules don't allow one of the events at that point.
        """
        match = self
        now = self.round
        changed = False
        version, places = self.version, self.places
        facts: tuple[Fact, ...] = self.facts
        recent: tuple[Fact, ...] = self.recent
        for event in events:
            if isinstance(event, RoundDealt):
                now, facts = match._dealt(now, event.deck)
                recent, places = facts, placed((), now.table)
            else:
                now, facts = match._moved(now, event)
                if recent and isinstance(recent[-1], CardLaid):
                    recent = recent[:-1]  # the fact that follows says what became of that card
                recent, places = (*recent, *facts)[-RECENT:], placed(places, now.table)
            if hear is not None:
                hear(facts, len(match.scores) + 1, now)
            version, changed = version + 1, True
            if now.score is not None:
                match = replace(match, version=version, round=now, facts=facts, recent=recent, places=places)
                match, changed = match._scored(now, now.score), False
        if not changed:
            return match
        return replace(match, version=version, round=now, facts=facts, recent=recent, places=places)

    def _dealt(self, before: Round | None, deck: tuple[Card, ...]) -> tuple[Round, tuple[Fact, ...]]:
        if self.over:
            raise IllegalMove(RuleCode.MATCH_OVER)
        if before is not None and not before.over:
            raise IllegalMove(RuleCode.ROUND_RUNNING)
        dealer = (self.dealer + len(self.scores)) % self.seating.seats
        begun, facts = deal_round(self.rules, self.seating, dealer, deck)
        return begun, (RoundBegan(len(self.scores) + 1, dealer), *facts)

    def _moved(self, before: Round | None, event: Event) -> tuple[Round, tuple[Fact, ...]]:
        if isinstance(event, MatchStarted | RoundDealt):
            raise IllegalMove(RuleCode.ROUND_RUNNING)
        if self.over:
            raise IllegalMove(RuleCode.MATCH_OVER)
        if before is None or before.over:
            raise IllegalMove(RuleCode.NO_ROUND)
        match event:
            case Played(seat, card, captured, forced):
                return before.play(seat, card, captured, forced=forced)
            case Laid(seat, card):
                return before.lay(seat, card)
            case Claimed(seat, captured):
                return before.claim(seat, captured)
            case Sang(seat):
                return before.sing(seat)

    def _scored(self, played: Round, score: RoundScore) -> Match:
        """Add the round's points. The highest total at or over the target wins, if it is far enough ahead of the next
        one; if not, play goes on (decisions 11, 16).

        In a match of a fixed number of rounds, the highest total after the last one wins, unless there is a tie for it.
        """
        totals = tuple(map(sum, zip(self.totals, score.points, strict=True)))
        *_, second, top = sorted(totals)
        if rounds := self.rules.rounds:
            won = len(self.scores) + 1 >= rounds and top > second
        else:
            won = top >= self.rules.target and top - second >= self.rules.lead
        facts: tuple[Fact, ...] = (*self.facts, RoundScored(len(self.scores) + 1, score))
        return replace(
            self,
            scores=(*self.scores, score),
            totals=totals,
            escobas=tuple(map(sum, zip(self.escobas, played.escobas, strict=True))),
            winner=totals.index(top) if won else None,
            facts=(*facts, MatchWon(totals.index(top))) if won else facts,
        )


def start(event: MatchStarted) -> Match:
    """The match that begins with `event`.

    Raises:
        IllegalMove: if the rules don't fit the seating, or there is no such dealer.
    """
    if event.rules.conflicts(event.seating) or not 0 <= event.dealer < event.seating.seats:
        raise IllegalMove(RuleCode.BAD_RULES)
    zeros = (0,) * event.seating.sides
    return Match(event.rules, event.seating, event.dealer, totals=zeros, escobas=zeros)


def replay(events: Iterable[Event]) -> Match:
    """The match after `events`, from the first one on.

    Raises:
        IllegalMove: if the first isn't a `MatchStarted`, or a later one isn't legal at that point.
    """
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, MatchStarted):
        raise IllegalMove(RuleCode.NO_ROUND)
    return start(first).apply_all(rest)
