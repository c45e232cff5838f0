"""Tables, panels, scores and results are pictures with alt texts, or text alone where pictures can't be used."""

import asyncio
from io import BytesIO

import discord
import pytest
from PIL import Image

from bot.engine.moves import Play, Stage
from bot.engine.views import SeatView
from bot.platform.drawing.scenes import Picture, Pictures, Scene
from bot.platform.transport.gallery import EDIT_SECONDS
from bot.platform.transport.picture_access import FEW, WHILE
from tests.played.test_decks import choose_deck
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.fake_discord.attachments import Keeping, rules_of
from tests.support.people import Message, Person, alt_texts_of, text_of
from tests.support.truth import stock_of

CHOICE = Decks(rigged={1: "4b 5c 6c 5b 6b 7b 1o 3c 7c 12o"}, dealer=1)
"""Ana's 4 of bastos captures either 1 + 10, or 1 + 3 + 7."""
ON_THE_TABLE = "**On the table**"


def files(here: Room, message: Message) -> list[tuple[str, bytes]]:
    """The names and contents of a message's files."""
    stored = here.people[0].stored(message)
    found = [(each["filename"], here.env.backend.cdn.get(each["url"])) for each in stored.attachments]
    assert all(content is not None for _, content in found)
    return [(name, content or b"") for name, content in found]


def picture(here: Room, message: Message) -> bytes:
    """The content of a message's only picture."""
    [(_, content)] = files(here, message)
    assert Image.open(BytesIO(content)).size[0] == 600
    return content


def in_words(here: Room, message: Message) -> bool:
    """Whether a message shows the table as text alone."""
    assert bool(alt_texts_of(message)) == bool(files(here, message))
    assert (ON_THE_TABLE in text_of(message)) != bool(alt_texts_of(message))
    return ON_THE_TABLE in text_of(message)


async def test_table_and_panel_are_pictures_with_alt_texts(room_of: RoomOf):
    async with room_of(3, pictures=True, chance=CHOICE) as here:
        await here.begin(2)
        ana, bea, ciro = here.people
        assert not in_words(here, here.shown)
        assert picture(here, here.panel(ana)) != picture(here, here.panel(bea))
        table = "On the table: ace of oros, 3 of copas, 7 of copas, rey of oros (10)."
        [said] = alt_texts_of(here.shown)
        assert said.startswith(table)
        assert alt_texts_of(here.panel(ana)) == [f"Your hand: 4 of bastos, 5 of copas, 6 of copas. {said}"]
        assert alt_texts_of(here.panel(bea)) == [f"Your hand: 5 of bastos, 6 of bastos, 7 of bastos. {said}"]
        assert "\n-# Rey 12 = 10 · deals: Bea\n" in here.public_text
        assert text_of(here.panel(ana)).endswith("\n-# **card + table = 15**")
        await ciro.slash(here.channel, "escoba table")
        copy = ciro.panel(here.channel)
        assert alt_texts_of(copy) == [said]
        assert picture(here, copy) == picture(here, here.shown)


async def test_the_picture_numbers_captures_like_their_buttons(room_of: RoomOf):
    async with room_of(2, pictures=True, chance=CHOICE) as here:
        await here.begin()
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "card", "4b")
        for message in (here.shown, here.panel(ana)):
            labels = [button.label for button in ana.buttons(message)]
            assert labels[:2] == ["① 1 + rey (10)", "② 1 + 3 + 7"]
            [said] = alt_texts_of(message)
            assert "Capture 1: ace of oros, rey of oros (10). Capture 2: ace of oros, 3 of copas, 7 of copas." in said


async def test_a_round_is_shown_in_pictures_up_to_its_score_and_none_is_uploaded_twice(room_of: RoomOf):
    def sweeping(view: SeatView) -> Play:
        moves = [move for move in view.moves if isinstance(move, Play)]
        return max(moves, key=lambda move: (move.captured == view.public.table, len(move.captured)))

    async with room_of(2, pictures=True, chance=CHOICE) as here:
        await here.begin()
        escobas, match = 0, here.table.view().match
        while match is not None and match.stage is Stage.TO_PLAY:
            await here.step(here.table, sweeping)
            match = here.table.view().match
            assert match is not None
            assert len(files(here, here.shown)) == 1
            if any(getattr(fact, "escoba", False) for fact in match.facts) and match.stage is Stage.TO_PLAY:
                escobas += 1
                assert "Escoba!" in alt_texts_of(here.shown)[0]
                assert text_of(here.shown).count("Escoba!") == 1, "the text says it once, besides the picture"
            if escobas == 1:
                await here.skip(sweeping, until=lambda match: not stock_of(match))
        assert escobas
        before, [said] = here.shown, alt_texts_of(here.shown)
        assert " Cards: " in said
        await here.next_round()
        assert here.shown.id == before.id, "a match has one message"
        assert " Cards: " not in alt_texts_of(here.shown)[0]
        shown: dict[int | None, str] = {}
        for request in here.tap.public():
            if request.files:
                [name] = request.file_names
                assert shown.get(request.message_id) != name, f"{request} uploads it again"
                shown[request.message_id] = name


async def test_a_picture_already_on_the_message_is_not_uploaded_again(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        ana = here.people[0]
        before = files(here, here.panel(ana))
        await here.press(ana, here.panel(ana), "panel")
        assert here.tap.requests[-1].files == ()
        assert files(here, here.panel(ana)) == before
        await here.restart()
        await here.press(ana, here.panel(ana), "panel")  # the bot no longer knows which picture it has
        assert files(here, here.panel(ana)) == before


@pytest.mark.parametrize("keeping", thorough_but(Keeping, Keeping.NAMED))
async def test_a_picture_stays_however_discord_keeps_files(room_of: RoomOf, keeping: Keeping):
    async with room_of(2, pictures=True) as here:
        rules_of(here.env.backend).keeping = keeping
        await here.begin()
        for number in range(3):
            for person in here.people:
                before = picture(here, here.panel(person))
                await here.press(person, here.panel(person), "panel")
                assert picture(here, here.panel(person)) == before
            version = here.table.view().version
            await here.play_out(until=lambda version=version: here.table.view().version > version)
            assert not any(in_words(here, message) for message in (here.shown, *map(here.panel, here.people))), number
        refused = [request.code for request in here.tap.refused]
        assert refused == [50035] * (keeping is Keeping.REFUSED), "refused once, it isn't tried again"


async def test_where_discord_replaces_no_picture_the_game_goes_on_in_words(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        rules_of(here.env.backend).replacing = False
        await here.play_out(until=lambda: here.table.view().version > 12)
        assert all(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))
        assert len(here.tap.refused) == FEW


@pytest.mark.parametrize(("status", "code"), [(400, 50035), pytest.param(413, 40005, marks=pytest.mark.thorough)])
async def test_a_picture_that_discord_refuses_is_replaced_by_text(room_of: RoomOf, status: int, code: int):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        here.env.inject_error("PATCH", "/channels/*", status=status, code=code)
        here.env.inject_error("POST", "/interactions/*", status=status, code=code)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert in_words(here, here.shown)
        assert sum(in_words(here, here.panel(person)) for person in here.people) == 1
        await here.play_out(until=lambda: here.table.view().version > version + 1)
        assert not any(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))


@pytest.mark.thorough
async def test_a_bot_that_may_not_attach_files_uses_text_and_stops_trying_for_a_while(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        here.env.inject_error("PATCH", "/channels/*", status=403, code=50013)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        assert in_words(here, here.shown)
        sent = len(here.tap.requests)
        await here.play_out(until=lambda: here.table.view().version > version + 3)
        assert not any(request.files for request in here.tap.requests[sent:])
        assert all(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))
        assert len(here.tap.refused) == 1
        await here.wait(WHILE.total_seconds())
        for person in here.people:
            await here.press(person, here.panel(person), "panel")
        await here.play_out(until=lambda: here.table.view().version > version + 5)
        assert not in_words(here, here.shown)


async def test_text_is_sent_at_once_when_a_picture_is_slow_and_the_picture_follows(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
):
    start_painting, get_if_ready = Pictures.start_painting, Pictures.get_if_ready
    async with room_of(2, pictures=True) as here:
        await here.begin()
        dry = asyncio.Event()

        async def slowly(pictures: Pictures, scene: Scene) -> Picture:
            await here.env.external_wait(dry.wait(), reason="painting")
            picture = get_if_ready(pictures, scene)
            if picture is not None:
                return picture
            painting = start_painting(pictures, scene)
            assert painting is not None
            return await painting

        monkeypatch.setattr(Pictures, "start_painting", lambda self, scene: asyncio.ensure_future(slowly(self, scene)))
        monkeypatch.setattr(
            Pictures, "get_if_ready", lambda self, scene: get_if_ready(self, scene) if dry.is_set() else None
        )
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        await here.wait(EDIT_SECONDS)
        messages = here.shown, *map(here.panel, here.people)
        assert all(in_words(here, message) for message in messages)
        sent = len(here.tap.requests)
        dry.set()
        await here.wait(EDIT_SECONDS)
        assert not any(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))
        assert len(here.tap.requests) == sent + 3, "each picture followed in one request"


async def test_with_pictures_turned_off_everything_is_text(room_of: RoomOf):
    async with room_of(2, pictures=False) as here:
        await here.begin()
        assert all(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))
        assert here.bot.parts.pictures is None
        assert not any(request.files for request in here.tap.requests)


async def test_a_server_may_choose_text(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await choose_text(here)
        await here.begin()
        assert all(in_words(here, message) for message in (here.shown, *map(here.panel, here.people)))
        assert not any(request.files for request in here.tap.requests)


async def test_a_changed_guild_setting_takes_effect_with_the_next_move(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin()
        assert not in_words(here, here.shown)
        await choose_text(here)
        version = here.table.view().version
        await here.play_out(until=lambda: here.table.view().version > version)
        mover = here.people[0 if in_words(here, here.panel(here.people[0])) else 1]
        assert all(in_words(here, message) for message in (here.shown, here.panel(mover)))


@pytest.mark.thorough
async def test_pictures_and_their_alt_texts_show_french_cards(room_of: RoomOf):
    async with room_of(2, pictures=True, chance=CHOICE) as here:
        await here.begin()
        spanish = picture(here, here.shown)
        await choose_deck(here, "french")
        ana = here.people[0]
        await here.press(ana, here.panel(ana), "panel")
        await here.press(ana, here.panel(ana), "card", "4b")
        await ana.press(here.panel(ana), label="^①")
        assert picture(here, here.shown) != spanish
        assert "4 of clubs" in alt_texts_of(here.shown)[0]


async def choose_text(here: Room) -> None:
    """Choose text in the guild settings as a server manager."""
    role = here.world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    boss = Person(here.world.guild.add_member(here.env.create_user("Jefa"), roles=[role]))
    await here.setting(boss, "pictures", "off")
