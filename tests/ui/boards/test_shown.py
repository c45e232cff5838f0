"""What a message shows already isn't sent again, nor a picture that it has."""

from __future__ import annotations

import discord
import pytest
from discord.utils import MISSING

from bot.ui.boards.shown import Shown
from bot.ui.pictures.scenes import ResultScene
from bot.ui.pictures.studio import Picture
from bot.ui.screens.layout import Either, Layout, box_of, notice, picture_of
from bot.ui.transport.files import file_of
from bot.ui.words.faces import Deck

SCENE = ResultScene(Deck.SPANISH, ("Ana", "Bea"), 0, 21, ((0, 21), (0, 3)))
WORDS = notice("in words")
ONE = Picture(b"one", "panel.png", b"1")
OTHER = Picture(b"other", "panel.png", b"2")


def with_picture(picture: Picture, text: str = "") -> Layout:
    """A layout that shows the picture."""
    return box_of(None, text, Either("in words", picture_of("a picture")), scene=SCENE).with_picture(picture)


def attached(shown: Shown, layout: Layout) -> list[bytes] | None:
    """The files attached when the layout is written; None to keep those that are there."""
    with shown.writing(layout) as files:
        return None if files is MISSING else [file.fp.read() for file in files]


def test_a_picture_is_attached_only_when_it_is_a_new_one() -> None:
    shown = Shown()
    assert attached(shown, with_picture(ONE)) == [b"one"]
    assert attached(shown, with_picture(ONE, "another move")) is None
    assert attached(shown, with_picture(OTHER)) == [b"other"]
    assert attached(shown, with_picture(ONE)) == [b"one"]


def test_a_layout_without_a_picture_removes_one_only_if_there_may_be_one() -> None:
    shown = Shown()
    assert attached(shown, WORDS) == []
    assert attached(shown, WORDS) is None
    attached(shown, with_picture(ONE))
    assert attached(shown, WORDS) == []


def test_after_a_write_that_failed_what_is_shown_is_unknown() -> None:
    shown = Shown()
    attached(shown, with_picture(ONE))
    with pytest.raises(OSError, match="cut"), shown.writing(with_picture(ONE)):
        raise OSError("cut")
    assert shown.digest is None
    assert attached(shown, with_picture(ONE)) == [b"one"]


def test_after_two_writes_at_once_what_is_shown_is_unknown() -> None:
    shown = Shown()
    attached(shown, with_picture(ONE))
    with shown.writing(with_picture(ONE)) as first, shown.writing(with_picture(OTHER)) as second:
        assert first is MISSING
        assert len(second) == 1
    assert shown.digest is None
    assert attached(shown, with_picture(OTHER)) == [b"other"]
    assert shown.shows(with_picture(OTHER).digest)
    assert not shown.shows(with_picture(OTHER).without_picture.digest)


def test_what_a_message_left_behind_shows_stays_known() -> None:
    shown = Shown()
    attached(shown, with_picture(ONE))
    older = shown.picture_only()
    attached(shown, with_picture(OTHER))
    assert attached(older, with_picture(ONE)) is None


def test_a_file_can_be_read_again_when_a_request_is_retried() -> None:
    file: discord.File = file_of(ONE)
    assert file.fp.read() == b"one"
    file.reset(seek=1)
    assert file.fp.read() == b"one"
