"""Notifying players of their turn: a short message mentions them, and disappears once they have clicked."""

import json
from fnmatch import fnmatch
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.kit.channel_access import PROBE_SECONDS
from bot.platform.kit.live_message import FRESH
from bot.platform.language.catalogues import words
from bot.platform.refusals import CommonRefusal
from bot.tables.boards.next_ping import NEARBY
from bot.tables.boards.pings import NOTED, REFUSED_AGAIN
from bot.tables.live.turn import AT_ONCE_SECONDS, PRESENT_SECONDS
from bot.tables.parts import TableParts
from bot.tables.screens.preferences import TURN_NOTICE
from bot.tables.settings import TablePreferences, TurnNotice, turn_notice
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import Message, Person, components_of, forge, set_locale, text_of
from tests.support.phrases import IT_IS_YOUR_TURN, IT_WAS_YOUR_TURN, ROUND, SCORE_OF, WARNING, refusal_text
from tests.support.truth import stock_of

POSTS = "/channels/*/messages"
ANSWER = 4
"""The interaction response type of a new message."""
NUDGE = 45.0


def notified(here: Room) -> list[int]:
    """The users notified by the bot's new messages in the channel, in order. Edits notify nobody.

    A notification shows only a message's content, so each ping needs some, and nobody is mentioned anywhere else, but
    by the first message of a slow table in its thread.
    """
    found: list[int] = []
    for request in here.tap.public():
        answers = isinstance(request.body, dict) and request.body.get("type") == ANSWER
        if request.status < 400 and (answers or (request.method == "POST" and fnmatch(request.path, POSTS))):
            users = [int(user) for user in (request.message.get("allowed_mentions") or {}).get("users", ())]
            if "The table is here now." in str(request.message.get("components")):
                continue
            assert all(f"<@{user}>" in (request.message.get("content") or "") for user in users), "a ping without words"
            found += users
    return found


def pings(here: Room) -> list[str]:
    """The pings now in the channel."""
    words = (IT_IS_YOUR_TURN, IT_WAS_YOUR_TURN, ", it was your turn")
    return [text for text in here.public_texts() if any(each in text for each in words) and "### " not in text]


async def turn(here: Room) -> Person:
    """Start a match and play until a turn has just begun. Returns its player."""
    await here.begin()
    await next_turn(here)
    return at_turn(here)


def at_turn(here: Room) -> Person:
    match = here.table.view().match
    assert match is not None
    assert match.turn is not None
    return here.people[match.turn]


async def next_turn(here: Room) -> None:
    """Play the current turn."""
    player = at_turn(here)
    await here.press(player, here.shown, "hand")
    await here.play_out(until=lambda: at_turn(here) is not player)


async def choose(here: Room, person: Person, notice: TurnNotice) -> None:
    """Choose in `/escoba me` when to be notified."""
    await person.slash(here.channel, "escoba me")
    await set_notice(here, person, notice.value)


async def open_notice(here: Room, person: Person) -> None:
    """Open the screen of the choice."""
    await person.choose(person.panel(here.channel), ["turn_notice"], custom_id="^m:change$")


async def set_notice(here: Room, person: Person, code: str) -> None:
    await open_notice(here, person)
    await person.choose(person.panel(here.channel), [code], custom_id="^m:turn_notice$")


async def test_a_player_who_has_not_clicked_is_pinged_with_a_link_to_the_table_until_they_do(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        table = here.shown
        await here.people[0].actor.send(here.channel, "a chat that goes on and on")
        await here.wait(NUDGE - 1)
        assert notified(here) == []
        await here.wait(1)
        assert notified(here) == [player.id]
        newest = player.messages(here.channel)[-1]
        assert text_of(newest).startswith(player.mention + IT_IS_YOUR_TURN)
        assert f"/{here.channel.id}/{table.id})" in text_of(newest)
        assert components_of(newest) == []
        assert here.shown.id == table.id, "the table isn't posted again for that"
        other = next(person for person in here.people if person is not player)
        await here.press(other, here.shown, "hand")
        assert len(pings(here)) == 1, "somebody else's click leaves it"
        await here.press(player, here.shown, "hand")
        assert pings(here) == []


async def test_any_click_of_its_person_removes_a_ping_even_if_it_changes_nothing(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        assert len(pings(here)) == 1
        await here.press(player, here.shown, "guide")
        assert pings(here) == []


async def test_a_ping_is_never_deleted_before_its_person_has_clicked(room_of: RoomOf):
    async with room_of(2, turn_seconds=100, warn_seconds=30) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        [ping] = pings(here)
        await here.wait(100 - NUDGE)  # the warning comes in the same message, and the deadline passes
        assert notified(here) == [player.id]
        [after] = pings(here)
        assert IT_IS_YOUR_TURN in ping
        assert after.startswith(player.mention + IT_WAS_YOUR_TURN)
        assert here.tap.to("DELETE", "/channels/*/messages/*") == []
        await here.wait(NUDGE)
        assert len(pings(here)) == 2, "there is another player's ping beside it"
        edits = len(here.tap.to("PATCH", "/channels/*/messages/*"))
        await here.press(player, here.shown, "hand")
        [left] = pings(here)
        assert player.mention not in left
        assert len(here.tap.to("DELETE", "/channels/*/messages/*")) == 1
        assert len(here.tap.to("PATCH", "/channels/*/messages/*")) <= edits + 1


async def test_a_ping_of_a_game_that_was_ended_says_so(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        ana = here.people[0]
        await here.begin(friendly=True)
        await next_turn(here)
        await next_turn(here)
        player = at_turn(here)
        await here.wait(NUDGE)
        await here.end(ana)
        [ping] = pings(here)
        assert ping.startswith(player.mention + ", it was your turn")
        assert "ended" in ping
        assert await here.bot.parts.stores.values.of(NOTED) == {}


async def test_a_lone_player_is_pinged_only_minutes_after_a_click(room_of: RoomOf):
    async with room_of(1, turn_seconds=400, warn_seconds=30) as here:
        [ana] = here.people
        await here.lobby()
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.wait(1)
        assert at_turn(here) is ana
        shown = here.shown.id
        await here.wait(NEARBY.total_seconds() - 2)
        assert notified(here) == []
        assert here.public_texts() == [here.public_text], "nothing else is said"
        await here.wait(100)  # the deadline is near by now, and the last click long ago
        assert notified(here) == [ana.id]
        assert here.shown.id == shown, "the table doesn't come down for that"


@pytest.mark.thorough
async def test_each_player_is_notified_once_a_turn(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(24 * 3600)
        assert notified(here) == [player.id]
        await next_turn(here)
        await here.wait(24 * 3600)
        assert notified(here) == [player.id, at_turn(here).id]


async def test_a_player_who_has_clicked_is_not_notified(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        shown = here.shown.id
        await here.wait(NUDGE - 5)
        await here.press(player, here.shown, "hand")
        await here.wait(40)
        assert notified(here) == []
        assert here.shown.id == shown


async def test_a_round_that_is_dealt_notifies_nobody_and_has_no_message_of_its_own(room_of: RoomOf):
    async with room_of(2, round_seconds=10) as here:
        await here.begin(target=51)
        await here.skip(lambda view: view.moves[0], until=lambda match: not stock_of(match))
        await here.play_out(until=lambda: SCORE_OF.format(1) in here.public_text)
        table = here.shown.id
        await here.wait(11)
        assert ROUND.format(2) in here.public_text
        assert notified(here) == []  # a deal notifies nobody, and the first player has the usual time
        await here.wait(NUDGE)
        assert notified(here) == [at_turn(here).id]
        messages = here.people[0].messages(here.channel)
        public = [message for message in messages if not message.flags.ephemeral]
        assert [message.id for message in public[:1]] == [table] == [here.shown.id]
        assert [text_of(message) for message in public[1:]] == pings(here)


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_nobody_is_notified_again_after_a_restart(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        assert notified(here) == [player.id]
        await here.restart(killed=killed)
        await here.wait(3600)
        assert notified(here) == [player.id]
        await next_turn(here)
        await here.wait(NUDGE)
        assert notified(here) == [player.id, at_turn(here).id]


@pytest.mark.thorough
async def test_a_player_is_still_notified_after_a_restart(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE - 1)
        await here.restart()
        await here.wait(NUDGE)
        assert notified(here) == [player.id]


@pytest.mark.parametrize("killed", thorough_but([False, True], True), ids=["stopped", "killed"])
async def test_a_restart_keeps_a_ping_until_its_person_clicks(room_of: RoomOf, killed: bool):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        [ping] = pings(here)
        await here.restart(killed=killed)
        await here.env.settle()
        assert pings(here) == [ping]
        await here.press(player, here.shown, "hand")
        assert pings(here) == []


async def test_a_ping_that_somebody_deleted_is_left_alone(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        here.env.inject_error("DELETE", "/channels/*/messages/*", status=404, code=10008, times=1)
        await here.press(player, here.shown, "hand")
        await here.wait(60)
        assert len(here.tap.to("DELETE", "/channels/*/messages/*")) == 1
        assert await here.bot.parts.stores.values.of(NOTED) == {}


@pytest.mark.thorough
async def test_a_channel_that_refuses_pings_is_not_asked_again_while_the_table_stays(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await turn(here)
        here.env.inject_error("POST", POSTS, status=403, code=50013, times=1)
        posts = len(here.tap.to("POST", POSTS))
        for _ in range(3):
            await here.wait(NUDGE)
            await next_turn(here)
        assert len(here.tap.to("POST", POSTS)) == posts + 1
        assert notified(here) == []


async def test_a_player_whose_ping_was_refused_is_notified_when_the_table_is_seen_again(room_of: RoomOf):
    async with room_of(2) as here:
        player = await turn(here)
        here.env.inject_error("POST", POSTS, status=403, code=50013, times=1)
        await here.wait(NUDGE + 1)
        assert here.table.view().unseen
        await here.wait(REFUSED_AGAIN.total_seconds())
        for allowed in (False, None):  # any change of its permissions is a reason to try again
            allow, deny = discord.PermissionOverwrite(add_reactions=allowed).pair()
            overwrite = Overwrite(here.env.backend.bot_user.id, OverwriteType.MEMBER, allow.value, deny.value)
            here.env.backend.set_overwrite(here.channel.id, overwrite)
            await here.wait(PROBE_SECONDS)
        assert not here.table.view().unseen
        await here.wait(NUDGE)
        assert notified(here) == [player.id]


async def test_after_a_discord_outage_players_are_notified_unless_they_are_back(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        player = await turn(here)
        here.env.inject_error("POST", POSTS, status=503, times=1)
        await here.wait(NUDGE + 10)
        assert notified(here) == [player.id]
        await next_turn(here)
        here.env.inject_error("POST", POSTS, status=503, times=1)
        await here.wait(NUDGE)
        await here.press(at_turn(here), here.shown, "hand")
        await here.wait(3600)
        assert notified(here) == [player.id]


async def test_nobody_is_notified_where_the_bot_may_not_write(room_of: RoomOf):
    async with room_of(2, turn_seconds=0) as here:
        await turn(here)
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=1)
        await next_turn(here)
        here.bot.host.of(TableParts).presenter.table_changed(here.table)
        await here.env.settle()
        before = notified(here)
        await here.wait(3000)
        assert notified(here) == before


@pytest.mark.thorough
async def test_a_table_posted_afresh_for_its_age_notifies_nobody(room_of: RoomOf):
    async with room_of(2, turn_seconds=0, nudge_seconds=0) as here:
        await turn(here)
        old = here.shown.id
        await here.wait(FRESH.total_seconds() + 60)
        await next_turn(here)
        assert here.shown.id > old
        assert notified(here) == []


@pytest.mark.usefixtures("never_quiet")
async def test_a_day_long_turn_notifies_again_six_hours_before_its_end(room_of: RoomOf):
    async with room_of(2, turn_seconds=24 * 3600) as here:
        player = await turn(here)
        await here.wait(NUDGE)
        assert notified(here) == [player.id]
        await here.wait(18 * 3600 - NUDGE - 1)
        assert WARNING not in here.public_texts()[-1]
        await here.wait(1)
        assert notified(here) == [player.id] * 2
        assert WARNING in here.public_texts()[-1]


# ------------------------------------------------------------------ /escoba me


async def test_a_player_can_choose_to_be_notified_at_once(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        for person in here.people:
            await choose(here, person, TurnNotice.AT_ONCE)
        await here.wait(PRESENT_SECONDS)
        await next_turn(here)
        assert notified(here) == []
        await here.wait(AT_ONCE_SECONDS)
        assert notified(here) == [at_turn(here).id]


async def test_fast_players_are_not_flooded_with_notifications(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        for person in here.people:
            await choose(here, person, TurnNotice.AT_ONCE)
        for _ in range(6):
            await next_turn(here)
            await here.wait(AT_ONCE_SECONDS + 1)
        assert notified(here) == []


async def test_a_player_who_wants_no_notifications_is_never_mentioned_not_even_by_the_warning(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        player = await turn(here)
        await choose(here, player, TurnNotice.NEVER)
        await next_turn(here)
        await next_turn(here)
        shown = here.shown.id
        await here.wait(75)
        assert at_turn(here) is player
        assert here.shown.id == shown
        assert WARNING in here.public_texts()[-1]  # the warning shows the others that the game will go on soon
        assert player.id not in notified(here)


@pytest.mark.spanish
async def test_preferences_are_private_and_shown_as_chosen(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba me")
        assert bea.messages(here.channel) == []
        for notice in (TurnNotice.NEVER, TurnNotice.AT_ONCE, TurnNotice.LATER):
            await set_notice(here, ana, notice.value)
            assert f"✅ **When it's your turn** · {TURN_NOTICE.text(notice, words('en'))}" in here.private_text(ana)
            assert here.bot.parts.preferences.cached(ana.id, TablePreferences).turn_notice is notice
        await choose(here, ana, TurnNotice.NEVER)
        await here.restart()
        await ana.slash(here.channel, "escoba me")
        assert await chosen(ana, here) == [TurnNotice.NEVER.value]
        set_locale(bea, "es-ES")
        await bea.slash(here.channel, "escoba me")
        assert "Tus preferencias" in here.private_text(bea)
        assert await chosen(bea, here) == [TurnNotice.LATER.value]


async def test_an_invalid_preference_is_refused(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba me")
        await forge(ana, ana.panel(here.channel), "m:turn_notice", ["loudly"])
        assert here.bot.parts.preferences.cached(ana.id, TablePreferences).turn_notice is TurnNotice.LATER


async def test_a_preference_of_a_newer_version_silences_and_says_so_until_another_is_chosen(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await newer(here, ana, '{"turn_notice": "digest", "coin": 1}')
        await choose(here, ana, TurnNotice.LATER)
        assert await chosen(ana, here) == [TurnNotice.LATER.value]
        assert refusal_text(CommonRefusal.FROM_NEWER) not in here.private_text(ana)
        text = await here.bot.parts.stores.preferences.get(ana.id)
        assert json.loads(text or "") == {"coin": 1, "turn_notice": "later"}


async def test_preferences_that_cannot_be_read_silence_and_are_left_alone(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await newer(here, ana, "<never/>")
        await choose(here, ana, TurnNotice.LATER)
        assert refusal_text(CommonRefusal.FROM_NEWER) in here.private_text(ana)
        assert turn_notice(here.bot.parts.preferences, ana.id) is TurnNotice.NEVER
        assert await here.bot.parts.stores.preferences.get(ana.id) == "<never/>"


async def newer(here: Room, person: Person, text: str) -> None:
    """Store what a newer version might, restart, and let the person look at it."""
    await here.bot.parts.stores.preferences.put(person.id, text)
    await here.restart()
    await person.slash(here.channel, "escoba me")
    assert "⚠️" in here.private_text(person)
    assert await chosen(person, here) == []
    assert turn_notice(here.bot.parts.preferences, person.id) is TurnNotice.NEVER


async def chosen(person: Person, here: Room) -> list[str]:
    """Open the screen of the choice, and return the values that its menu shows as selected."""
    await open_notice(here, person)
    [select] = [item for row in _rows(person.panel(here.channel)) for item in row if item.get("options")]
    return [option["value"] for option in select["options"] if option.get("default")]


def _rows(message: Message) -> list[list[dict[str, Any]]]:
    """The components of each row of a container."""
    return [row["components"] for row in components_of(message)[0]["components"] if row.get("components")]
