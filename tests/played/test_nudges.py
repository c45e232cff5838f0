"""Being told that it's one's turn: the table comes down to the bottom of the channel, and mentions its player."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import Any

import pytest

from bot.tables.turn import AT_ONCE_SECONDS, PRESENT_SECONDS, TurnNotice
from bot.ui.boards.public_message import MESSAGE_LIFE
from tests.played.conftest import RoomOf
from tests.support.escoba import Room
from tests.support.people import Message, Person, components_of, forge, set_locale, text_of
from tests.support.phrases import FURTHER_DOWN, ROUND, SCORE_OF, WARNING, turn_of

POSTS = "/channels/*/messages"
ANSWER = 4
"""The kind of answer to an interaction that is a new message."""
NUDGE = 45.0


def pinged(here: Room) -> list[int]:
    """Whom the bot's new messages in the channel have notified, in order: an edit notifies nobody."""
    found: list[int] = []
    for request in here.tap.public():
        answers = isinstance(request.body, dict) and request.body.get("type") == ANSWER
        if request.status < 400 and (answers or (request.method == "POST" and fnmatch(request.path, POSTS))):
            found += [int(user) for user in (request.message.get("allowed_mentions") or {}).get("users", ())]
    return found


async def turn(here: Room) -> Person:
    """A match in which a turn has just begun, in whom nobody has clicked; its player."""
    await here.begin()
    await next_turn(here)
    return at_turn(here)


def at_turn(here: Room) -> Person:
    match = here.table.view().match
    assert match is not None
    assert match.turn is not None
    return here.people[match.turn]


async def next_turn(here: Room) -> None:
    """The player at turn plays."""
    player = at_turn(here)
    await here.press(player, here.shown, "hand")
    await here.play_out(until=lambda: at_turn(here) is not player)


async def choose(here: Room, person: Person, told: TurnNotice) -> None:
    """Choose in `/escoba me` when to be told."""
    await person.slash(here.channel, "escoba me")
    await person.choose(person.panel(here.channel), [told.value], custom_id="^m:told$")


async def test_a_table_that_the_chat_has_buried_comes_down_to_the_player_who_does_not_see_it(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        old = here.shown
        await here.people[0].actor.send(here.channel, "a chat that goes on and on")
        await here.wait(NUDGE - 1)
        assert pinged(here) == []
        assert here.shown.id == old.id
        await here.wait(1)
        assert pinged(here) == [player.id]
        newest = player.messages(here.channel)[-1]
        assert newest.id == here.shown.id > old.id
        assert turn_of(here.table.view()) in here.public_text
        assert old.id not in [message.id for message in player.messages(here.channel)]
        await here.press(player, here.shown, "hand")


async def test_nobody_is_told_twice_in_a_turn_and_the_next_player_is_told_too(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(24 * 3600)
        assert pinged(here) == [player.id]
        await next_turn(here)
        await here.wait(24 * 3600)
        assert pinged(here) == [player.id, at_turn(here).id]


async def test_whoever_clicks_needs_no_telling(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        shown = here.shown.id
        await here.wait(NUDGE - 5)
        await here.press(player, here.shown, "hand")
        await here.wait(40)
        assert pinged(here) == []
        assert here.shown.id == shown


async def test_a_rounds_score_stays_above(room_of: RoomOf):
    async with room_of(2, round_seconds=10) as here:
        await here.begin(target=51)
        await here.play_out(until=lambda: SCORE_OF.format(1) in here.public_text)
        score = here.shown.id
        await here.wait(11)
        assert ROUND.format(2) in here.public_text
        assert pinged(here) == []  # it was dealt, and who plays first has as much time as ever
        await here.wait(NUDGE)
        assert pinged(here) == [at_turn(here).id]
        messages = here.people[0].messages(here.channel)
        public = [message for message in messages if not message.flags.ephemeral]
        assert [message.id for message in public] == [score, here.shown.id]
        assert SCORE_OF.format(1) in text_of(public[0])


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_a_restart_tells_nobody_a_second_time(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        assert pinged(here) == [player.id]
        await here.restart(killed=killed)
        await here.wait(3600)
        assert pinged(here) == [player.id]
        await next_turn(here)
        await here.wait(NUDGE)
        assert pinged(here) == [player.id, at_turn(here).id]


async def test_a_restart_makes_nobody_be_forgotten(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE - 1)
        await here.restart()
        await here.wait(NUDGE)
        assert pinged(here) == [player.id]


async def test_an_old_table_that_cannot_be_deleted_loses_its_buttons(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        old = here.shown
        here.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013, times=1)
        await here.wait(NUDGE)
        left = next(message for message in player.messages(here.channel) if message.id == old.id)
        assert FURTHER_DOWN in text_of(left)
        assert player.buttons(left) == []
        assert pinged(here) == [player.id]


async def test_an_old_table_that_somebody_deleted_is_not_asked_for(room_of: RoomOf):
    async with room_of(2) as here:
        await turn(here)
        here.env.inject_error("DELETE", "/channels/*/messages/*", status=404, code=10008, times=1)
        edits = len(here.tap.to("PATCH", "/channels/*/messages/*"))
        await here.wait(NUDGE)
        assert len(here.tap.to("PATCH", "/channels/*/messages/*")) == edits


async def test_when_discord_is_in_trouble_the_player_is_told_later_but_not_if_they_have_come(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        here.env.inject_error("POST", POSTS, status=503, times=1)
        await here.wait(NUDGE + 10)
        assert pinged(here) == [player.id]
        await next_turn(here)
        here.env.inject_error("POST", POSTS, status=503, times=1)
        await here.wait(NUDGE)
        await here.press(at_turn(here), here.shown, "hand")
        await here.wait(3600)
        assert pinged(here) == [player.id]


async def test_where_the_bot_may_not_speak_nobody_is_told(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await turn(here)
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=1)
        await next_turn(here)
        here.bot.presenter.table_changed(here.table)
        await here.env.settle()
        posts = len(here.tap.to("POST", POSTS))
        await here.wait(3600)
        assert len(here.tap.to("POST", POSTS)) == posts


async def test_a_table_that_is_posted_afresh_tells_nobody(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, nudge_seconds=0) as here:
        await turn(here)
        old = here.shown.id
        await here.wait(MESSAGE_LIFE.total_seconds() + 60)
        await next_turn(here)
        assert here.shown.id > old
        assert pinged(here) == []


async def test_a_day_a_turn_is_told_of_after_a_while_and_warned_of_an_hour_before(room_of: RoomOf):
    async with room_of(2, turn_seconds=24 * 3600) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        assert pinged(here) == [player.id]
        await here.wait(23 * 3600 - NUDGE - 1)
        assert pinged(here) == [player.id]
        await here.wait(1)
        assert pinged(here) == [player.id] * 2
        assert WARNING in here.public_texts()[-1]


# ------------------------------------------------------------------ /escoba me


async def test_who_wants_to_be_told_at_once_is(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        for person in here.people:
            await choose(here, person, TurnNotice.AT_ONCE)
        await here.wait(PRESENT_SECONDS)
        await next_turn(here)
        assert pinged(here) == []
        await here.wait(AT_ONCE_SECONDS)
        assert pinged(here) == [at_turn(here).id]


async def test_two_who_play_fast_are_not_flooded_by_what_they_chose(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        for person in here.people:
            await choose(here, person, TurnNotice.AT_ONCE)
        for _ in range(6):
            await next_turn(here)
            await here.wait(AT_ONCE_SECONDS + 1)
        assert pinged(here) == []


async def test_who_never_wants_to_be_told_is_pinged_by_nothing_not_even_the_warning(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        player = await turn(here)
        await choose(here, player, TurnNotice.NEVER)
        await next_turn(here)
        await next_turn(here)
        shown = here.shown.id
        await here.wait(75)
        assert at_turn(here) is player
        assert here.shown.id == shown
        assert WARNING in here.public_texts()[-1]  # the others see that their game goes on soon
        assert player.id not in pinged(here)


async def test_the_choice_is_private_and_shown_as_it_stands(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba me")
        assert bea.messages(here.channel) == []
        for told in (TurnNotice.NEVER, TurnNotice.AT_ONCE, TurnNotice.LATER):
            await ana.choose(ana.panel(here.channel), [told.value], custom_id="^m:told$")
            assert chosen(ana, here) == [told.value]
            assert here.bot.preferences.get(ana.id).turn_notice is told
        await choose(here, ana, TurnNotice.NEVER)
        await here.restart()
        await ana.slash(here.channel, "escoba me")
        assert chosen(ana, here) == [TurnNotice.NEVER.value]
        set_locale(bea, "es-ES")
        await bea.slash(here.channel, "escoba me")
        assert "Tus preferencias" in here.told(bea)
        assert chosen(bea, here) == [TurnNotice.LATER.value]


async def test_a_choice_that_was_never_offered_is_refused(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba me")
        await forge(ana, ana.panel(here.channel), "m:told", ["loudly"])
        assert here.bot.preferences.get(ana.id).turn_notice is TurnNotice.LATER


def chosen(person: Person, here: Room) -> list[str]:
    """What the menu shows as chosen."""
    [select] = [item for row in _rows(person.panel(here.channel)) for item in row if item.get("options")]
    return [option["value"] for option in select["options"] if option.get("default")]


def _rows(message: Message) -> list[list[dict[str, Any]]]:
    """The components of each row of a box."""
    return [row["components"] for row in components_of(message)[0]["components"] if row.get("components")]
