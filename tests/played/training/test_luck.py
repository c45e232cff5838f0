"""Was it luck? A moment after the end of a match its result says what the cards brought, with one edit at most."""

import asyncio
import re
from datetime import datetime
from typing import Any

import pytest

from bot.tables.parts import TableParts
from bot.tables.store.logs import Games
from bot.thinking import InlineThinker, Urgency
from bot.thinking.port import Work
from tests.played import brief
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import text_of

GAMES = 5
OWN = re.compile(r"^-# 🎲 With your cards, average players come out at [+−]?\d+\.\d ± \d+\.\d in a ", re.MULTILINE)
LINE = re.compile(r"^-# (.+): [+−]?(\d+\.\d) ± (\d+\.\d) by the cards · [+−]?(\d+\.\d) in fact$", re.MULTILINE)


async def end(here: Room, **options: Any) -> None:
    await here.begin(target=5, **options)
    await here.finish()


def luck_told(here: Room) -> list[str]:
    """The names of the players whose luck the public result shows."""
    return [name for name, *_ in LINE.findall(here.public_text)]


def edits(here: Room) -> int:
    """How many requests edited a message in the channel and counted towards its budget."""
    return len([each for each in here.tap.requests if each.method == "PATCH" and each.path.startswith("/channels/")])


class Held:
    """Holds back the thinker's answers about luck until `let_go`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Event()
        self.room: Room | None = None
        solve = InlineThinker.solve

        async def held(thinker: InlineThinker, work: Work[Any], urgency: Urgency, person: int | None = None) -> Any:
            assert self.room is not None
            if not self.gate.is_set():
                await self.room.env.external_wait(self.gate.wait(), reason="luck")
            return await solve(thinker, work, urgency, person)

        monkeypatch.setattr(InlineThinker, "solve", held)

    async def let_go(self) -> None:
        """Let all questions be answered."""
        assert self.room is not None
        self.gate.set()
        await self.room.env.settle()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


async def stored(here: Room) -> str | None:
    [(_, result)] = (await here.bot.parts.stores.personal_data.of(here.people[0].id)).results
    return result.luck


async def test_the_result_and_the_panels_show_it_with_one_more_edit(
    room_of: RoomOf, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[int | None] = []
    set_message = Games.set_message

    async def noting(games: Games, game_id: int, message_id: int | None, at: datetime | None) -> None:
        noted.append(message_id)
        await set_message(games, game_id, message_id, at)

    monkeypatch.setattr(Games, "set_message", noting)
    async with room_of(2, chance=brief.TWO, luck_games=GAMES) as here:
        held.room = here
        await end(here)
        result, before = here.shown, edits(here)
        assert luck_told(here) == []
        await held.let_go()
        assert sorted(luck_told(here)) == ["Ana", "Bea"]
        assert edits(here) == before + 1
        assert here.shown.id == result.id
        assert all(OWN.search(here.private_text(person)) for person in here.people)
        assert await stored(here) is not None
        assert noted.count(None) == 1, "the end is noted as shown only once"
        assert here.bot.host.of(TableParts).presenter._ended == here.bot.host.of(TableParts).presenter._boards == {}, (
            "nothing is kept of the match"
        )
        await here.press(here.people[0], here.shown, "rematch")
        assert len(here.bot.host.of(TableParts).presenter._boards) == 1


@pytest.mark.parametrize("which", thorough_but(["rematch", "over", "deleted"], "rematch"))
async def test_once_people_have_begun_something_else_the_result_stays_as_it_is(
    room_of: RoomOf, held: Held, which: str
) -> None:
    async with room_of(2, chance=brief.TWO, luck_games=GAMES) as here:
        held.room = here
        await end(here)
        ana, result = here.people[0], here.shown
        if which == "deleted":
            await here.bot.parts.stores.kept.drop_games(here.world.guild.id)
        else:
            await here.press(ana, result, "rematch")
        if which == "over":
            await here.end(ana)
        before = edits(here)
        await held.let_go()
        assert edits(here) == before
        assert not LINE.search(text_of(result))
        assert here.bot.host.of(TableParts).presenter._ended == {}
        if which != "deleted":
            assert await stored(here) is not None, "it is part of the result all the same"


async def test_a_cancelled_match_shows_no_luck(room_of: RoomOf) -> None:
    async with room_of(2, luck_games=GAMES) as here:
        await here.begin(friendly=True, target=5)
        ana = here.people[0]
        await here.end(ana)
        assert "luck" not in here.public_texts()[-1]


@pytest.mark.thorough
async def test_a_bot_that_stops_before_it_is_known_leaves_the_result_as_it_is(room_of: RoomOf, held: Held) -> None:
    async with room_of(2, chance=brief.TWO, luck_games=GAMES) as here:
        held.room = here
        await end(here)
        await here.restart()
        held.gate.set()
        before = edits(here)
        await here.env.settle()
        assert luck_told(here) == []
        assert edits(here) == before
