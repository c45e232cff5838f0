"""What a message already shows isn't sent again, nor is a picture that it has."""

import asyncio
from itertools import count

import discord
import pytest

from bot.platform.drawing.scenes import Picture
from bot.platform.language.faces import Deck
from bot.platform.layout import Either, Layout, box_of, notice, picture_of
from bot.platform.transport.files import Attached, Sent, Shown, file_of
from bot.tables.pictures.result import ResultScene

SCENE = ResultScene(Deck.SPANISH, (("Ana",), ("Bea",)), 0, 21, ((0, 21), (0, 3)))
WORDS = notice("in words")
ONE = Picture(b"one", "panel.png", b"1")
OTHER = Picture(b"other", "panel.png", b"2")
new_ids = count(100)


def with_picture(picture: Picture, text: str = "") -> Layout:
    """A layout that shows the picture."""
    return box_of(None, text, Either("in words", picture_of("a picture")), scene=SCENE).with_picture(picture)


async def write(shown: Shown, layout: Layout, taken: asyncio.Event | None = None) -> Attached | None:
    """Write a layout on the message, which Discord accepts when `taken` is set; returns the file of its picture."""

    async def sending() -> Sent:
        if taken is not None:
            await taken.wait()
        file = shown.file_of(layout) or Attached(next(new_ids), "panel.png")
        return Sent(1, None if layout.picture is None else file)

    return (await shown.written(layout, sending())).file


async def test_the_file_of_a_picture_is_known_until_another_picture_replaces_it() -> None:
    shown = Shown()
    assert shown.file_of(with_picture(ONE)) is None
    one = await write(shown, with_picture(ONE))
    assert one is not None
    assert shown.file_of(with_picture(ONE, "another move")) == one
    assert shown.file_of(with_picture(OTHER)) is None
    await write(shown, with_picture(OTHER))
    assert shown.file_of(with_picture(ONE)) is None


async def test_a_layout_without_a_picture_leaves_no_file() -> None:
    shown = Shown()
    await write(shown, with_picture(ONE))
    await write(shown, WORDS)
    assert shown.file_of(WORDS) is None
    assert shown.file_of(with_picture(ONE)) is None


async def test_a_picture_whose_file_discord_does_not_name_is_unknown() -> None:
    async def sending() -> Sent:
        return Sent(1, None)

    shown = Shown()
    await shown.written(with_picture(ONE), sending())
    assert shown.shows(with_picture(ONE).digest)
    assert shown.file_of(with_picture(ONE)) is None


async def test_after_a_write_that_failed_what_is_shown_is_unknown() -> None:
    async def failing() -> Sent:
        raise OSError("cut")

    shown = Shown()
    await write(shown, with_picture(ONE))
    with pytest.raises(OSError, match="cut"):
        await shown.written(with_picture(ONE), failing())
    assert shown.digest is None
    assert shown.file_of(with_picture(ONE)) is None


async def test_after_two_writes_at_once_what_is_shown_is_unknown() -> None:
    shown, taken = Shown(), asyncio.Event()
    await write(shown, with_picture(ONE))
    writes = [asyncio.create_task(write(shown, with_picture(each), taken)) for each in (ONE, OTHER)]
    await asyncio.sleep(0)
    taken.set()
    await asyncio.gather(*writes)
    assert shown.digest is None
    assert shown.file_of(with_picture(OTHER)) is None
    await write(shown, with_picture(OTHER))
    assert shown.file_of(with_picture(OTHER)) is not None
    assert shown.shows(with_picture(OTHER).digest)
    assert not shown.shows(with_picture(OTHER).without_picture.digest)


async def test_what_a_message_left_behind_shows_stays_known() -> None:
    shown = Shown()
    one = await write(shown, with_picture(ONE))
    older = shown.picture_only()
    await write(shown, with_picture(OTHER))
    assert older.file_of(with_picture(ONE)) == one


def test_a_file_can_be_read_again_when_a_request_is_retried() -> None:
    file: discord.File = file_of(ONE)
    assert file.fp.read() == b"one"
    file.reset(seek=1)
    assert file.fp.read() == b"one"
