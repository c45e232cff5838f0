"""Where pictures are made: beside the event loop, each once, and kept for all who see the same.

pictures = Pictures()
picture = pictures.at_hand(scene)
if picture is None and (painting := pictures.begin(scene)) is not None:  # None: too much to do; send the text alone
    await asyncio.wait([painting], timeout=seconds)
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from bot.ui.pictures.scenes import PanelScene, ResultScene, RoundScene, Scene, TableScene
from bot.ui.pictures.score_picture import paint_result, paint_round
from bot.ui.pictures.sprites import warm
from bot.ui.pictures.table_picture import paint_panel, paint_table
from bot.ui.words.faces import Deck

log = logging.getLogger(__name__)

MOST_BYTES: Final = 16 * 1024 * 1024
"""What is kept of finished pictures: some 500 of them."""
MOST_WAITING: Final = 24
"""Pictures under way and waiting: past this many the text goes out alone. At 6 ms each the last waits for 150 ms."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: a PNG file, under a name that says nothing that the public message doesn't.

    `digest`: by this one knows it again without keeping it. It isn't told to anybody.
    """

    data: bytes
    name: str
    digest: bytes


def paint(scene: Scene) -> Picture:
    """The picture of a scene: the same bytes for equal scenes, on every machine."""
    match scene:
        case TableScene():
            data = paint_table(scene)
        case PanelScene():
            data = paint_panel(scene)
        case RoundScene():
            data = paint_round(scene)
        case ResultScene():
            data = paint_result(scene)
    digest = hashlib.sha256(data)
    # A panel's name has no digest in it: a hand could be guessed by trying out what makes it.
    name = "panel" if isinstance(scene, PanelScene) else digest.hexdigest()[:16]
    return Picture(data, f"{name}.png", digest.digest())


def result_of(painting: asyncio.Future[Picture]) -> Picture | None:
    """What came of a picture that is no longer under way; None if nothing."""
    return None if painting.cancelled() or painting.exception() is not None else painting.result()


class Pictures:
    """Makes and keeps pictures. One thread is enough: a picture takes some 6 ms, and painting holds the interpreter."""

    __slots__ = (
        "_bytes",
        "_done",
        "_most_bytes",
        "_most_waiting",
        "_pool",
        "_under_way",
        "_warming",
        "hits",
        "made",
        "refused",
    )

    def __init__(self, *, most_bytes: int = MOST_BYTES, most_waiting: int = MOST_WAITING) -> None:
        self._most_bytes = most_bytes
        self._most_waiting = most_waiting
        self._done: OrderedDict[Scene, Picture] = OrderedDict()
        self._bytes = 0
        self._under_way: dict[Scene, asyncio.Future[Picture]] = {}
        self._pool = ThreadPoolExecutor(1, "pictures")
        self._warming: asyncio.Future[None] | None = None
        self.hits = 0
        self.made = 0
        self.refused = 0

    async def start(self, deck: Deck = Deck.SPANISH) -> None:
        """Draw the deck ahead of the first picture; without this the first ones take longer."""
        loop = asyncio.get_running_loop()
        self._warming = loop.run_in_executor(self._pool, warm, deck, lambda: self._most_waiting > 0)
        await asyncio.wait([self._warming])

    async def close(self) -> None:
        """Make no more pictures; who waits for one gets None. What is being painted is painted to its end."""
        self._most_waiting = 0
        self._pool.shutdown(wait=False, cancel_futures=True)
        begun = [*self._under_way.values(), *([self._warming] if self._warming is not None else [])]
        if begun:
            await asyncio.wait(begun)

    def at_hand(self, scene: Scene) -> Picture | None:
        """The picture, if it is made already."""
        picture = self._done.get(scene)
        if picture is not None:
            self.hits += 1
            self._done.move_to_end(scene)
        return picture

    def begin(self, scene: Scene) -> asyncio.Future[Picture] | None:
        """Have a picture made that isn't at hand, once for all who ask; None when too many wait, or after `close`."""
        under_way = self._under_way.get(scene)
        if under_way is not None:
            self.hits += 1
        elif len(self._under_way) >= self._most_waiting:
            self.refused += 1
        else:
            under_way = asyncio.get_running_loop().run_in_executor(self._pool, paint, scene)
            self._under_way[scene] = under_way
            under_way.add_done_callback(lambda done: self._finished(scene, done))
        return under_way

    def _finished(self, scene: Scene, done: asyncio.Future[Picture]) -> None:
        self._under_way.pop(scene, None)
        if done.cancelled():
            return
        if (error := done.exception()) is not None:  # the game goes on without it
            log.error("A picture could not be painted", exc_info=error)
            return
        picture = done.result()
        self.made += 1
        self._done[scene] = picture
        self._bytes += len(picture.data)
        while self._bytes > self._most_bytes:
            _, oldest = self._done.popitem(last=False)
            self._bytes -= len(oldest.data)
