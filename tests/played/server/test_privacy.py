"""/escoba me, Your data: people read what is stored about them, download it and have it erased."""

import gzip
import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from bot.club.store.results import PlayerResult
from bot.engine.cards import DECK
from bot.platform.database.locations import location_of
from bot.platform.language.catalogues import words
from bot.privacy.clicks import privacy
from bot.privacy.parts import PrivacyParts
from bot.privacy.refusals import PrivacyRefusal
from bot.process.check import check
from bot.tables.log.events import Phase
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.fake_discord.attachments import rules_of
from tests.support.files import file_of, files_in
from tests.support.people import Person, forge, set_locale, text_of
from tests.support.phrases import refusal_text
from tests.support.store import add_finished_game, match_result, player_result
from tests.support.tables.hall import state_of


async def ask(here: Room, person: Person) -> None:
    """Open the person's message about their data."""
    await here.open_data(person)


async def press(here: Room, person: Person, what: str) -> None:
    """Press a button of the person's newest message about their data."""
    await person.press(here.channel, custom_id=f"^p:{what}$")


async def erase(here: Room, person: Person) -> None:
    """Erase everything stored about the person."""
    await ask(here, person)
    await press(here, person, "erase")
    await press(here, person, "eraseyes")


async def data_of(here: Room, person: Person) -> dict[str, Any]:
    """The content of the file with the person's data."""
    await ask(here, person)
    await press(here, person, "data")
    name, content = file_of(here, person)
    assert name == "escoba-data.json"
    return json.loads(content)


async def test_the_answer_about_stored_data_is_private(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ask(here, ana)
        assert "Your data" in here.private_text(ana)
        assert "your Discord id and the name you had" in here.private_text(ana)
        assert [button.custom_id for button in ana.buttons(ana.panel(here.channel))] == ["p:data", "p:erase", "m:open"]
        assert bea.messages(here.channel) == []
        set_locale(bea, "es-ES")
        await ask(here, bea)
        assert "p:data" in [button.custom_id for button in bea.buttons(bea.panel(here.channel))]


async def test_only_the_player_sees_the_file_with_their_data(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.begin(target=5)
        game_id = here.table.id
        await here.finish()
        public = len(here.public_texts())
        data = await data_of(here, ana)
        assert data["user_id"] == str(ana.id)
        assert data["names"] == ["Ana"]
        [game] = data["games"]
        assert (game["game"], game["server_id"], game["seat"]) == (game_id, str(here.world.guild.id), 0)
        assert all(move.startswith("0 ") for move in game["moves"])
        assert len(game["moves"]) > 10
        assert [result["game"] for result in data["results"]] == [game_id]
        assert set(data["keys"]) > {"names", "games.moves", "choices.language", "choices.day_notice"}
        assert "when you are told" in data["keys"]["choices.turn_notice"]
        assert bea.name not in json.dumps(data)
        assert str(bea.id) not in json.dumps(data)
        assert len(here.public_texts()) == public
        assert not any(message.flags.ephemeral and files_in(message) for message in bea.messages(here.channel))
        assert [request.viewer for request in here.tap.requests if request.files] == [ana.id]


@pytest.mark.thorough
async def test_a_file_holds_nothing_that_belongs_only_to_others(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people

        def seat(number: int, person: Person, points: int) -> PlayerResult:
            return player_result(number, person.id, name=person.name, points=points)

        guild = here.world.guild.id
        played = {
            1: match_result([seat(0, ana, 7101), seat(1, bea, 7201)], guild_id=guild, channel_id=1),
            2: match_result([seat(0, bea, 7202), seat(1, ana, 7102)], guild_id=guild, channel_id=2),
            3: match_result([seat(0, ciro, 7301), seat(1, bea, 7203)], guild_id=guild, channel_id=3),
        }
        for channel, result in played.items():
            await add_finished_game(here.bot.parts.stores, [result], channel)
        for person, expected in ((ana, {7101, 7102}), (bea, {7201, 7202, 7203}), (ciro, {7301})):
            data = await data_of(here, person)
            assert {result["points"] for result in data["results"]} == expected
            assert len(data["results"]) == len(expected)
            assert (data["names"], data["user_id"]) == ([person.name], str(person.id))
            text = json.dumps(data)
            assert not [other for other in here.people if other is not person and str(other.id) in text]
            assert not [other for other in here.people if other is not person and f'"{other.name}"' in text]


async def test_the_file_names_no_card_of_a_running_game(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        data = await data_of(here, here.people[0])
        [game] = data["games"]
        assert game["open"] is True
        del data["keys"]
        words = set(json.dumps(data).replace('"', " ").split())
        assert not words & {str(card) for card in DECK}


async def test_the_file_is_sent_after_an_answer_and_not_after_a_deferral(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await data_of(here, ana)
        assert "I'm collecting your data." in text_of(ana.messages(here.channel)[-2])
        assert here.tap.refused == []


async def test_a_file_refused_beside_components_comes_with_plain_content(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        rules_of(here.env.backend).beside_components = False
        assert (await data_of(here, ana))["user_id"] == str(ana.id)
        assert text_of(ana.panel(here.channel)).startswith("Here is everything I keep about you")
        assert len(here.tap.refused) == 1


async def test_a_file_too_large_for_discord_is_compressed(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(privacy, "_MOST_BYTES", 100)
    async with room_of(1) as here:
        ana = here.people[0]
        await ask(here, ana)
        await press(here, ana, "data")
        name, content = file_of(here, ana)
        assert name == "escoba-data.json.gz"
        assert json.loads(gzip.decompress(content))["user_id"] == str(ana.id)


async def test_erasing_asks_for_confirmation(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()
        await ask(here, ana)
        await press(here, ana, "erase")
        assert "Erase everything about you?" in here.private_text(ana)
        await press(here, ana, "keep")
        assert "Nothing was erased." in here.private_text(ana)
        await ana.slash(here.channel, "escoba leaderboard")
        assert "**Ana**" in here.private_text(ana)
        assert "**Bea**" in here.private_text(ana)
        await bea.slash(here.channel, "escoba stats")
        others = here.private_text(bea)
        await erase(here, ana)
        assert "everything about you is erased" in here.private_text(ana)
        await ana.slash(here.channel, "escoba stats")
        assert "No ranked matches yet" in here.private_text(ana)
        await bea.slash(here.channel, "escoba leaderboard")
        assert "Ana" not in here.private_text(bea)
        assert "**Bea**" in here.private_text(bea)
        await bea.slash(here.channel, "escoba stats")
        # Only her place changes, because the player above her is gone, and whom she has met is nobody's business now.
        alone = "\n".join(line for line in others.splitlines() if "Head to head:" not in line)
        assert alone != others
        assert here.private_text(bea) in (alone, alone.replace("Place by wins: **2**", "Place by wins: **1**"))
        assert (await data_of(here, ana))["games"] == []
        assert await check(location_of(here.bot.parts.settings.database), print)
        await ask(here, ana)
        await press(here, ana, "erase")
        await press(here, ana, "eraseyes")
        assert "I had nothing about you." in here.private_text(ana)


def kept_about(here: Room, person: Person) -> list[str]:
    """The tables with a row in which a person's id is."""
    with closing(sqlite3.connect(here.bot.parts.settings.database)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        rows = {table: repr(database.execute(f"SELECT * FROM {table}").fetchall()) for table in tables}  # noqa: S608
    return [table for table, text in rows.items() if str(person.id) in text]


async def test_an_erasure_leaves_marks_of_the_last_thirty_days_and_then_nothing(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.begin(target=5)
        await here.finish()

        async def rating_of(person: Person) -> int:
            ratings = here.bot.parts.stores.ratings
            lineup = await ratings.lineup(here.world.guild.id, [person.id], here.env.now())
            return lineup.ratings[person.id].shown

        before = await rating_of(bea)
        assert before != 1000
        await ask(here, bea)
        await press(here, bea, "erase")
        assert "For 30 days, what limits ratings stays under a mark" in here.private_text(bea)
        await press(here, bea, "eraseyes")
        assert kept_about(here, bea) == []
        data = await data_of(here, bea)
        assert [data[name] for name in ("games", "results", "opponents", "gains")] == [[], [], [], []]
        marks = data["marks"]
        assert [each["matches"] for each in marks["matches"]] == [1]
        assert [each["shown"] for each in marks["ratings"]] == [before]
        assert len(marks["rivals"]) == 2, "Ana, and her as a stranger"
        await here.restart()
        await here.lobby(bea)
        assert f"Bea ({before:,}?): win +" in text_of(await here.options(ana)), "she doesn't begin anew"
        await here.wait(31 * 24 * 60 * 60)
        assert (await data_of(here, bea))["marks"] == {"rivals": [], "matches": [], "ratings": []}
        assert await rating_of(bea) == 1000
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as database:
            for table in ("marked_rivals", "marked_matches", "marked_ratings"):
                assert database.execute(f"SELECT * FROM {table}").fetchall() == []  # noqa: S608 - names of ours


async def test_a_match_is_rated_although_somebody_erases_their_data_in_it(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE) as here:
        ana, bea, ciro = here.people
        await here.begin(target=5)
        await erase(here, ana)
        await here.finish()
        people = [bea.id, ciro.id]
        lineup = await here.bot.parts.stores.ratings.lineup(here.world.guild.id, people, here.env.now())
        assert lineup.ratings[bea.id].shown > 1000, "Bea has won it, and gains from Ciro"
        assert kept_about(here, ana) == []
        assert await check(location_of(here.bot.parts.settings.database), print)


@pytest.mark.thorough
async def test_erasing_during_a_game_leaves_the_game_and_the_others_play_on(room_of: RoomOf):
    async with room_of(3, chance=brief.THREE) as here:
        ana, bea, ciro = here.people
        await here.begin(target=5)
        table = here.table
        await erase(here, ana)
        assert "everything about you is erased" in here.private_text(ana)
        assert table.seat_of(ana.id) is None
        assert "Ana" not in here.public_text
        assert str(ana.id) not in here.public_text
        await here.restart(killed=True)
        assert state_of(here.table).seats == state_of(table).seats
        for person in (bea, ciro):
            await person.slash(here.channel, "escoba hand")
        await here.finish()
        assert "Ana" not in here.public_text
        assert "📊 Leaderboard:" in here.private_text(bea)
        await bea.slash(here.channel, "escoba leaderboard")
        text = here.private_text(bea)
        assert "**Bea**" in text
        assert "**Ciro**" in text
        assert "Ana" not in text
        assert (await data_of(here, ana))["results"] == []


async def test_erasing_closes_a_lobby_with_nobody_else_in_it(room_of: RoomOf):
    async with room_of(2) as here:
        ana = await here.lobby()
        table = here.table
        await erase(here, ana)
        assert here.bot.parts.manager.at(here.channel.id) is None
        assert table.phase is Phase.CANCELLED
        await here.people[1].slash(here.channel, "escoba play")
        assert "**Bea** opened a table" in here.public_text


@pytest.mark.thorough
async def test_somebody_whose_data_was_erased_may_join_again(room_of: RoomOf):
    async with room_of(2) as here:
        ana = here.people[0]
        await here.lobby(*here.people[1:])
        await erase(here, ana)
        await here.press(ana, here.shown, "join")
        assert here.table.seat_of(ana.id) == 1
        assert "Ana" in here.public_text


async def test_a_button_about_data_concerns_the_person_who_presses_it_and_does_nothing_in_public(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await here.begin()
        await ask(here, ana)
        message = ana.panel(here.channel)
        table, public = here.shown, here.public_text
        for what in ("p:eraseyes", "p:data", "p:erase", "p:keep"):
            await forge(bea, table, what)
            assert "Your data" in here.private_text(bea)
        for what in ("p:data:1", "p:erase:eraseyes", "p:"):
            await forge(bea, table, what)
            assert "out of date" in here.private_text(bea)
        assert here.public_text == public
        assert [here.table.seat_of(person.id) for person in here.people] == [0, 1]
        await forge(bea, message, "p:data")
        content = json.loads(file_of(here, bea)[1])
        assert content["user_id"] == str(bea.id)
        assert "Ana" not in json.dumps(content)


async def test_nobody_has_two_requests_about_their_data_handled_at_once(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await ask(here, ana)
        await press(here, ana, "erase")
        message = ana.panel(here.channel)
        with here.bot.host.of(PrivacyParts).data_requests.one_at_a_time(ana.id):
            for what in ("p:data", "p:eraseyes"):
                result = await forge(ana, message, what)
                assert result.response is not None
                assert text_of(result.response) == refusal_text(PrivacyRefusal.DATA_BUSY), what


@pytest.mark.thorough
async def test_the_buttons_work_after_a_restart(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        await ask(here, ana)
        await here.restart()
        await press(here, ana, "erase")
        await here.restart()
        await press(here, ana, "eraseyes")
        assert text_of(ana.panel(here.channel)) == "I had nothing about you."


@pytest.mark.thorough
async def test_a_file_says_which_forgotten_games_the_person_ended_and_that_can_be_erased(room_of: RoomOf):
    async with room_of(3, turn_seconds=0) as here:
        ana, _, ciro = here.people
        set_locale(ana, "es-419")
        await here.begin(2, friendly=True)
        game_id = here.table.id
        await here.wait(600)
        await ciro.slash(here.channel, "escoba play")
        await ciro.press(here.channel, custom_id="^e:clearyes:")
        first, second = (await data_of(here, ciro))["games"]
        assert (first["game"], first["opened_by_you"]) == (game_id, False)
        assert [(each["what"], each["name"]) for each in first["you"]] == [("ended", "Ciro")]
        assert second["opened_by_you"]
        [own] = (await data_of(here, ana))["games"]
        assert (own["language"], str(ciro.id) in json.dumps(own)) == ("es-419", False)
        await erase(here, ciro)
        log = "".join(entry.body for entry in await here.bot.parts.stores.games.log(game_id))
        assert str(ciro.id) not in log
        assert ciro.name not in log
        await here.wait(601)
        assert (await data_of(here, ciro))["games"] == []
        assert "Ana" in log
        await here.restart(killed=True)
        finished_game = await here.bot.parts.manager.finished(game_id)
        assert finished_game is not None
        assert finished_game.state.phase is Phase.IDLE


@pytest.mark.spanish
async def test_a_person_has_their_file_once_in_ten_minutes_and_reads_why_in_their_language(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        set_locale(ana, "es-ES")
        await data_of(here, ana)
        await data_of(here, bea)
        await press(here, ana, "data")
        assert here.private_text(ana) == words("es")(PrivacyRefusal.DATA_JUST_NOW.value)
        assert here.private_text(ana) != refusal_text(PrivacyRefusal.DATA_JUST_NOW)
        await here.wait(601)
        assert (await data_of(here, ana))["user_id"] == str(ana.id)
