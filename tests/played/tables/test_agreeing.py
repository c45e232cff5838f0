"""Whatever is changed in a lobby needs the OK of everybody else who sits there, as people see it."""

import pytest

from bot.tables.log.events import Phase
from bot.tables.log.pace import DAY, OK_SECONDS, Tempo
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge
from tests.support.phrases import refusal_text

MISSING = refusal_text(TableRefusal.OK_MISSING)


def waits_for(here: Room) -> list[str]:
    """Whom the lobby asks for an OK."""
    return [seat.name for seat in here.table.view().seats if seat.agreed is not None]


def offers_ok(here: Room) -> bool:
    return any(each.label == "OK" for each in here.people[0].buttons(here.shown))


async def start(here: Room, person: Person) -> None:
    await here.press(person, here.shown, "start")


async def test_nobody_finds_themselves_in_a_rated_match_that_was_friendly_when_they_sat_down(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby()
        await here.options(ana, "rated", "f")
        await here.press(bea, here.shown, "join")
        assert not offers_ok(here)
        await here.options(ana, "rated", "r")
        assert "⏳ New: 🏅 rated. The start waits for **Bea** to press **OK**" in here.public_text
        await start(here, ana)
        assert here.private_text(ana) == MISSING
        await here.restart(killed=True)
        await start(here, ana)
        assert here.private_text(ana) == MISSING
        await here.press(bea, here.shown, "agree")
        assert not offers_ok(here)
        await start(here, ana)
        assert here.table.phase is Phase.PLAYING
        assert here.table.view().config.rated


async def test_the_lobby_says_in_one_line_what_is_new(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea)
        lines = len(here.public_text.splitlines())
        await here.options(bea, "rules")
        await bea.choose(here.private(bea), ["preset"], custom_id="^e:rule:")
        await bea.choose(here.private(bea), ["quince"], custom_id="^e:preset:")
        await here.choose_option(bea, "target", "15")
        await here.choose_option(bea, "tempo", Tempo.QUICK)
        assert (
            "New: Escoba de quince · To 15 points · 1 minute per turn. The start waits for **Ana**" in here.public_text
        )
        assert len(here.public_text.splitlines()) <= lines + 2  # the line of the pace is new, too
        await here.press(ciro, here.shown, "join")
        assert waits_for(here) == ["Ana"]
        await here.press(ciro, here.shown, "agree")
        assert waits_for(here) == ["Ana"]
        await here.options(ana, "rated", "f")
        assert waits_for(here) == ["Ana"], "making it friendly is no OK on the points"
        await start(here, ana)
        assert here.table.phase is Phase.PLAYING


async def test_the_start_leaves_out_whoever_does_not_answer_within_a_minute(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, ciro)
        await here.choose_option(ciro, "target", "11")
        await here.press(bea, here.shown, "agree")
        await here.wait(OK_SECONDS - 1)
        await start(here, bea)
        assert here.private_text(bea) == MISSING
        await here.wait(1)
        await start(here, bea)
        assert [seat.name for seat in here.table.view().seats] == ["Bea", "Ciro"]
        await here.press(ana, here.shown, "hand")
        assert refusal_text(TableRefusal.NOT_SEATED) in here.private_text(ana)


@pytest.mark.parametrize("tempo", [Tempo.DAY, Tempo.OPEN])
async def test_a_slow_table_waits_for_a_day_and_is_kept_for_longer(room_of: RoomOf, tempo: Tempo):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, ciro)
        await here.choose_option(ana, "tempo", tempo)
        await here.press(bea, here.shown, "agree")
        await here.wait(DAY - 1)
        await start(here, ana)
        assert here.private_text(ana) == MISSING
        await here.wait(1)
        await start(here, ana)
        assert [seat.name for seat in here.table.view().seats] == ["Ana", "Bea"]


async def test_an_ok_that_was_pressed_before_a_further_change_is_for_nothing(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await here.choose_option(ana, "target", "11")
        older = next(each.custom_id for each in bea.buttons(here.shown) if each.label == "OK")
        await here.choose_option(ana, "target", "15")
        await forge(bea, here.shown, older)
        assert waits_for(here) == ["Bea"]
        await start(here, ana)
        assert here.private_text(ana) == MISSING


async def test_a_rematch_pressed_below_the_result_is_for_what_was_played_there(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.finish()
        ana, bea = here.people
        result = here.shown
        await here.press(ana, result, "rematch")
        await here.choose_option(ana, "target", "11")
        await here.press(bea, result, "rematch")
        assert here.private_text(bea) == refusal_text(TableRefusal.CHANNEL_BUSY)
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert here.table.view().config.rules.target == 11
