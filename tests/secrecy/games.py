"""Games at a random moment and the next steps of their players: made with the engine alone, before any bot starts."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Literal

from bot.engine.cards import DECK, Card, CardSet
from bot.engine.events import Laid, MatchStarted, RoundDealt
from bot.engine.match import Match
from bot.engine.moves import Move, Play, Stage
from bot.engine.rules import Duty, Seating
from bot.platform.language.catalogues import words
from bot.platform.people import Person
from bot.players import PERSONAS, Character
from bot.tables.log.codec import fold
from bot.tables.log.events import ComputerAdded, Config, Joined, LogEvent, Opened, Phase, Presence, PresenceChanged
from bot.tables.log.state import TableState
from bot.tables.words.characters import remark
from tests.support.tables.bare import bare_table

NAMES = ("Ana", "Bea", "Ciro", "Dora", "Elio", "Flor")
_MOST_EVENTS = 150
What = Literal["start", "deal", "move", "computer"]


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing to do: the seat and its move. `groups`: how many captures the card has to choose from."""

    what: What
    seat: int = 0
    move: Move | None = None
    groups: int = 0

    def __str__(self) -> str:
        return self.what if self.move is None else f"{self.what} {self.move}"


@dataclass(slots=True)
class Game:
    """A game at some moment, with the steps that follow and the state after them.

    `decks`: the deck of each round. `end`: the state after the steps, as far as it can be predicted, which excludes a
    computer's moves.
    """

    number: int
    events: list[LogEvent]
    people: list[int | None]
    decks: Callable[[int], tuple[Card, ...]]
    steps: list[Step] = field(default_factory=list)
    end: TableState | None = None

    @property
    def dealer(self) -> int:
        """The seat that deals first."""
        return self.number % len(self.people)

    @property
    def state(self) -> TableState:
        """The state at its moment."""
        return fold(self.events)

    @property
    def speaks(self) -> bool:
        """Whether a character says something at its moment."""
        return _spoken(self.number + 1, self.state, Random())


def same_deck(seed: object) -> Callable[[int], tuple[Card, ...]]:
    """Decks that depend only on a seed and the round."""
    return lambda number: tuple(Random(f"{seed}/{number}").sample(DECK, len(DECK)))


# ------------------------------------------------------------------------------------------------ moments

Moment = Callable[[TableState, Random], bool]


def _anywhere(state: TableState, rng: Random) -> bool:
    return rng.random() < 0.06


def _laid(state: TableState, rng: Random) -> bool:
    return state.match is not None and state.match.round is not None and state.match.round.laid is not None


def _missed(state: TableState, rng: Random) -> bool:
    return state.match is not None and state.match.round is not None and state.match.round.claimable is not None


def _between_rounds(state: TableState, rng: Random) -> bool:
    return state.match is not None and state.match.stage is Stage.TO_DEAL and bool(state.match.scores)


def _before_a_deal(state: TableState, rng: Random) -> bool:
    now = state.match and state.match.round
    return bool(now) and sum(map(len, now.hands)) == 1 and now.dealt < len(DECK)


def _near_the_end(state: TableState, rng: Random) -> bool:
    now = state.match and state.match.round
    return bool(now) and now.dealt == len(DECK) and rng.random() < 0.15


def _spoken(game_id: int, state: TableState, rng: Random) -> bool:
    return state.match is not None and remark(replace(bare_table(state).view(), id=game_id), words("en")) is not None


def _dealt(state: TableState, rng: Random) -> bool:
    return state.match is not None and state.match.stage is Stage.TO_PLAY


MOMENTS: tuple[Moment, ...] = (
    _anywhere,
    _laid,
    _before_a_deal,
    _missed,
    _between_rounds,
    _anywhere,
    _near_the_end,
    _dealt,
)
"""The moments at which games are inspected. A game that never reaches its moment is inspected where it has got to."""


# ------------------------------------------------------------------------------------------------ making


def lobby(rng: Random, number: int, channel_id: int, preset: str, seating: Seating, *, computers: int) -> Game:
    """A lobby with all seats taken, some of them by computers."""
    target = rng.choice((5, 101, 101))
    usual = Config.of_preset(preset, target=target)
    config = Config(usual.preset, usual.rules, seating.in_teams, max(usual.capacity, seating.seats))
    sits = [True, *rng.sample([True] * (seating.seats - 1 - computers) + [False] * computers, seating.seats - 1)]
    people = [10 * channel_id + seat if person else None for seat, person in enumerate(sits)]
    events: list[LogEvent] = []
    for seat, person_id in enumerate(people):
        if person_id is None:
            character = rng.choice(list(Character))
            events.append(ComputerAdded(PERSONAS[character].name, PERSONAS[character].level, character))
        else:
            person = Person(person_id, NAMES[seat])
            events.append(Joined(person) if events else Opened(person, config))
    return Game(number, events, people, same_deck(f"{rng.random()}"))


def begin(game: Game, rng: Random, *, speaks: bool = False) -> None:
    """Start the match and play random moves until a random kind of moment, or until a character `speaks`."""
    game.events += _events_of(game, Step("start"), game.state)
    wanted = rng.choice(MOMENTS)
    if speaks:
        wanted = partial(_spoken, game.number + 1)
    state = game.state
    while not wanted(state, rng) and state.phase is Phase.PLAYING and len(game.events) < _MOST_EVENTS:
        step = next_step(state, rng, foreseen=False)
        if speaks and (sweep := _sweep(state)) is not None:
            step = replace(step, move=sweep)
        for event in _events_of(game, step, state, lays=not speaks)[:1]:
            state = state.apply(event)
            if state.phase is not Phase.PLAYING:
                return  # restarts don't bring back a finished match: the end is the next thing to happen
            game.events.append(event)


def leave_alone(game: Game, seat: int, presence: Presence = Presence.AWAY) -> None:
    """Have a computer play for a seat: until its player clicks or, if they have left, to the end."""
    game.events.append(PresenceChanged(seat, presence))


def plan(game: Game, rng: Random, count: int, *, deals_first: bool = False, deals_last: bool = False) -> None:
    """Plan the next `count` steps, and a computer's move if it is its turn then.

    Nothing is planned after that move, because it can't be predicted. `deals_first`, `deals_last`: enough time passes
    before or after the steps for a pending round to be dealt automatically.
    """
    state = game.state
    if deals_first:
        state = _dealt_by_itself(game, state)
    while state.open:
        step = next_step(state, rng)
        if step.what == "computer":
            game.steps.append(step)
        if step.what == "computer" or len(game.steps) == count:
            break
        game.steps.append(step)
        for event in _events_of(game, step, state):
            state = state.apply(event)
    game.end = _dealt_by_itself(game, state) if deals_last else state


def _dealt_by_itself(game: Game, state: TableState) -> TableState:
    match = state.match
    if match is None or match.stage is not Stage.TO_DEAL:
        return state
    return state.apply(RoundDealt(game.decks(match.round_number + 1)))


def next_step(state: TableState, rng: Random, *, foreseen: bool = True) -> Step:
    """What comes next at a table: for a move, any legal one. `foreseen`: leave a computer's move to the computer."""
    match = state.match
    people = [index for index, seat in enumerate(state.seats) if seat.human_here]
    if match is None or match.stage is Stage.TO_DEAL:
        return Step("deal" if match is not None else "start", rng.choice(people or [0]))
    assert match.turn is not None
    if foreseen and not state.seats[match.turn].human_here:
        return Step("computer", match.turn)
    move = rng.choice(match.legal_moves())
    groups = _groups(match, move) if isinstance(move, Play) else 0
    return Step("move", match.turn, move, groups)


def _sweep(state: TableState) -> Move | None:
    """A move that takes the whole table, if there is one."""
    match = state.match
    if match is None or match.turn is None or match.round is None or not match.round.table:
        return None
    return next((move for move in match.legal_moves() if move.captured == match.round.table), None)


def _groups(match: Match, move: Play) -> int:
    return sum(isinstance(other, Play) and other.card is move.card for other in match.legal_moves())


def _events_of(game: Game, step: Step, state: TableState, *, lays: bool = False) -> list[LogEvent]:
    match = state.match
    if step.what == "start":
        seating = state.config.seating(len(state.seats))
        assert seating is not None
        return [MatchStarted(state.config.rules, seating, game.dealer), RoundDealt(game.decks(1))]
    assert match is not None
    if step.what == "deal":
        return [RoundDealt(game.decks(match.round_number + 1))]
    assert step.move is not None
    played = match.event_of(step.move)
    now = match.round
    open_choice = match.rules.duty is Duty.COMPULSORY and step.groups > 1 and now is not None and now.laid is None
    if lays and open_choice and isinstance(step.move, Play):
        return [Laid(step.seat, step.move.card), played]
    return [played]


def laid_in_this_round(game: Game) -> CardSet:
    """The cards shown in the latest round: even if taken back, everybody knows who holds them."""
    found = CardSet()
    for event in game.events:
        if isinstance(event, RoundDealt):
            found = CardSet()
        elif isinstance(event, Laid):
            found = found.with_card(event.card)
    return found
