"""People who have changed their names are shown by the new one once they have clicked, also after a restart."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.people import Person as Player
from bot.tournaments.parts import TournamentParts
from tests.played.server.test_privacy import erase
from tests.played.tournaments.evening import Evening
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person

NEW = "Xenia"


def rename(here: Room, person: Person, name: str = NEW) -> None:
    """Change somebody's name on the server."""
    here.env.backend.get_member(here.world.guild.id, person.id).nick = name


def stored(folder: Path) -> str:
    """Everything that the database holds."""
    [path] = folder.glob("*.sqlite3")
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())


@contextmanager
def statements(here: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the store is asked for within the block."""
    found = list[str]()
    with monkeypatch.context() as patched:
        database = here.bot.parts.stores.database
        for name in ("read", "write"):
            before = getattr(database, name)

            async def counted(work: Any, *args: Any, call: Any = before, **kwargs: Any) -> Any:
                found.append(getattr(getattr(work, "func", work), "__qualname__", str(work)))
                return await call(work, *args, **kwargs)

            patched.setattr(database, name, counted)
        yield found


async def test_a_match_shows_the_new_name_of_somebody_who_has_clicked(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin()
        rename(here, ana)
        assert "Ana" in here.public_text
        await here.press(ana, here.shown, "hand")
        await here.env.settle()
        assert "Ana" not in here.public_text
        assert NEW in here.public_text
        await here.press(bea, here.shown, "hand")
        assert NEW in here.private_text(bea)
        await here.restart()
        await here.press(bea, here.shown, "hand")
        assert "Ana" not in here.public_text + here.private_text(bea)
        assert NEW in here.public_text
        await here.press(ana, here.shown, "hand")
        await here.finish()
        assert NEW in here.public_text


async def test_a_lobby_shows_the_new_names_of_those_who_wait_in_it(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea)
        rename(here, bea)
        await here.press(ciro, here.shown, "join")
        assert "Bea" in here.public_text, "she hasn't clicked"
        await bea.slash(here.channel, "escoba me")
        await here.env.settle()
        assert f"2. **{NEW}**" in here.public_text
        assert ana.name in here.public_text


async def test_a_name_on_one_server_is_nothing_to_another(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        await here.bot.host.met(here.world.guild.id + 1, Player(ana.id, NEW))
        await here.env.settle()
        assert "Ana" in here.public_text


async def test_a_name_that_cannot_be_stored_is_tried_again_at_the_next_click(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        rename(here, ana)

        async def fails(*_: object) -> None:
            raise StoreUnavailable(Fault.LOCKED, "locked")

        with monkeypatch.context() as patched:
            patched.setattr(here.bot.parts.stores.names, "rename_in_logs", fails)
            await here.press(ana, here.shown, "hand")
            assert "Ana" in here.public_text
        await here.press(ana, here.shown, "hand")
        await here.env.settle()
        assert NEW in here.public_text


async def test_a_match_that_cannot_be_read_after_a_rename_is_read_at_the_next_click(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        rename(here, ana)

        async def fails(*_: object) -> None:
            raise StoreUnavailable(Fault.LOCKED, "locked")

        with monkeypatch.context() as patched:
            patched.setattr(here.bot.parts.stores.games, "log", fails)
            await here.press(ana, here.shown, "hand")
            assert "Ana" in here.public_text
        await here.press(ana, here.shown, "hand")
        await here.env.settle()
        assert NEW in here.public_text


async def test_a_name_that_looks_like_another_is_told_apart(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        rename(here, ana, "BEA")
        await here.press(ana, here.shown, "hand")
        await here.env.settle()
        assert "△ BEA" in here.public_text
        assert "□ Bea" in here.public_text


async def test_leaderboards_show_the_new_name_before_the_next_match(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin()
        await here.finish()
        await here.restart()
        rename(here, ana)
        await ana.slash(here.channel, "escoba rules")
        await here.env.settle()
        await bea.slash(here.channel, "escoba leaderboard")
        assert NEW in here.private_text(bea)
        assert "Ana" not in here.private_text(bea)
        assert await here.bot.parts.stores.standings.differences(here.world.guild.id) == [], "as if worked out again"


async def test_a_rename_that_was_cut_short_is_finished_after_a_restart(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin()
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        rename(here, ana)

        async def fails(*_: object) -> None:
            raise StoreUnavailable(Fault.LOCKED, "locked")

        with monkeypatch.context() as patched:
            patched.setattr(here.bot.parts.stores.names, "rename", fails)
            await ana.slash(here.channel, "escoba rules")
        await here.restart()
        await ana.slash(here.channel, "escoba rules")
        await here.env.settle()
        await bea.slash(here.channel, "escoba leaderboard")
        assert NEW in here.private_text(bea)
        assert "Ana" not in here.private_text(bea)


async def test_a_tournament_shows_the_new_name(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, _ = here.people
        evening = Evening(here)
        await evening.announce(format="knockout", target="7")
        for person in here.people:
            await evening.press(person, "join")
        rename(here, bea)
        await bea.slash(here.channel, "escoba me")
        await here.env.settle()
        await evening.wait()
        assert f"▫️ {ana.name}\n▫️ {NEW}" in evening.text
        await here.restart()
        [live] = here.bot.host.of(TournamentParts).tournaments.within()
        assert [entry.people[0].name for entry in live.state.entries] == ["Ana", NEW, "Ciro"]


async def test_an_erased_person_leaves_neither_name_behind(room_of: RoomOf, tmp_path: Path):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        rename(here, ana)
        await here.press(ana, here.shown, "hand")
        await here.env.settle()
        assert NEW in stored(tmp_path)
        assert '"Ana"' not in stored(tmp_path), "nothing keeps the old one"
        await erase(here, ana)
        await here.env.settle()
        assert NEW not in stored(tmp_path)


async def test_a_click_asks_nothing_of_the_store_unless_its_person_has_a_new_name(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin()
        with statements(here, monkeypatch) as asked:
            for _ in range(3):
                await here.press(ana, here.shown, "hand")
        assert not [each for each in asked if "names" in each or "rename" in each or "outdated" in each]
        rename(here, ana)
        with statements(here, monkeypatch) as asked:
            await here.press(ana, here.shown, "hand")
        assert [each for each in asked if "rename_in" in each]
        with statements(here, monkeypatch) as asked:
            await here.press(ana, here.shown, "hand")
        assert not [each for each in asked if "rename" in each or "outdated" in each]
