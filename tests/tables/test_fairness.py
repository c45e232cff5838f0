"""A computer's move at a table depends only on what its seat can see, not on other hands or the stock."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from itertools import starmap
from random import Random

import pytest

from bot.engine.events import Laid
from bot.engine.moves import Claim, Play, Stage
from bot.engine.rules import PRESETS, Duty, Seating
from bot.players import Level
from bot.tables.live.timing import computers_pause
from bot.tables.log.change import Change
from bot.tables.log.events import Config, Presence
from bot.tables.log.questions import deal_due
from bot.tables.log.seats import Seat
from bot.tables.log.state import TableState
from tests.support.dose import dose, thorough_but
from tests.support.engine import USUAL
from tests.support.tables.bare import Notes, bare_table
from tests.support.tables.hall import PACE
from tests.support.tables.kit import GAME, PEOPLE, Stacked, config_of, playing, the_match
from tests.support.tables.timing import HandClock, Time

POSITIONS = dose("FAIRNESS", 4)
"""How many positions of each party are tried; `make soak` tries 400."""
OTHERS = 2
"""How many other arrangements of the hidden cards are tried in each position."""


@dataclass(frozen=True, slots=True)
class Party:
    """A seating, and the preset by whose rules it plays."""

    preset: str
    seating: Seating

    @property
    def config(self) -> Config:
        """The party's configuration."""
        config = config_of(self.preset, teams=self.seating is Seating.PAIRS, capacity=max(4, self.seating.seats))
        return replace(config, threes=self.seating is Seating.TRIPLES)

    def __str__(self) -> str:
        return f"{self.preset}-{self.seating.value}"


PARTIES = [
    party
    for preset in sorted(PRESETS)
    for seating in Seating
    if not (party := Party(preset, seating)).config.conflicts_with(seating)
]
every_party = pytest.mark.parametrize("party", thorough_but(PARTIES, *starmap(Party, USUAL)), ids=str)


@pytest.fixture
async def clock() -> AsyncIterator[HandClock]:
    """The clock for a test's tables, which use it one after another."""
    clock = HandClock(Time())
    clock.start()
    yield clock
    await clock.close()


def positions(party: Party, rng: Random) -> Iterator[TableState]:
    """States of a random match, round after round, in which the current seat has a choice."""
    chance = Stacked(rng.random(), first=rng.randrange(party.seating.seats))
    state = playing(*PEOPLE[: party.seating.seats], config=party.config, chance=chance)
    assert the_match(state).seating is party.seating
    while True:
        match = the_match(state)
        if match.stage is Stage.OVER:
            state = playing(*PEOPLE[: party.seating.seats], config=party.config, chance=Stacked(rng.random()))
        elif match.stage is Stage.TO_DEAL:
            state = Change(state, deal=deal_due(state)).dealt(chance, GAME).state
        else:
            moves = match.legal_moves()
            if len(moves) > 1:
                yield state
            assert match.round is not None
            move = rng.choice(moves)
            event = match.event_of(move)
            if (
                isinstance(move, Play)
                and match.rules.duty is Duty.COMPULSORY
                and match.round.laid is None
                and len(match.round.captures_of(move.card)) > 1
                and rng.random() < 0.7
            ):
                event = Laid(match.round.turn, move.card)
            state = state.apply(event)


def with_computer(state: TableState, rng: Random) -> TableState:
    """The same state with a computer to move: one with its own seat, or one in place of somebody who is away."""
    turn = the_match(state).turn
    assert turn is not None
    seat = state.seats[turn]
    player = rng.choice([Seat("Lola", level=level) for level in Level] + [replace(seat, presence=Presence.AWAY)])
    return replace(state, seats=(*state.seats[:turn], player, *state.seats[turn + 1 :]))


def with_hidden_cards_elsewhere(state: TableState, rng: Random) -> TableState:
    """The same state as far as the current seat can see, with the other hands and the stock changed."""
    match = the_match(state)
    now = match.round
    assert now is not None
    others = [card for seat, hand in enumerate(now.hands) if seat != now.turn for card in hand]
    hidden = [*others, *now.deck[now.dealt :]]
    rng.shuffle(hidden)
    lot = iter(hidden)
    hands = tuple(
        hand if seat == now.turn else type(hand).of([next(lot) for _ in hand]) for seat, hand in enumerate(now.hands)
    )
    changed = replace(now, hands=hands, deck=(*now.deck[: now.dealt], *lot))
    return replace(state, match=replace(match, round=changed))


async def played(state: TableState, clock: HandClock) -> list[tuple[str, str]]:
    """The rows that a table stores when its computer moves."""
    notes = Notes()
    table = bare_table(state, clock=clock, notes=notes, pace=PACE)
    table.arm()
    await clock.advance(computers_pause(state, PACE))
    table.close()
    return notes.rows


def samples(party: Party, rng: Random) -> Iterator[TableState]:
    """`POSITIONS` positions, or more until one has had the preset's speciality: a laid card, or a claim."""
    duty, met = party.config.rules.duty, False
    for number, state in enumerate(positions(party, rng), 1):
        yield state
        match = the_match(state)
        laid = match.round is not None and match.round.laid is not None
        claimable = any(isinstance(move, Claim) for move in match.legal_moves())
        met |= {Duty.COMPULSORY: laid, Duty.CLAIMABLE: claimable, Duty.OPTIONAL: True}[duty]
        if number >= POSITIONS and met:
            return


@every_party
async def test_a_computers_move_doesnt_depend_on_cards_it_cant_see(party: Party, clock: HandClock):
    rng = Random(str(party))
    changed = 0
    for position in samples(party, rng):
        state = with_computer(position, rng)
        moves = await played(state, clock)
        assert len(moves) == 1, "it is the computer's turn"
        for _ in range(OTHERS):
            other = with_hidden_cards_elsewhere(state, rng)
            changed += other != state
            assert await played(other, clock) == moves
    assert changed > POSITIONS, "the hidden cards can be arranged differently"
