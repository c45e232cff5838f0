"""A rematch invites the players by name, seats those who press, and starts once everybody is there."""

from __future__ import annotations

from bot.tables.log.events import Phase
from tests.played.conftest import RoomOf
from tests.support.people import text_of


async def test_a_rematch_names_the_missing_players_and_starts_when_all_have_pressed(room_of: RoomOf):
    async with room_of(4) as here:
        await here.begin(pairs=True, target=5)
        before = [seat.name for seat in here.table.view().seats]
        await here.play_out()
        result, ana, bea, ciro, dora = here.shown, *here.people
        await here.press(dora, result, "rematch")
        lobby = here.shown
        assert "**Dora** wants a rematch." in text_of(lobby)
        assert all(person.mention in text_of(lobby) for person in (ana, bea, ciro))
        assert here.tap.requests[-1].body["data"]["allowed_mentions"]["users"] == [ana.id, bea.id, ciro.id]
        await here.press(bea, result, "rematch")
        assert "You have a seat at the rematch." in here.private_text(bea)
        await here.press(ana, ana.panel(here.channel), "rematch")
        assert here.table.phase is Phase.LOBBY
        assert bea.mention not in text_of(here.shown)
        await here.restart(killed=True)
        await here.press(ciro, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert [seat.name for seat in here.table.view().seats] == before  # with the same partners


async def test_a_rematch_against_computers_starts_at_once(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby(target=5)
        await here.press(ana, here.shown, "addhard")
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        seats = here.table.view().seats
        await here.play_out()
        await here.press(ana, here.shown, "rematch")
        assert here.table.phase is Phase.PLAYING
        assert here.table.view().seats == seats  # the same character at the same level


async def test_with_a_new_player_a_rematch_waits_for_start_to_be_pressed(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2, target=5)
        await here.play_out()
        result, ana, bea, ciro = here.shown, *here.people
        await here.press(ana, result, "rematch")
        await here.press(ciro, result, "rematch")
        assert ciro.sees(here.channel)[-1].startswith("There is a game in this channel already.")
        await here.press(ciro, here.shown, "join")
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.LOBBY  # three are seated where two played
        await here.press(bea, here.shown, "start")
        assert len(here.table.view().seats) == 3


async def test_a_player_who_left_the_match_is_not_invited(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(target=5)
        ana, bea, ciro = here.people
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        here.people = [ana, ciro]
        await here.play_out()
        await here.press(ana, here.shown, "rematch")
        assert ciro.mention in here.public_text
        assert bea.mention not in here.public_text


async def test_an_invitation_forgets_a_player_whose_data_was_erased(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(target=5)
        await here.play_out()
        ana, bea = here.people
        await here.press(ana, here.shown, "rematch")
        game_id = here.table.id
        await bea.slash(here.channel, "escoba privacy")
        await bea.press(bea.panel(here.channel), custom_id="^p:erase$")
        await bea.press(bea.panel(here.channel), custom_id="^p:eraseyes$")
        entries = await here.bot.store.log(game_id)
        assert not any(str(bea.id) in entry.body or "Bea" in entry.body for entry in entries)
        assert bea.mention not in here.public_text
