"""A game without deadlines: the others can let a computer play for somebody who keeps them waiting."""

import pytest

from bot.tables.log.events import Presence
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import Message, Person, text_of
from tests.support.phrases import NO_SEAT, PLAYED_FOR, YOUR_TURN

TEN_MINUTES = 600


def offered(person: Person, message: Message) -> bool:
    """Whether a message has the button that lets a computer play."""
    return any(button.custom_id.startswith("e:standin:") for button in person.buttons(message))


def presence_of(here: Room, person: Person) -> Presence:
    """A person's presence at the table."""
    return here.table.view().seats[here.seat_of(person)].presence


@pytest.mark.parametrize("where", thorough_but(["table", "panel"], "panel"))
async def test_after_ten_minutes_the_others_can_let_a_computer_play_until_the_player_is_back(
    room_of: RoomOf, where: str
):
    async with room_of(3, turn_seconds=0, nudge_seconds=0, computer_seconds=2) as here:
        ana, bea, ciro = here.people
        await here.begin(2)  # Bea plays first, and Ciro looks on
        await here.wait(TEN_MINUTES - 1)
        assert not offered(ana, here.shown)
        await here.wait(1)
        assert offered(ana, here.shown)
        assert offered(ana, here.panel(ana))
        assert not offered(bea, here.panel(bea))
        await here.press(ciro, here.shown, "standin")
        assert here.private_text(ciro) == NO_SEAT
        assert presence_of(here, bea) is Presence.HERE
        await here.press(ana, here.shown if where == "table" else here.panel(ana), "standin")
        await here.env.settle()
        assert presence_of(here, bea) is Presence.AWAY
        assert "**Bea** 💤" in here.public_text
        assert PLAYED_FOR in text_of(here.panel(bea))
        assert not offered(ana, here.shown)
        await here.wait(2.1)
        assert YOUR_TURN in text_of(here.panel(ana))
        await here.press(bea, here.panel(bea), "panel", label="I'm back")
        assert presence_of(here, bea) is Presence.HERE
        await here.play_out(until=lambda: YOUR_TURN in text_of(here.panel(bea)))
        await here.wait(60)
        assert presence_of(here, bea) is Presence.HERE


async def test_the_button_goes_when_the_player_clicks(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, nudge_seconds=0) as here:
        ana, bea = here.people
        await here.begin()
        await here.wait(TEN_MINUTES)
        assert offered(ana, here.shown)
        await here.press(bea, here.panel(bea), "panel")
        assert not offered(ana, here.shown)
        assert not offered(ana, here.panel(ana))
        assert presence_of(here, bea) is Presence.HERE
