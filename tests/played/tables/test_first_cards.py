"""Nobody has to ask for their first cards: the press that begins a match, and the one that joined it, bring them."""

import pytest

from bot.platform.transport.webhooks import FollowUps
from bot.tables.boards.board import HANDING_OUT
from bot.tables.log.events import Phase
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of


def has_cards(here: Room, person: Person) -> bool:
    """Whether somebody has a private message with their hand."""
    shown = [message for message in person.messages(here.channel) if message.flags.ephemeral]
    return any("Your hand" in text_of(message) for message in shown)


async def test_three_presses_lead_to_the_first_card_against_a_computer_and_the_fourth_plays_it(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        assert has_cards(here, ana)
        while here.table.view().match.turn != 0:  # type: ignore[union-attr]
            await here.wait(0.2)
        before = here.table.version
        card = next(each for each in ana.buttons(here.panel(ana)) if each.custom_id.startswith("e:card:"))
        await here.press(ana, here.panel(ana), "card", card.custom_id.split(":")[-1])
        assert here.table.version > before


async def test_the_panel_answers_the_press_and_the_table_is_edited_after_it(room_of: RoomOf):
    async with room_of(2) as here:
        await here.lobby(here.people[1])
        lobby, sent = here.shown, len(here.tap.requests)
        await here.press(here.people[0], lobby, "start")
        answer, *later = [each for each in here.tap.requests[sent:] if each.method in ("POST", "PATCH")]
        assert answer.path.endswith("/callback")
        assert answer.body["data"]["flags"] & 64
        assert any(each.path.endswith(f"/messages/{lobby.id}") for each in later)
        assert "deal 1" in here.public_text


async def test_whoever_joined_gets_their_cards_when_somebody_else_starts(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, ciro)
        await here.options(ciro, "leave")
        await here.press(bea, here.shown, "start")
        assert has_cards(here, ana)
        assert has_cards(here, bea)
        assert not has_cards(here, ciro)
        await here.press(ana, here.shown, "hand")  # a second panel replaces the first
        assert len([each for each in ana.messages(here.channel) if each.flags.ephemeral]) == 1


async def test_a_token_that_has_too_little_time_left_sends_nothing(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        await here.wait(HANDING_OUT.total_seconds() + 1)
        await here.press(bea, here.shown, "join")
        await here.press(bea, here.shown, "start")
        assert has_cards(here, bea)
        assert not has_cards(here, ana)
        await here.press(ana, here.shown, "hand")
        assert has_cards(here, ana)


async def test_where_many_follow_ups_were_sent_my_hand_brings_the_cards(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        monkeypatch.setattr(FollowUps, "has_room", lambda self, token: False)
        await here.press(bea, here.shown, "start")
        assert has_cards(here, bea)
        assert not has_cards(here, ana)


async def test_accepting_a_challenge_brings_both_their_cards(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba challenge", player=bea.actor)
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert has_cards(here, ana)
        assert has_cards(here, bea)


async def test_a_rematch_brings_their_cards_to_all_who_wanted_it(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()
        result = here.shown
        assert not has_cards(here, ana)
        assert not has_cards(here, bea)
        await here.press(ana, result, "rematch")
        await here.press(bea, result, "rematch")
        assert here.table.phase is Phase.PLAYING
        assert has_cards(here, ana)
        assert has_cards(here, bea)


async def test_after_a_restart_whoever_starts_has_their_cards_and_the_others_press_my_hand(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.restart(killed=True)
        await here.press(ana, here.shown, "start")
        assert has_cards(here, ana)
        assert not has_cards(here, bea)
