"""Computer players as characters: who sits down, what they say, and the guild setting that silences them."""

import re
from random import Random

import pytest

from bot.engine.moves import Stage
from bot.platform.language.catalogues import words
from bot.tables.words.characters import HABITS, OTHERS, OWN, remark
from tests.played.tables.test_rules_editor import manager
from tests.support.escoba import Choose, Room, RoomOf
from tests.support.phrases import EN
from tests.support.tables.hall import state_of
from tests.support.truth import match_of

ESCOBAS = [*(line for lines in OWN.values() for line in lines), *OTHERS.values()]
LINES = [*ESCOBAS, *(line for lines in HABITS.values() for line in lines)]


async def said_in(here: Room) -> tuple[int, list[str]]:
    """Play against three computers until one could speak twice. Returns how often one could, and what was said."""
    ana = here.people[0]
    await here.lobby(target=21)
    for _ in range(3):
        await here.press(ana, here.shown, "addc")
    await here.press(ana, here.shown, "start")
    await here.press(ana, here.shown, "hand")
    rng = Random(7)
    choose: Choose = lambda view: rng.choice(view.moves)  # noqa: E731
    looked, times = set[int](), 0
    said: list[str] = []

    def could_speak() -> bool:
        return state_of(here.table).talk.remark is not None

    def look() -> None:
        nonlocal times
        view, match = here.table.view(), match_of(here.table)
        assert match is not None
        if match.stage is Stage.TO_PLAY and view.match is not None and view.version not in looked:
            looked.add(view.version)
            times += could_speak()
            lines = [line for line in LINES if f"“{line}”" in here.public_text]
            expected = remark(view, EN)
            assert len(lines) == (expected is not None)
            if expected is not None:
                assert expected in here.public_text
            said.extend(lines)

    look()
    while times < 2:
        await here.step(here.table, choose)
        look()
        if times < 2:
            await here.skip(choose, until=lambda _: could_speak())
            look()
    return times, said


@pytest.mark.spanish
@pytest.mark.thorough
async def test_a_character_comments_now_and_then_until_the_next_move_and_also_after_a_restart(room_of: RoomOf):
    async with room_of(1) as here:
        times, said = await said_in(here)
        assert len(said) == times == 2
        heard = remark(here.table.view(), EN)
        assert heard is not None
        assert "“" in heard
        await here.restart(killed=True)
        assert remark(here.table.view(), EN) == heard
        assert "«" in (remark(here.table.view(), words("es-419")) or "")


@pytest.mark.thorough
async def test_a_server_can_silence_the_characters(room_of: RoomOf):
    async with room_of(1) as here:
        boss, _ = manager(here)
        await here.setting(boss, "talk", "off")
        await here.restart()
        assert await said_in(here) == (2, [])


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_comment_on_an_escoba_names_a_card_and_none_is_long(language: str):
    t = words(language)
    assert all(len(t(line)) <= 80 for line in LINES)
    for line in ESCOBAS:
        said = set(re.findall(r"\w+", t(line).lower()))
        assert not said & {"oro", "oros", "copas", "espadas", "bastos", "seven", "siete", "king", "rey", "six", "seis"}
