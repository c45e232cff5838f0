"""A picture that Discord refuses is sent in another way; after a few refusals, pictures are left out for a while."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.cards.pictures.emojis import common_form
from bot.platform.drawing.scenes import Picture
from bot.platform.layout import Layout
from bot.platform.operating.meter import Meter, PictureRefusal
from bot.platform.transport.files import Attached, Files, Sent, Shown, replacing
from bot.platform.transport.gallery import Gallery
from bot.platform.transport.picture_access import FEW, WHILE
from tests.platform.transport.test_shown import ONE, OTHER, with_picture

CHANNEL, ELSEWHERE = 1, 2
KEPT, UPLOADED, IN_WORDS = "kept", "uploaded", "in words"
TAKES_ALL = frozenset[str]()


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """The error by which discord.py reports a refusal."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = SimpleNamespace(status=status, reason="refused")
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "refused"})


class Place(Meter):
    """A channel with one message. `refuses`: the ways of sending a picture that Discord refuses there, with `error`."""

    def __init__(self) -> None:
        self.now = datetime(2026, 8, 1, tzinfo=UTC)
        self.gallery = Gallery(None, lambda: self.now, self, lambda: None, common_form)
        self.shown = Shown()
        self.refuses = TAKES_ALL
        self.error = refusal(400, 50035)
        self.tried: list[str] = []
        self.refused: Counter[str] = Counter()
        self._ids = count(100)

    def picture_refused(self, what: PictureRefusal) -> None:
        self.refused[what.value] += 1

    async def _send(self, layout: Layout, files: Files) -> Sent:
        kept = next((file for file in files if isinstance(file, Attached)), None)
        way = IN_WORDS if not files else UPLOADED if kept is None else KEPT
        self.tried.append(way)
        if way in self.refuses:
            raise self.error
        assert bool(files) == (layout.picture is not None)
        uploaded = Attached(next(self._ids), "panel.png") if way == UPLOADED else None
        return Sent(1, kept or uploaded)

    async def edit(self, picture: Picture, channel: int = CHANNEL) -> list[str]:
        """Show a picture on the message; returns the ways in which that was tried."""
        self.tried.clear()
        await self.gallery.edit(channel, with_picture(picture), self.shown, self._send)
        return list(self.tried)

    async def post(self, picture: Picture) -> list[str]:
        """Post a picture; returns the ways in which that was tried."""
        self.tried.clear()
        await self.gallery.post(
            CHANNEL, with_picture(picture), self.shown, lambda each: self._send(each, replacing(each))
        )
        return list(self.tried)


async def test_a_picture_that_a_message_has_stays_and_another_one_is_uploaded() -> None:
    place = Place()
    assert await place.edit(ONE) == [UPLOADED]
    assert await place.edit(ONE) == [KEPT]
    assert await place.edit(OTHER) == [UPLOADED]
    assert await place.edit(OTHER) == [KEPT]


async def test_a_file_on_a_posted_message_stays_when_that_is_edited() -> None:
    place = Place()
    assert await place.post(ONE) == [UPLOADED]
    assert await place.edit(ONE) == [KEPT]


async def test_where_no_file_is_kept_pictures_are_uploaded_again() -> None:
    place = Place()
    await place.edit(ONE)
    place.refuses = frozenset({KEPT})
    assert await place.edit(ONE) == [KEPT, UPLOADED]
    for _ in range(2 * FEW):
        assert await place.edit(ONE) == [UPLOADED]
    assert place.refused == {"kept": 1}
    place.now += WHILE
    assert await place.edit(ONE) == [KEPT, UPLOADED]
    assert await place.edit(ONE) == [UPLOADED]


@pytest.mark.parametrize("error", [refusal(400, 50035), refusal(413, 40005), refusal(400, 240000)])
async def test_after_a_few_refused_edits_no_edit_has_a_picture_for_a_while(error: discord.HTTPException) -> None:
    place = Place()
    place.refuses, place.error = frozenset({KEPT, UPLOADED}), error
    for _ in range(FEW):
        assert await place.edit(ONE) == [UPLOADED, IN_WORDS]
    assert await place.edit(ONE) == [IN_WORDS]
    assert place.refused == {"edit": FEW, "channel": 1}
    place.refuses = TAKES_ALL
    assert await place.post(ONE) == [UPLOADED], "a new message may have one"
    assert await place.edit(ONE) == [IN_WORDS]
    assert await place.edit(ONE, ELSEWHERE) == [UPLOADED]
    place.now += WHILE
    assert await place.edit(OTHER) == [UPLOADED]


async def test_refusals_long_ago_no_longer_count() -> None:
    place = Place()
    place.refuses = frozenset({UPLOADED})
    for _ in range(2 * FEW):
        assert await place.edit(ONE) == [UPLOADED, IN_WORDS]
        place.now += timedelta(seconds=1) + WHILE / (FEW - 1)


@pytest.mark.parametrize("error", [refusal(403, 50013), refusal(403, 50001), refusal(400, 400001)])
async def test_where_uploads_are_forbidden_nothing_has_a_picture_for_a_while(error: discord.HTTPException) -> None:
    place = Place()
    place.refuses, place.error = frozenset({KEPT, UPLOADED}), error
    assert await place.edit(ONE) == [UPLOADED, IN_WORDS]
    assert await place.edit(ONE) == [IN_WORDS]
    assert place.refused == {"edit": 1}
    place.now += WHILE
    assert await place.post(ONE) == [UPLOADED, IN_WORDS]


async def test_a_forbidden_picture_is_not_uploaded_again() -> None:
    place = Place()
    await place.edit(ONE)
    place.refuses, place.error = frozenset({KEPT, UPLOADED}), refusal(403, 50013)
    assert await place.edit(ONE) == [KEPT, IN_WORDS]


@pytest.mark.parametrize("error", [refusal(404, 10008), refusal(400, 50083), refusal(400, 40060)])
async def test_an_error_unrelated_to_the_picture_is_not_retried_without_it(error: discord.HTTPException) -> None:
    place = Place()
    place.refuses, place.error = frozenset({UPLOADED}), error
    with pytest.raises(discord.HTTPException):
        await place.edit(ONE)
    assert place.tried == [UPLOADED]
    assert not place.refused


async def test_if_the_words_are_refused_too_it_was_not_the_picture() -> None:
    place = Place()
    place.refuses, place.error = frozenset({UPLOADED, IN_WORDS}), refusal(403, 50001)
    with pytest.raises(discord.Forbidden):
        await place.edit(ONE)
    assert place.tried == [UPLOADED, IN_WORDS]
    place.refuses = TAKES_ALL
    assert await place.edit(ONE) == [UPLOADED]
    assert not place.refused
