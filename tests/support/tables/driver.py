"""Plays random sessions through `decide`: several people click at will, and time passes."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bot.engine.cards import DECK
from bot.engine.moves import Play, Sing, Stage
from bot.engine.rules import PRESETS
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.players import Level
from bot.tables.log.actions import (
    Action,
    AddComputer,
    Cancel,
    ChangeComputer,
    Configure,
    Join,
    LayCard,
    Leave,
    NextRound,
    PlayMove,
    Start,
    Touch,
)
from bot.tables.log.decide import decide
from bot.tables.log.events import Config, LogEvent, Opened, Phase, Presence, PresenceChanged
from bot.tables.log.state import TableState, opened
from tests.support.tables.kit import ANA, GAME, PEOPLE, STRANGER, Stacked, config_of


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a session: the action tried, its events or its refusal, and the table afterwards."""

    action: Action | None
    events: tuple[LogEvent, ...]
    refusal: Refusal | None
    state: TableState


class Driver:
    """A random session at one table.

    Args:
        rng: the source of all choices.
        config: the lobby's initial configuration.
        people: how many people click, in addition to a stranger.
        wildness: how often people click at random, whether it makes sense or not; otherwise the game goes on.
        mortal: whether people may cancel the match or leave it.
    """

    def __init__(
        self, rng: Random, config: Config, *, people: int = 6, wildness: float = 0.3, mortal: bool = True
    ) -> None:
        self.rng = rng
        self.people = (*PEOPLE[:people], STRANGER)
        self.wildness = wildness
        self.mortal = mortal
        self.wanted = rng.randint(2, 6)
        self.chance = Stacked(rng.random(), first=rng.randrange(6))
        self.state = opened(Opened(ANA, config))
        self.log: list[LogEvent] = [Opened(ANA, config)]

    def run(self, steps: int) -> Iterator[Step]:
        """Take this many steps, or fewer if the table is over sooner."""
        for _ in range(steps):
            yield self.step()
            if not self.state.open:
                return

    def step(self) -> Step:
        """Let one thing happen: a click, a computer's move, or a missed deadline."""
        if self.state.phase is Phase.PLAYING and self.rng.random() < 0.06:
            return self._passed(None, self._time())
        action = self.wild() if self.rng.random() < self.wildness else self.sensible()
        if action is None:
            return self._passed(None, self._computer())
        try:
            change = decide(self.state, action, GAME).dealt(self.chance, GAME)
        except Refusal as refusal:
            return Step(action, (), refusal, self.state)
        return self._passed(action, list(change.events))

    def _passed(self, action: Action | None, events: list[LogEvent]) -> Step:
        for event in events:
            self.state = self.state.apply(event)
        self.log += events
        return Step(action, tuple(events), None, self.state)

    # ---------------------------------------------------------------- as time passes

    def _time(self) -> list[LogEvent]:
        """The current player misses their deadline."""
        match = self.state.match
        assert match is not None
        if match.turn is None or not self.state.seats[match.turn].human_here:
            return []
        return [PresenceChanged(match.turn, Presence.AWAY)]

    def _computer(self) -> list[LogEvent]:
        """A computer plays for the current seat."""
        match = self.state.match
        assert match is not None
        return [match.event_of(self.rng.choice(match.legal_moves()))]

    # ---------------------------------------------------------------- clicks

    def sensible(self) -> Action | None:
        """An action that keeps the game going; None if it is a computer's turn."""
        state, rng, match = self.state, self.rng, self.state.match
        sitting = [person for person in self.people if state.seat_of(person.id) is not None]
        if match is None:
            return self._in_lobby(sitting)
        if match.stage is Stage.TO_DEAL:
            return NextRound(rng.choice(sitting), match.version)
        assert match.turn is not None
        seat = state.seats[match.turn]
        if not seat.may_return or (seat.presence is Presence.AWAY and rng.random() < 0.7):
            return None
        person = next(person for person in self.people if person.id == seat.person_id)
        return self._turn(person)

    def _in_lobby(self, sitting: list[Person]) -> Action:
        state, rng = self.state, self.rng
        person = rng.choice(sitting)
        computers = [index for index, seat in enumerate(state.seats) if seat.is_computer]
        if computers and rng.random() < 0.2:
            return ChangeComputer(person, state.version, rng.choice(computers), rng.choice(list(Level)))
        if rng.random() < 0.2:
            return Configure(person, state.version, self._config())
        if len(state.seats) < min(self.wanted, state.config.capacity):
            if rng.random() < 0.25:
                return AddComputer(person, state.version)
            return Join(rng.choice(self.people))
        return Start(person, state.version)

    def _turn(self, person: Person) -> Action:
        match, rng = self.state.match, self.rng
        assert match is not None
        assert match.round is not None
        move = rng.choice(match.legal_moves())
        if isinstance(move, Play) and len(match.round.captures_of(move.card)) > 1 and rng.random() < 0.4:
            return LayCard(person, match.version, move.card)
        return PlayMove(person, match.version, move)

    def wild(self) -> Action:
        """Any action that anybody could send, whether it makes sense or not."""
        state, rng = self.state, self.rng
        person = rng.choice(self.people)
        version = state.move_version + rng.choice((0, 0, 0, -1, 1))
        moves = () if state.match is None else state.match.legal_moves()
        choices: list[Action] = [
            Join(person),
            AddComputer(person, version),
            ChangeComputer(person, version, rng.randrange(-1, 6), rng.choice([None, *Level])),
            Configure(person, version, self._config()),
            Start(person, version),
            LayCard(person, version, rng.choice(DECK)),
            NextRound(person, version),
            Touch(person),
            PlayMove(person, version, Play(rng.choice(DECK))),
            PlayMove(person, version, Sing()),
            *(PlayMove(person, version, move) for move in rng.sample(moves, min(3, len(moves)))),
        ]
        if self.mortal and rng.random() < 0.4:
            choices.append(Leave(person))
        if self.mortal and rng.random() < 0.05:
            choices.append(Cancel(person, moderator=rng.random() < 0.2))
        return rng.choice(choices)

    def _config(self) -> Config:
        rng = self.rng
        preset = self.state.config.preset if rng.random() < 0.6 else rng.choice(sorted(PRESETS))
        return config_of(
            preset,
            teams=rng.random() < 0.5,
            capacity=rng.choice((2, 4, 6)),
            target=rng.choice((5, 5, 11, 102)),
            hand=rng.choice((PRESETS[preset].rules.hand, 3, 10)),
        )
