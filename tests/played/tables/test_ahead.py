"""If … then …, by click: what one sees of a card that one has named, and that nobody else does."""

import json
import logging
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.moves import Play
from bot.privacy.live.personal_data import personal_data
from bot.tables.log.ahead import Ahead
from bot.tables.log.events import Phase
from bot.tables.store import ahead as store
from bot.tables.store.ahead import of_user
from bot.tables.store.logs import Games
from tests.played.tables.test_slow_match import at_a_day_a_turn
from tests.support.escoba import Room, RoomOf, room
from tests.support.people import Person, text_of


def menu_of(here: Room, person: Person) -> dict[str, str]:
    """The values of the menu with their labels, if the person's panel has it."""
    found = [each for each in person.selects(here.panel(person)) if each.custom_id.startswith("e:ahead:")]
    return dict(zip(found[0].values, found[0].labels, strict=True)) if found else {}


async def kept(here: Room, person: Person) -> list[str]:
    rows = await here.bot.parts.stores.database.read(of_user, person.id)
    return [str(ahead.card) for _, ahead in rows]


async def choose(here: Room, person: Person, value: str) -> None:
    await person.choose(here.panel(person), [value], custom_id="^e:ahead:")


async def test_a_card_is_named_shown_withdrawn_and_played(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        table = here.table
        await here.press(current, here.shown, "hand")
        assert menu_of(here, current) == {}, "in one's own turn one just plays"
        options = menu_of(here, other)
        assert {each.rpartition(", ")[2] for each in options.values()} == {"whatever comes", "if they take nothing"}
        value = next(iter(options))
        await choose(here, other, value)
        assert await kept(here, other) == [value.partition("-")[0]]
        assert "none" in menu_of(here, other), "it can be withdrawn"
        await choose(here, other, "none")
        assert await kept(here, other) == []
        assert "none" not in menu_of(here, other)
        await choose(here, other, value)
        await here.restart()
        await here.press(other, here.shown, "hand")
        assert "none" in menu_of(here, other), "it can be withdrawn"
        await here.press(current, here.shown, "hand")
        seat, version = here.seat_of(other), here.table.view().version
        view = here.table.seat_view(here.seat_of(current))
        assert view is not None
        move = next(each for each in view.moves if isinstance(each, Play))
        await here.step(here.table, lambda _: move)
        now = here.table.view()
        assert now.phase is Phase.PLAYING
        assert await kept(here, other) == [], "its turn has come, so it is forgotten"
        played = now.version - version
        assert played == (1 if now.match.turn == seat else 2)  # type: ignore[union-attr]
        assert table.id == here.table.id


async def test_nothing_that_anybody_else_gets_has_it(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, stranger = here.people
        here.people = [ana, bea]
        current, other = await at_a_day_a_turn(here)
        await here.press(current, here.shown, "hand")
        value = next(iter(menu_of(here, other)))
        sent = len(here.tap.requests)
        await choose(here, other, value)
        await here.env.settle()
        for request in here.tap.requests[sent:]:
            text = json.dumps(request.body, default=str)
            assert value not in text or request.viewer == other.id, request.path
        for person in (current, stranger):
            for message in person.messages(here.channel):
                assert "whatever comes" not in text_of(message)
                assert value not in "".join(each.custom_id for each in person.buttons(message))
        assert all(value not in each.custom_id for each in other.buttons(here.panel(other)))
        entries = await here.bot.parts.stores.games.log(here.table.id)
        assert not any("ahead" in entry.kind or "untaken" in entry.body for entry in entries)


async def evening(folder: Path, choice: int) -> tuple[list[str], list[str], str]:
    """Name the first or the second card, and finish what the others then do; returns what all but its person got, what
    was logged, and the log of the match with the export of another player, before the end."""
    logged: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append(f"{record.name} {record.getMessage()}")  # type: ignore[method-assign]
    (folder / str(choice)).mkdir()
    async with room(folder / str(choice), 3) as here:
        ana, bea, stranger = here.people
        here.people = [ana, bea]
        current, other = await at_a_day_a_turn(here)
        sent = len(here.tap.requests)
        logging.getLogger("bot").addHandler(handler)
        level = logging.getLogger("bot").level
        logging.getLogger("bot").setLevel(logging.DEBUG)
        try:
            await choose(here, other, list(menu_of(here, other))[choice])
            for person in (current, stranger):
                await person.slash(here.channel, "escoba games")
                await here.press(person, here.shown, "hand")
                await here.open_data(person)
        finally:
            logging.getLogger("bot").removeHandler(handler)
            logging.getLogger("bot").setLevel(level)
        others = [
            json.dumps([each.path.split("simcord")[0], each.body, [file.name for file in each.files]], default=str)
            for each in here.tap.requests[sent:]
            if each.viewer != other.id
        ]
        entries = await here.bot.parts.stores.games.log(here.table.id)
        export = await personal_data(
            here.bot.parts.stores.personal_data, here.bot.parts.stores.games, current.id, here.env.now()
        )
        return others, logged, json.dumps([[each.body for each in entries], export], default=str)


async def test_whichever_card_is_named_everybody_else_gets_the_same(tmp_path: Path):
    """Payloads, names of files, lines of the log, the match's log, and the exports of others."""
    one, other = [await evening(tmp_path, choice) for choice in (0, 2)]
    assert one == other
    assert one[0]


@pytest.mark.parametrize("leak", ["log", "export"])
async def test_a_leak_of_the_named_card_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str):
    keep = Games.name_ahead
    named: list[str] = []

    async def telling(self: Games, game_id: int, user_id: int, ahead: Ahead | None) -> None:
        named.append("" if ahead is None else str(ahead.card))
        if leak == "log":
            logging.getLogger("bot.tables").debug("Named ahead: %s", named[-1])
        await keep(self, game_id, user_id, ahead)

    monkeypatch.setattr(Games, "name_ahead", telling)
    if leak == "export":
        monkeypatch.setattr(store, "of_user", lambda connection, user_id: _everybodys(connection))
    one, other = [await evening(tmp_path, choice) for choice in (0, 2)]
    assert len(set(named)) == 2
    assert one != other


async def _everybodys(connection: AsyncConnection) -> tuple[tuple[int, Ahead], ...]:
    """Take everybody's cards for one's own."""
    found = await connection.execute(sa.text("SELECT user_id FROM ahead_cards"))
    return tuple([each for (user_id,) in found.all() for each in await of_user(connection, user_id)])


async def test_it_is_in_ones_own_export_alone_and_erased_with_the_person(room_of: RoomOf):
    async with room_of(2) as here:
        current, other = await at_a_day_a_turn(here)
        value = next(iter(menu_of(here, other)))
        await choose(here, other, value)
        stores = here.bot.parts.stores
        own, theirs = [await stores.personal_data.of(person.id) for person in (other, current)]
        assert [str(ahead.card) for _, ahead in own.ahead] == [value.partition("-")[0]]
        assert theirs.ahead == ()
        await here.open_data(other)
        await stores.personal_data.forget(other.id, None, here.env.now())  # type: ignore[arg-type] - no log is rewritten
        assert await kept(here, other) == []
