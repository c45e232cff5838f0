"""Slow work: an interaction is deferred, then answered in the same way and to the same readers as without delay."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.kit.codec import base36
from bot.platform.people import Person as Player
from bot.platform.refusals import CommonRefusal
from bot.platform.transport import reply
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.played.test_pictures import in_words
from tests.support.dose import thorough_but
from tests.support.errors import Expected
from tests.support.escoba import Room, RoomOf
from tests.support.files import file_of
from tests.support.people import Person, forge, text_of
from tests.support.phrases import NO_SEAT, NOT_TURN, OPENS, REMATCH, YOUR_HAND, refusal_text, turn_line
from tests.support.recorded import log_events, store_log
from tests.support.wiretap import CALLBACK, Request

THINKING, WORKING = 5, 6
"""The types of deferred responses: a new message to come, and an edit of the clicked message to come."""
EPHEMERAL = 1 << 6
ADMIN = "escoba-admin"
PUBLIC_COMMANDS = {"play", "challenge", "table"}
"""The commands answered in public (`table` only to those who may have it posted); all others answer in private."""
PRIVATE_COMMANDS = (
    "solo",
    "hand",
    "rules",
    "settings",
    "leaderboard",
    "tournament",
    "stats",
    "games",
    "practice",
    "learn",
    "today",
    "me",
    ADMIN,
    "leave",
)
"Leaving comes last, because somebody who left a lobby can do less."


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_down(monkeypatch)


def slow_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every answer so slow that it is deferred first."""
    monkeypatch.setattr(reply, "DEFER_SECONDS", 0)
    for name in ("send_private", "send_public", "update", "modal"):
        monkeypatch.setattr(reply.Reply, name, late(getattr(reply.Reply, name)))


def late(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a way of answering so that it starts once the interaction has been answered or deferred."""

    @wraps(answer)
    async def when_deferred(self: reply.Reply, *values: Any, **options: Any) -> Any:
        for _ in range(500):
            if self._interaction.response.is_done():
                break
            await asyncio.sleep(0.001)
        return await answer(self, *values, **options)

    return when_deferred


DOTS = [{"type": 10, "content": "…"}]


class Since:
    """What the bot has sent since this was made."""

    def __init__(self, here: Room) -> None:
        self._here = here
        self._first = len(here.tap.requests)

    @property
    def requests(self) -> list[Request]:
        """All requests, in order."""
        return self._here.tap.requests[self._first :]

    @property
    def deferrals(self) -> list[tuple[int, bool]]:
        """The first responses: their types, and whether each was private."""
        first = [request for request in self.requests if CALLBACK.fullmatch(request.path)]
        return [(r.body["type"], bool((r.body.get("data") or {}).get("flags", 0) & EPHEMERAL)) for r in first]

    @property
    def readers(self) -> set[int | None]:
        """Who could read what was sent, even for a moment: users' ids, and None for everybody.

        The three dots shown before a deferred reply is deleted don't count.
        """
        said = [request for request in self.requests if request.message.get("components")]
        return {request.viewer for request in said if request.message["components"] != DOTS}


def seen_by_all(here: Room) -> list[tuple[int, str]]:
    """The messages that everybody sees, including "is thinking"."""
    looker = here.people[-1]
    return [(m.id, text_of(m)) for m in looker.messages(here.channel) if not m.flags.ephemeral]


def private_ids(here: Room, person: Person) -> set[int]:
    """The ids of a person's private messages."""
    return {message.id for message in person.messages(here.channel) if message.flags.ephemeral}


def thinking(here: Room) -> list[int]:
    """The ids of the messages, public or private, that still say that the bot is thinking."""
    stored = here.env.backend.messages.get(here.channel.id, {})
    return [message.id for message in stored.values() if message.flags & 1 << 7]


async def test_every_command_is_either_public_or_private(room_of: RoomOf):
    async with room_of(1) as here:
        found = here.bot.tree.walk_commands()
        names = {command.name for command in found if isinstance(command, app_commands.Command)}
        assert names == PUBLIC_COMMANDS | {*PRIVATE_COMMANDS}


@pytest.mark.parametrize(
    "state_and_who",
    thorough_but(["nothing-boss", "lobby-boss", "match-boss", "match-player", "match-stranger"], "match-boss"),
)
async def test_private_commands_stay_private_when_they_are_deferred(room_of: RoomOf, state_and_who: str):
    state, who = state_and_who.split("-")
    async with room_of(4) as here:
        boss, player, stranger, _ = here.people
        here.bot.owner_id = boss.id
        role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
        here.env.backend.add_member_role(here.world.guild.id, boss.id, role.id)
        if state == "lobby":
            await here.lobby(player)
        elif state == "match":
            await here.begin(2)
        person = {"boss": boss, "player": player, "stranger": stranger}[who]
        for command in PRIVATE_COMMANDS:
            if command == ADMIN and who != "boss":
                continue  # Discord doesn't allow it
            before, own, since = seen_by_all(here), private_ids(here, person), Since(here)
            result = await person.slash(here.channel, command if command == ADMIN else f"escoba {command}")
            assert since.deferrals == [(THINKING, True)], command
            assert result.ephemeral, command
            answers = [m for m in person.messages(here.channel) if m.flags.ephemeral and m.id not in own]
            assert len(answers) == 1, command
            assert text_of(answers[0]), command
            if (state, command) == ("lobby", "leave"):  # everybody sees in the lobby who has left it
                assert [number for number, _ in seen_by_all(here)] == [number for number, _ in before]
            else:
                assert seen_by_all(here) == before, command
                assert since.readers == {person.id}, command
            assert thinking(here) == [], command
            if command == "hand" and state == "match":
                assert (YOUR_HAND in text_of(answers[0])) == (who != "stranger")


# ---------------------------------------------------------------------------------- clicks


async def test_a_hand_opened_by_a_click_is_private(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        ana = here.people[0]
        before, since, older = seen_by_all(here), Since(here), here.panel(ana).id
        await here.press(ana, here.shown, "hand")
        assert since.deferrals == [(WORKING, False)]  # the table stays as it is until it changes
        assert since.readers == {ana.id}
        assert seen_by_all(here) == before
        assert here.panel(ana).id != older
        assert YOUR_HAND in text_of(here.panel(ana))


async def test_only_the_person_who_clicks_the_table_sees_the_answer(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        stranger = here.people[2]
        for verb in ("hand", "keep", "card", "nosuch"):
            before, own, since = seen_by_all(here)[0], private_ids(here, stranger), Since(here)
            await forge(stranger, here.shown, f"e:{verb}:1:{here.table.view().version}" + ":7o" * (verb == "card"))
            assert since.deferrals == [(WORKING, False)], verb
            assert since.readers == {stranger.id}, verb
            assert stranger.panel(here.channel).id not in own, verb
            assert text_of(stranger.panel(here.channel)), verb
            if verb == "hand":
                assert here.private_text(stranger) == NO_SEAT
            assert here.people[0].latest(here.channel, lambda m, before=before: m.id == before[0], ephemeral=False)
            assert text_of(here.shown) == before[1], verb


async def test_a_click_on_a_panel_is_answered_on_it(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(2)
        ana = here.people[0]
        panel, since = here.panel(ana), Since(here)
        await here.press(ana, panel, "panel")
        assert since.deferrals == [(WORKING, False)]
        hand = here.table.seat_view(here.seat_of(ana))
        assert hand is not None
        version = base36(here.table.view().version)
        await forge(ana, panel, f"e:card:{base36(here.table.id)}:{version}:{next(iter(hand.hand))}")
        assert here.panel(ana).id == panel.id
        assert NOT_TURN in text_of(here.panel(ana))
        assert since.readers == {ana.id}


async def test_an_answer_unrelated_to_the_clicked_private_message_is_a_new_message(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        ana = here.people[0]
        for verb, expected in (("hand", YOUR_HAND), ("nosuch", "out of date")):
            await here.open_data(ana)
            message, before, since = ana.panel(here.channel), seen_by_all(here), Since(here)
            await forge(ana, message, f"e:{verb}:1:3")
            assert since.deferrals == [(WORKING, False)], verb
            assert since.readers == {ana.id}, verb
            assert "Your data" in text_of(ana.latest(here.channel, lambda m, message=message: m.id == message.id))
            assert ana.panel(here.channel).id != message.id, verb
            assert expected in text_of(ana.panel(here.channel))
            assert seen_by_all(here) == before, verb


async def test_a_stale_click_on_the_table_leaves_the_table_up_to_date(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        since, before = Since(here), here.public_text
        await forge(here.people[0], here.shown, "e:next:1:1")
        assert since.deferrals == [(WORKING, False)]
        assert here.public_text == before


async def test_panels_that_came_late_are_updated_as_the_game_goes_on(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, bea = here.people
        await bea.slash(here.channel, "escoba hand")
        await here.press(ana, here.shown, "hand")
        panels = [here.panel(person).id for person in here.people]
        start = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > start + 2)
        assert [here.panel(person).id for person in here.people] == panels
        assert turn_line(here.table.view()) in here.public_text
        assert all(YOUR_HAND in text_of(here.panel(person)) for person in here.people)
        for person in here.people:
            await person.slash(here.channel, "escoba hand")
            assert not set(panels) & {m.id for m in person.messages(here.channel)}  # the older panel was deleted
        assert thinking(here) == []


async def test_no_modal_is_opened_once_it_is_too_late_for_one(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby()
        options = await here.options(ana)
        shown = await ana.choose(options, ["other"], custom_id="^e:target:")
        assert shown.modal is None
        await ana.choose(options, ["15"], custom_id="^e:target:")  # the options still work
        assert here.table.view().config.rules.target == 15


async def finished(here: Room) -> int:
    """Store a match that the first two people have finished; returns its number."""
    seated = [Player(person.id, person.name) for person in here.people[:2]]
    events = log_events("escoba", seated, target=5)
    return await store_log(here.bot.parts.stores, here.world.guild.id, here.channel.id, events, here.env.now())


@pytest.mark.thorough
async def test_a_slow_rematch_is_one_public_message_that_invites_the_others(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(3, chance=brief.TWO) as here:
        ana, bea, _ = here.people
        monkeypatch.undo()  # the match itself is played without delays
        await here.begin(2, target=5)
        await here.finish()
        slow_down(monkeypatch)
        before, own, since = seen_by_all(here), private_ids(here, ana), Since(here)
        await here.press(ana, here.shown, "rematch")
        assert since.deferrals == [(WORKING, False)]
        assert since.readers == {None}
        assert seen_by_all(here)[:-1] == before, "it comes below what was clicked"
        assert REMATCH.format("Ana") in here.public_text
        invitation = next(each for each in since.requests if REMATCH.format("Ana") in str(each.body))
        assert invitation.message["allowed_mentions"]["users"] == [bea.id]
        assert private_ids(here, ana) == own
        assert thinking(here) == []
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("command", "button"), [("leaderboard", "^r:show:"), pytest.param("stats", "^c:show:", marks=pytest.mark.thorough)]
)
async def test_a_slowly_shared_page_is_one_public_message(room_of: RoomOf, command: str, button: str):
    async with room_of(2) as here:
        ana, bea = here.people
        await finished(here)
        await ana.slash(here.channel, f"escoba {command}")
        asked = text_of(ana.panel(here.channel))
        own, since = private_ids(here, ana), Since(here)
        await ana.press(ana.panel(here.channel), custom_id=button)
        assert since.deferrals == [(WORKING, False)]
        assert since.readers == {None}
        [(_, shown)] = seen_by_all(here)
        assert "Shown by Ana" in shown
        assert (private_ids(here, ana), here.private_text(ana)) == (own, asked)
        assert thinking(here) == []
        assert not any(each.message.get("allowed_mentions", {}).get("users") for each in since.requests)
        assert bea.sees(here.channel) == [shown]


# ---------------------------------------------------------------------------------- public commands


async def test_a_slowly_opened_lobby_is_one_public_message(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        since = Since(here)
        await ana.slash(here.channel, "escoba play")
        assert since.deferrals == [(THINKING, False)]
        assert thinking(here) == []
        assert len(seen_by_all(here)) == 1
        assert OPENS.format("Ana") in here.public_text
        await here.press(bea, here.shown, "join")
        assert "2. **Bea**" in here.public_text
        old = here.shown.id
        await bea.slash(here.channel, "escoba table")
        assert thinking(here) == []
        assert here.shown.id != old
        await here.press(ana, here.shown, "start")
        assert turn_line(here.table.view()) in here.public_text


async def refused(here: Room, person: Person, command: str, *, private: bool = False) -> str:
    """Send a public command that must be refused without anybody else seeing it. Returns the private answer.

    `private`: the bot could tell at once that there will be no public answer.
    """
    before, own, since = seen_by_all(here), private_ids(here, person), Since(here)
    await person.slash(here.channel, f"escoba {command}")
    assert since.deferrals == [(THINKING, private)]
    assert thinking(here) == [], "the public deferred reply is deleted"
    assert seen_by_all(here) == before
    assert since.readers == {person.id}
    [answer] = [m for m in person.messages(here.channel) if m.flags.ephemeral and m.id not in own]
    return text_of(answer)


async def test_a_second_game_in_a_channel_is_refused_in_private(room_of: RoomOf):
    async with room_of(3) as here:
        await here.lobby()
        assert refusal_text(TableRefusal.CHANNEL_BUSY) in await refused(here, here.people[1], "play")


async def test_asking_for_a_table_where_there_is_none_is_refused_in_private(room_of: RoomOf):
    async with room_of(2) as here:
        assert await refused(here, here.people[0], "table", private=True) == refusal_text(
            TableRefusal.NO_GAME, here.bot.parts.wording.command_ids
        )


async def test_somebody_without_a_seat_sees_the_table_in_private(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        assert turn_line(here.table.view()) in await refused(here, here.people[2], "table", private=True)


async def test_a_table_that_wakes_late_is_public_even_if_the_deferral_was_private(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        before, since = here.shown.id, Since(here)

        async def wakes_late(channel_id: int) -> None:
            await asyncio.sleep(0.05)

        here.bot.host = replace(here.bot.host, wake=wakes_late)
        await here.people[0].slash(here.channel, "escoba table")
        assert since.deferrals == [(THINKING, True)]
        assert here.shown.id > before
        assert thinking(here) == []
        await here.press(here.people[1], here.shown, "hand")


async def test_a_game_that_cannot_be_stored_is_refused_in_private(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(2) as here:

        async def full(**values: Any) -> Any:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

        monkeypatch.setattr(here.bot.parts.stores.games, "open", full)
        assert await refused(here, here.people[0], "play") == refusal_text(CommonRefusal.UNAVAILABLE)


async def test_a_failing_public_command_is_answered_in_private(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, expected_errors: Expected
):
    async with room_of(2) as here:

        async def broken(**values: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(here.bot.parts.manager, "open", broken)
        expected_errors.append(("bot.platform.kit.interactions", "failed"))
        assert "wrong" in await refused(here, here.people[0], "play")


async def test_a_user_who_spams_a_public_command_is_rate_limited_in_private(room_of: RoomOf):
    async with room_of(2, clicks_per_10_seconds=2) as here:
        bea = here.people[1]
        for _ in range(2):
            await bea.slash(here.channel, "escoba play")
        for _ in range(2):
            assert await refused(here, bea, "play") == refusal_text(CommonRefusal.TOO_FAST)


async def test_a_hand_opens_in_words_where_discord_takes_no_picture_after_a_deferral(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        ana = here.people[0]
        since = Since(here)
        await here.press(ana, here.shown, "hand")
        assert in_words(here, here.panel(ana))
        assert [request.status for request in since.requests if request.files] == [400]
        await here.press(ana, here.panel(ana), "panel")
        assert not in_words(here, here.panel(ana)), "an edit may bring it"


@pytest.mark.thorough
async def test_the_file_with_somebodys_data_comes_after_a_deferral_too(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:data$")
        assert file_of(here, ana)[0] == "escoba-data.json"
        assert here.tap.refused == []
