"""A rematch invites the players by name, seats those who press, and starts once everybody is there."""

import pytest

from bot.platform.kit.throttle import TABLES, TABLES_WINDOW
from bot.tables.log.events import Phase
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of
from tests.support.phrases import refusal_text
from tests.support.truth import match_of

NOT_PLAYED = refusal_text(TableRefusal.NOT_PLAYED).partition("`")[0]


@pytest.mark.thorough
async def test_a_rematch_names_the_missing_players_and_starts_when_all_have_pressed(room_of: RoomOf):
    async with room_of(4, chance=brief.PAIRS) as here:
        await here.begin(pairs=True, target=5)
        before = [seat.name for seat in here.table.view().seats]
        await here.finish()
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


async def test_a_result_stays_what_it_is_for_whoever_joins_the_rematch_there(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.finish()
        ana, bea = here.people
        result, text = here.shown, here.public_text
        await here.press(ana, result, "rematch")
        await here.press(bea, result, "rematch")
        assert here.table.phase is Phase.PLAYING
        await here.env.settle()
        shown = next(each for each in ana.messages(here.channel) if each.id == result.id)
        assert text_of(shown) == text


async def test_a_rematch_asked_for_in_private_is_a_message_that_answers_none(room_of: RoomOf):
    """To all others an answer to a private message looks like one to a message that was deleted."""
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.finish()
        ana, bea = here.people
        assert here.tap.to("POST", f"/channels/{here.channel.id}/messages") == []
        await here.press(ana, ana.panel(here.channel), "rematch")
        assert "**Ana** wants a rematch." in here.public_text
        [posted] = here.tap.to("POST", f"/channels/{here.channel.id}/messages")
        assert posted.body["allowed_mentions"]["users"] == [bea.id]
        assert here.shown.reference is None
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert len(here.tap.to("POST", f"/channels/{here.channel.id}/messages")) == 1, "nobody is pinged twice"


async def cancel(here: Room, opener: Person) -> None:
    """End the open lobby."""
    await here.end(opener)


def pinged(here: Room) -> list[int]:
    """Whom the latest public message of a rematch's lobby pings."""
    lobbies = [each for each in here.tap.public() if "wants a rematch" in str(each.body)]
    return lobbies[-1].message["allowed_mentions"].get("users", [])


@pytest.mark.thorough
async def test_a_result_pings_its_willing_players_for_a_rematch_and_only_once(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE, clicks_per_10_seconds=200) as here:
        await here.begin(target=5)
        await here.finish()
        result, channel, (ana, bea, ciro) = here.shown, here.channel, here.people
        await here.never(ciro)
        await here.press(ana, result, "rematch")
        assert pinged(here) == [bea.id]
        assert all(person.mention in here.public_text for person in (bea, ciro))
        await ana.slash(channel, "escoba table")
        assert pinged(here) == []
        await here.options(ana, "thread")
        here.channel = channel.threads[-1]
        await cancel(here, ana)
        here.channel = channel
        await here.restart()
        for asker in (bea, *[ana] * TABLES):
            await here.press(asker, result, "rematch")
            assert f"**{asker.name}** wants a rematch." in here.public_text
            assert pinged(here) == []
            await cancel(here, asker)
        await here.press(ana, result, "rematch")
        assert refusal_text(TableRefusal.TOO_MANY_OPENED) in here.private_text(ana)


async def test_nobody_opens_and_ends_tables_again_and_again(room_of: RoomOf):
    async with room_of(2, clicks_per_10_seconds=200) as here:
        ana, bea = here.people
        for _ in range(TABLES):
            await ana.slash(here.channel, "escoba play")
            await cancel(here, ana)
        await ana.slash(here.channel, "escoba play")
        assert refusal_text(TableRefusal.TOO_MANY_OPENED) in here.private_text(ana)
        await bea.slash(here.channel, "escoba play")
        await cancel(here, bea)
        await here.wait(TABLES_WINDOW.total_seconds() + 1)
        await ana.slash(here.channel, "escoba play")
        assert here.table.phase is Phase.LOBBY


async def test_a_rematch_against_computers_starts_at_once(room_of: RoomOf):
    async with room_of(1) as here:
        ana = await here.lobby(target=5)
        await here.press(ana, here.shown, "addc")
        await here.choose_option(ana, "comp", "easy", seat=1)
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        seats = here.table.view().seats
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        assert here.table.phase is Phase.PLAYING
        assert here.table.view().seats == seats  # the same character at the same level


@pytest.mark.thorough
async def test_an_outsider_cannot_ask_for_a_rematch_but_may_join_it_and_then_start_must_be_pressed(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        await here.begin(2, target=5)
        await here.finish()
        result, ana, bea, ciro = here.shown, *here.people
        before = here.public_texts()
        await here.press(ciro, result, "rematch")
        assert NOT_PLAYED in here.private_text(ciro)
        assert here.public_texts() == before
        await here.press(ana, result, "rematch")
        await here.press(ciro, result, "rematch")
        assert ciro.sees(here.channel)[-1].startswith("There's already a table in this channel.")
        await here.press(ciro, here.shown, "join")
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.LOBBY  # three are seated where two played
        await here.press(bea, here.shown, "start")
        assert len(here.table.view().seats) == 3


async def test_the_deal_passes_on_in_a_rematch_with_the_same_seats(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO) as here:
        await here.begin(2, target=5)
        ana, bea, ciro = here.people
        first = match_of(here.table)
        assert first is not None
        dealers = [first.dealer]
        for asker in (bea, ana):
            await here.finish()
            result = here.shown
            await here.press(asker, result, "rematch")
            await here.restart(killed=True)
            await here.press(bea if asker is ana else ana, here.shown, "join")
            again = match_of(here.table)
            assert again is not None
            dealers.append(again.dealer)
            assert [seat.name for seat in here.table.view().seats] == ["Ana", "Bea"]
            for person in (ana, bea):
                await here.press(person, here.shown, "hand")
        assert dealers == [first.dealer, 1 - first.dealer, first.dealer]
        await here.finish()
        await here.press(bea, here.shown, "rematch")
        await here.press(ciro, here.shown, "join")
        await here.press(bea, here.shown, "start")
        drawn = match_of(here.table)
        assert drawn is not None
        assert drawn.dealer == brief.TWO.first, "with somebody else at the table the dealer is drawn"


async def test_a_player_who_left_the_match_is_not_invited_and_cannot_ask_for_the_rematch(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE) as here:
        await here.begin(target=5)
        ana, bea, ciro = here.people
        await bea.slash(here.channel, "escoba leave")
        await here.press(bea, bea.panel(here.channel), "leaveyes")
        here.people = [ana, ciro]
        await here.finish()
        await here.press(bea, here.shown, "rematch")
        assert NOT_PLAYED in here.private_text(bea)
        await here.press(ana, here.shown, "rematch")
        assert ciro.mention in here.public_text
        assert bea.mention not in here.public_text


@pytest.mark.thorough
async def test_an_invitation_forgets_a_player_whose_data_was_erased(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.finish()
        ana, bea = here.people
        await here.press(ana, here.shown, "rematch")
        game_id = here.table.id
        await here.open_data(bea)
        await bea.press(bea.panel(here.channel), custom_id="^p:erase$")
        await bea.press(bea.panel(here.channel), custom_id="^p:eraseyes$")
        entries = await here.bot.parts.stores.games.log(game_id)
        assert not any(str(bea.id) in entry.body or "Bea" in entry.body for entry in entries)
        assert bea.mention not in here.public_text
