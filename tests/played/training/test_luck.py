"""Was it luck? A moment after the end of a match its review can tell; the result is edited no more for that."""

import pytest

from bot.tables.boards.presenter import Presenter
from bot.tables.parts import TableParts
from bot.tables.store.evenings import EveningMatches
from tests.played import brief
from tests.support.escoba import Room, RoomOf

GAMES = 5


def presenter(here: Room) -> Presenter:
    return here.bot.host.of(TableParts).presenter


async def test_it_is_stored_and_stands_in_the_review_without_an_edit_of_the_result(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[int] = []
    end_shown = EveningMatches.end_shown

    async def noting(matches: EveningMatches, game_id: int, message_id: int | None) -> None:
        noted.append(game_id)
        await end_shown(matches, game_id, message_id)

    monkeypatch.setattr(EveningMatches, "end_shown", noting)
    async with room_of(2, chance=brief.TWO, luck_games=GAMES) as here:
        await here.begin(target=5)
        await here.finish()
        ana = here.people[0]
        result, text, before = here.shown, here.public_text, len(here.tap.requests)
        await here.env.advance_time(30)
        assert here.tap.requests[before:] == []
        assert (here.shown.id, here.public_text) == (result.id, text)
        [(_, stored)] = (await here.bot.parts.stores.personal_data.of(ana.id)).results
        assert stored.luck is not None
        assert len(noted) == 1, "the end is noted as shown only once"
        assert presenter(here)._boards == {}, "nothing is kept of the match"
        assert not any("🎲" in told for told in (text, here.private_text(ana)))
        await here.press(ana, here.private(ana), "review")
        await here.env.settle()
        assert "🎲 Was it luck?" in here.private_text(ana)
