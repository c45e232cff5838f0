"""Reactions on players' panels: shown in the recap, quietly, and only where the server wants them."""

from bot.platform.eventlog import LogEntry
from bot.tables.boards.board import REACTION_SECONDS
from bot.tables.ids.game import Ref, Verb
from bot.tables.log.topics import Sign
from tests.played.tables.test_rules_editor import manager
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of

EDITS = "/channels/*/messages/*"
SENDS = "/channels/*/messages"


def signs(here: Room, person: Person) -> list[str]:
    """The signs that somebody's panel offers."""
    menus = [menu for menu in person.selects(here.panel(person)) if menu.custom_id.startswith("e:react:")]
    return [value for menu in menus for value in menu.values]


async def react(here: Room, person: Person, sign: str) -> None:
    """Choose a sign in the menu on somebody's panel."""
    await person.choose(here.panel(person), [sign], custom_id="^e:react:")


async def two_moves(here: Room, players: int = 2) -> tuple[Person, Person]:
    """Begin and play two moves. Returns the player who made the first, and who made the second."""
    await here.begin(players)
    first = here.people[here.table.view().match.turn or 0]  # type: ignore[union-attr]
    for person in here.people:
        await here.press(person, here.shown, "hand")
    for _ in range(2):
        await here.step(here.table, lambda view: view.moves[0])
    second = here.people[(here.people.index(first) + 1) % players]
    return first, second


async def test_a_reaction_stands_in_the_recap_after_the_move_and_after_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        bea, ana = await two_moves(here)
        assert signs(here, ana) == []  # the latest move is her own
        assert signs(here, bea) == [sign.value for sign in Sign]
        await react(here, bea, "clap")
        await here.wait(REACTION_SECONDS + 0.1)
        line = next(line for line in here.public_text.splitlines() if "👏" in line)
        assert line.endswith(f"👏 {bea.name}")
        assert f"**{ana.name}**" in line
        assert "👏" in text_of(here.panel(ana))
        assert signs(here, bea) == []  # one for each move
        await here.restart(killed=True)
        assert f"👏 {bea.name}" in here.public_text


async def test_a_reaction_leaves_the_others_buttons_and_the_deadline_as_they_are(room_of: RoomOf):
    async with room_of(2, turn_seconds=100) as here:
        bea, ana = await two_moves(here)
        before, panel = here.table.view(), here.panel(ana)
        buttons = [button.custom_id for button in ana.buttons(panel)]
        await here.wait(10)
        await react(here, bea, "huff")
        after = here.table.view()
        assert (after.version, after.deadline) == (before.version, before.deadline)
        assert [button.custom_id for button in ana.buttons(here.panel(ana))] == buttons


async def test_several_reactions_cost_one_edit_and_no_ping(room_of: RoomOf):
    async with room_of(3) as here:
        _, mover = await two_moves(here, 3)
        others = [person for person in here.people if person is not mover]
        edits, sent = len(here.tap.to("PATCH", EDITS)), len(here.tap.to("POST", SENDS))
        for person in others:
            await react(here, person, "gasp")
        await here.wait(REACTION_SECONDS + 0.1)
        assert len(here.tap.to("PATCH", EDITS)) == edits + 1
        assert len(here.tap.to("POST", SENDS)) == sent
        assert all(f"😱 {person.name}" in here.public_text for person in others)


async def test_a_server_can_turn_reactions_off(room_of: RoomOf):
    async with room_of(2) as here:
        boss, _ = manager(here)
        await here.setting(boss, "reactions", "off")
        bea, _ana = await two_moves(here)
        assert signs(here, bea) == []
        await forge(bea, here.panel(bea), Ref(here.table.id).custom_id(Verb.REACT), ["clap"])
        assert not await reactions_stored(here)


async def test_a_stranger_and_an_unknown_sign_leave_no_trace(room_of: RoomOf):
    async with room_of(3) as here:
        bea, _ana = await two_moves(here)
        stranger = here.people[2]
        for person, sign in ((stranger, "clap"), (bea, "shout")):
            await forge(person, here.shown, Ref(here.table.id).custom_id(Verb.REACT), [sign])
        assert not await reactions_stored(here)


async def reactions_stored(here: Room) -> list[LogEntry]:
    return [entry for entry in await here.bot.parts.stores.games.log(here.table.id) if entry.kind == "reacted"]
