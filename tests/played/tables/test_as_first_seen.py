"""Clicks on buttons as they once looked: Discord lets them through as long as their custom_ids are the same."""

from typing import Any, cast

import discord
import pytest

from bot.tables.ids.game import VERSIONED, Verb
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.refused import Refused
from tests.support.limits_components import walk
from tests.support.people import Person, forge, text_of
from tests.support.phrases import STALE, YOUR_HAND, refusal_text


def button(person: Person, message: discord.Message, verb: str) -> str:
    """The custom_id of a message's button as it looks now."""
    return next(each.custom_id for each in person.buttons(message) if each.custom_id.split(":")[1] == verb)


def stored(here: Room, message: discord.Message) -> list[dict[str, Any]]:
    """A message's components as Discord has stored them, to be changed in place."""
    return here.people[0].stored(message).components


async def test_ten_people_press_join_on_the_lobby_as_they_first_saw_it(room_of: RoomOf):
    people = [f"P{number}" for number in range(11)]
    async with room_of(people) as here:
        await here.lobby()
        lobby = here.shown
        join = button(here.people[0], lobby, "join")
        for person in here.people[1:]:
            await person.click(lobby, join)
        assert [seat.name for seat in here.table.view().seats] == people[:4]
        assert {here.private_text(person) for person in here.people[4:]} == {refusal_text(TableRefusal.LOBBY_FULL)}


async def test_leaving_and_reading_the_rules_work_while_others_join(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        await here.lobby(bea)
        lobby = here.shown
        options = button(bea, lobby, "options")
        await here.press(ciro, here.shown, "join")
        await bea.click(lobby, options)
        await here.press(bea, here.private(bea), "rules")
        assert "📜" in here.private_text(bea)
        await here.press(bea, here.private(bea), "options")
        seen = here.private(bea)
        await here.press(dora, here.shown, "join")
        await here.press(bea, seen, "leave")
        assert [seat.name for seat in here.table.view().seats] == ["Ana", "Ciro", "Dora"]
        await ana.click(lobby, options)
        await here.press(ana, here.private(ana), "cancel")
        assert "Close this table" in here.private_text(ana)


async def test_what_leave_means_is_decided_when_it_is_pressed(room_of: RoomOf):
    async with room_of(2) as here:
        _, bea = here.people
        await here.lobby(bea)
        seen = await here.options(bea)
        leave = button(bea, seen, "leave")
        await here.press(bea, here.shown, "start")
        await bea.click(seen, leave)
        assert "Leave?" in text_of(bea.latest(here.channel, lambda each: each.id == seen.id))
        with pytest.raises(Refused, match="This interaction failed"):
            await bea.click(here.shown, leave)
        await forge(bea, here.shown, leave)  # on a lobby of 1.0, on its way when the match began
        assert "A robot plays on for you" not in here.public_text
        assert "Leave?" in here.private_text(bea)
        await here.press(bea, bea.panel(here.channel), "keep")
        assert here.table.phase is Phase.PLAYING


async def test_my_hand_and_the_rules_work_while_computers_play(room_of: RoomOf):
    async with room_of(1, computer_seconds=1) as here:
        [ana] = here.people
        await here.lobby()
        for _ in range(3):
            await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        board, table = here.shown, here.table
        hand, guide = (button(ana, board, verb) for verb in ("hand", "guide"))
        await ana.click(board, hand)
        versions: set[int] = set()
        while len(versions) < 6:
            if (view := table.seat_view(0)) is not None and view.has_turn:
                await here.play(ana, view.moves[0], view)
            await here.wait(1)
            versions.add(table.view().version)
            await ana.click(board, hand)
            assert YOUR_HAND in here.private_text(ana)
            await ana.click(board, guide)
            assert "The deal:" in here.private_text(ana)


async def test_the_buttons_below_the_hand_stay_the_same_from_turn_to_turn(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await here.lobby(variant="quince")  # a preset in which missed captures may be claimed
        await here.press(ana, here.shown, "addc")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        table, panel = here.table, here.panel(ana)
        says = {"panel": YOUR_HAND, "claim": "**Claim:**", "hint": "💡"}
        ids: dict[str, set[str]] = {verb: set() for verb in says}
        for _ in range(3):
            while not (view := table.seat_view(0)).has_turn:  # type: ignore[union-attr]
                await here.wait(1)
            for each in ana.buttons(panel):
                verb = each.custom_id.split(":")[1]
                if verb in says:
                    ids[verb].add(each.custom_id)
                    await ana.click(panel, each.custom_id)
                    assert says[verb] in here.private_text(ana)
                    for back in ids["panel"]:
                        await ana.click(panel, back)
            await here.play(ana, view.moves[0], view)  # type: ignore[union-attr]
        assert [len(each) for each in ids.values()] == [0, 1, 1], "where a hint is offered, Refresh isn't"


async def test_buttons_from_before_an_update_still_work(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        _name_versions(here, here.shown)
        await here.press(bea, here.shown, "join")
        _name_versions(here, here.shown)
        await here.options(bea, "leave")
        await here.press(bea, here.shown, "join")
        await here.press(ana, here.shown, "start")
        _name_versions(here, here.shown)
        await here.press(ana, here.shown, "hand")
        assert YOUR_HAND in here.private_text(ana)
        _name_versions(here, here.panel(ana))
        await here.press(ana, here.panel(ana), "panel")
        assert STALE not in here.private_text(ana)


def _name_versions(here: Room, message: discord.Message) -> None:
    """Make all buttons of a message name an outdated version; in earlier releases all buttons named one."""
    changed = 0
    for _, node in walk(stored(here, message)):
        _, verb, *rest = str(node.get("custom_id", "::")).split(":")
        if verb and verb not in Verb.marked(VERSIONED):
            cast("dict[str, Any]", node)["custom_id"] = f"e:{verb}:{rest[0]}:1"
            changed += 1
    assert changed
