"""The last step of the first lesson: the end of a round, played against an easy computer, with advice at each turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from random import Random
from typing import Final

from bot.coach.facts import sweeps, table_after
from bot.coach.reasons import Brings, FewSweep, Reason, Sweeps, Unswept, Why
from bot.engine.cards import CardSet, Suit
from bot.engine.errors import EngineError
from bot.engine.events import Event, Laid
from bot.engine.facts import CardPlayed
from bot.engine.match import Match, replay
from bot.engine.moves import Move, Play
from bot.engine.notation import format_event, parse_event
from bot.engine.scoring import SEVEN_OF_OROS, Item
from bot.engine.views import SeatView, seat_view
from bot.players import Character, Level, choose
from bot.players.lookahead import Lookahead
from bot.training.rules.lessons import LEARNER, LessonStep, named

OPPONENT: Final = Character.LUCIA
"""The character who plays against the learner."""


@dataclass(frozen=True)
class LessonDeal:
    """A deal so far: the events since the step's position."""

    step: LessonStep
    events: tuple[Event, ...] = ()

    @classmethod
    def load(cls, step: LessonStep, state: str | None) -> LessonDeal:
        """Load the deal in a stored text; start a new one if another version has left a text that doesn't fit the
        step."""
        try:
            found = cls(step, tuple(map(parse_event, (state or "").splitlines())))
            return found if found.match.turn in (LEARNER, None) else cls(step)
        except EngineError:
            return cls(step)

    def dump(self) -> str:
        return "\n".join(map(format_event, self.events))

    @cached_property
    def match(self) -> Match:
        return replay(chain(map(parse_event, self.step.lines.splitlines()), self.events))

    @property
    def view(self) -> SeatView:
        """The learner's view."""
        return seat_view(self.match, LEARNER)

    @property
    def over(self) -> bool:
        return self.match.turn is None

    @property
    def swept(self) -> tuple[bool, bool]:
        """Whether the learner's latest move was an escoba, and whether the computer's answer to it was."""
        if not self.events or isinstance(self.events[-1], Laid):
            return False, False
        plays = [fact for fact in self.match.recent if isinstance(fact, CardPlayed)][-2:]
        own, other = ([fact.escoba for fact in plays if (fact.seat == LEARNER) is mine] for mine in (True, False))
        return any(own), any(other)

    def play(self, answer: str) -> LessonDeal | None:
        """Play a card or a capture, and the computer's answer to it; return None if that isn't possible.

        A card that takes in several ways is shown first, as at a table.
        """
        view = self.view
        moves = [move for move in view.moves if isinstance(move, Play)]
        of_card = [move for move in moves if move.card.notation == answer]
        if view.public.laid is None and len(of_card) > 1:
            return self._with(Laid(LEARNER, of_card[0].card))
        chosen = [move for move in moves if named(move) == answer] if view.public.laid is not None else of_card
        if not chosen:
            return None
        after = self._with(self.match.event_of(chosen[0]))
        while not after.over and after.match.turn != LEARNER:
            after = after._answered()
        return after

    def _with(self, event: Event) -> LessonDeal:
        return replace(self, events=(*self.events, event))

    def _answered(self) -> LessonDeal:
        """Make the computer's move, which is always the same after the same moves."""
        assert self.match.turn is not None, "there is a card to play"
        view = seat_view(self.match, self.match.turn)
        rng = Random(len(self.events))  # noqa: S311 - it has to be reproducible
        move = choose(view, Level.EASY, rng, character=OPPONENT)
        return self._with(self.match.event_of(move))


def advice(view: SeatView) -> tuple[Move, Why]:
    """Choose a good move, as the normal level does, and say what can be seen in the position that speaks for it."""
    move = Lookahead(view).moves[0]
    return move, Why(tuple(_reasons(view, move))[:1])


def _reasons(view: SeatView, move: Move) -> list[Reason]:
    found: list[Reason] = []
    if sweeps(view, move):
        found.append(Sweeps())
    gained = move.gained
    if SEVEN_OF_OROS in gained:
        found.append(Brings((Item.SEVEN_OF_OROS,), CardSet.of([SEVEN_OF_OROS])))
    elif oros := gained.of_suit(Suit.OROS):
        found.append(Brings((Item.OROS,), oros))
    if gained:
        found.append(Brings((Item.CARDS,), gained))
        return found
    left = table_after(view, move)
    if left.need is None:
        found.append(Unswept(left.total, None))
    elif not left.out:
        found.append(Unswept(left.total, left.need))
    else:
        found.append(FewSweep(left.total, left.out))
    return found
