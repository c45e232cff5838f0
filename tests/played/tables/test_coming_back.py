"""A player who was away is back after any click, even a refused one: that is stored and shown; no computer plays."""

from dataclasses import dataclass
from typing import Any

import pytest

from bot.engine.cards import CardSet
from bot.engine.moves import Stage
from bot.platform.kit.codec import base36
from bot.tables.ids.game import pack
from bot.tables.log.codec import decode
from bot.tables.log.events import LogEvent, Presence, PresenceChanged
from bot.tables.refusals import MoveRefusal, TableRefusal
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import NOT_TURN, SCORE_OF, STALE, WRONG_SUM, YOUR_HAND, refusal_text

COMPUTER = 5
"""Seconds after which a computer plays for somebody who is away."""


def dealt() -> Decks:
    """Bea plays first and holds 1b 2b 3b; Ana holds 4b 5b 6b. The table has 2o 2c 5e 7c."""
    return Decks(rigged={1: "1b 2b 3b 4b 5b 6b 2o 2c 5e 7c"})


@dataclass(frozen=True, slots=True)
class Click:
    """A click that is refused, and its answer. `late`: how many moves ago its button was shown."""

    verb: str
    args: tuple[str, ...]
    answer: str
    preset: str = "escoba"
    late: int = 0

    def custom_id(self, here: Room) -> str:
        """The custom_id of its button."""
        return custom_id(here, self.verb, *self.args, at=version(here) - self.late)


def version(here: Room) -> int:
    """The open table's version."""
    return here.table.view().version


def custom_id(here: Room, verb: str, *args: str, at: int | None = None) -> str:
    """The custom_id of a button of the running game, for the current version or another."""
    return ":".join(("e", verb, base36(here.table.id), base36(version(here) if at is None else at), *args))


REFUSED = {
    "a wrong sum": Click("take", ("3b", pack(CardSet.of("2o"))), WRONG_SUM, preset="quince"),
    "an invalid claim": Click("take", ("claim", pack(CardSet.of("2o 2c"))), WRONG_SUM, preset="quince"),
    "an old button": Click("card", ("3b",), STALE, late=1),
    "an old capture": Click("take", ("1b", pack(CardSet.of("7c"))), STALE, late=1),
    "another's card": Click("card", ("4b",), refusal_text(MoveRefusal.CARD_NOT_HELD)),
    "a card of the stock": Click("card", ("10e",), refusal_text(MoveRefusal.CARD_NOT_HELD)),
    "a card that must capture": Click("lay", ("1b",), refusal_text(MoveRefusal.MUST_CAPTURE)),
    "an old choice of table cards": Click("choose", ("any", "0"), STALE, preset="quince", late=1),
    "a running round": Click("next", (), STALE),
    "the lobby's start": Click("start", (), YOUR_HAND),
    "the lobby's join": Click("join", (), refusal_text(TableRefusal.ALREADY_SEATED)),
}


def presences(here: Room) -> list[Presence]:
    """The presence of each seat."""
    return [seat.presence for seat in here.table.view().seats]


async def log(here: Room) -> list[LogEvent]:
    """The table's stored events, without the moves."""
    entries = await here.bot.parts.stores.games.log(here.table.id)
    return [decode(entry.kind, entry.body) for entry in entries if entry.kind != "match"]


async def away(here: Room, **options: Any) -> Person:
    """Start a match in which Bea, the first to play, misses her deadline."""
    await here.begin(2, **options)
    await misses_her_deadline(here)
    return here.people[1]


async def misses_her_deadline(here: Room, waited: float = 0) -> None:
    """Wait until Bea, whose turn began `waited` seconds ago, is away."""
    await here.wait(101 - waited)
    assert presences(here) == [Presence.HERE, Presence.AWAY]
    assert (await log(here))[-1] == PresenceChanged(1, Presence.AWAY)


async def is_back(here: Room) -> None:
    """Assert that Bea is back: shown to everybody, and stored, so that it holds even if the bot is killed now."""
    assert presences(here) == [Presence.HERE, Presence.HERE]
    assert "💤" not in here.public_text
    assert (await log(here))[-1] == PresenceChanged(1, Presence.HERE)
    await here.restart(killed=True)
    assert presences(here) == [Presence.HERE, Presence.HERE]


async def nobody_plays_for_her(here: Room) -> None:
    """Wait longer than a computer needs to play for her, and assert that none does."""
    before = here.table.version
    await here.wait(4 * COMPUTER)
    assert here.table.version == before


@pytest.mark.thorough
async def test_asking_for_ones_hand_brings_the_player_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=COMPUTER, chance=dealt()) as here:
        bea = await away(here)
        await bea.slash(here.channel, "escoba hand")
        await is_back(here)


@pytest.mark.thorough
async def test_deciding_not_to_leave_brings_the_player_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=COMPUTER, chance=dealt()) as here:
        bea = await away(here)
        await forge(bea, here.panel(bea), custom_id(here, "keep"))
        await is_back(here)


@pytest.mark.parametrize("kind", thorough_but(REFUSED, "a wrong sum", "an old button"))
async def test_a_refused_click_brings_the_player_back_from_the_panel_and_from_the_table(room_of: RoomOf, kind: str):
    click = REFUSED[kind]
    async with room_of(2, turn_seconds=100, computer_seconds=COMPUTER, chance=dealt()) as here:
        bea = await away(here, variant=click.preset)
        before = version(here)
        result = await forge(bea, here.panel(bea), click.custom_id(here))
        assert result.response is not None
        assert click.answer in text_of(result.response)
        assert version(here) == before
        await is_back(here)
        await nobody_plays_for_her(here)
        assert version(here) == before
        await misses_her_deadline(here, 4 * COMPUTER)
        result = await forge(bea, here.shown, click.custom_id(here))
        assert result.response is not None
        if click.answer != STALE:  # a stale click on the table just updates it
            assert click.answer in text_of(result.response)
        assert version(here) == before
        await is_back(here)
        await nobody_plays_for_her(here)
        assert version(here) == before


@pytest.mark.thorough
async def test_a_click_out_of_turn_brings_the_player_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=COMPUTER, chance=dealt()) as here:
        bea = await away(here)
        await here.wait(COMPUTER + 0.1)
        before = version(here)
        seat = here.table.seat_view(1)
        assert seat is not None
        assert not seat.has_turn
        await forge(bea, here.panel(bea), custom_id(here, "card", str(next(iter(seat.hand)))))
        assert NOT_TURN in text_of(here.panel(bea))
        await is_back(here)
        for person in here.people:
            await here.press(person, here.shown, "hand")
        await here.play_out(until=lambda: version(here) > before)
        await nobody_plays_for_her(here)  # when her turn comes
        assert here.table.view().match.turn == 1  # type: ignore[union-attr]


async def test_a_second_click_on_next_round_brings_the_player_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, computer_seconds=COMPUTER) as here:
        bea = await away(here, target=21)
        ana = here.people[0]
        here.people = [ana]
        await here.skip(lambda view: view.moves[0], until=lambda match: match.stage is Stage.TO_DEAL)
        assert SCORE_OF.format(1) in here.public_text
        late = next(b for b in bea.buttons(here.shown) if ":next:" in b.custom_id)
        scored = here.shown
        await here.press(ana, scored, "next")
        here.people = [ana, bea]
        assert presences(here) == [Presence.HERE, Presence.AWAY]
        before = version(here)
        await forge(bea, scored, late.custom_id)
        assert version(here) == before
        await is_back(here)
