"""The contents of pictures as values, the cached parts they are put together from, and the studio that paints them.

A public scene is made from what everybody sees, so all who see the same state share one picture. What one person alone
may see is only in a scene whose picture is sent to nobody else. A scene is a frozen dataclass whose `repr` is the same
in every process: layouts are compared by it.

The studio makes pictures off the event loop, each once, and caches them for everybody who sees the same scene:

    pictures = Pictures()
    picture = pictures.get_if_ready(scene)
    if picture is None and (painting := pictures.start_painting(scene)) is not None:  # None: too much to do; send text
        await asyncio.wait([painting], timeout=seconds)
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, ClassVar, Final, Protocol

from cachetools import LRUCache

from bot.platform.drawing.png import Piece
from bot.platform.language.spelling import units
from bot.platform.language.texts import Words

log = logging.getLogger(__name__)

MOST_PART_BYTES: Final = 8 * 1024 * 1024
"""Some 500 parts, or 130 large ones."""


class Drawn(Protocol):
    """A strip that has been drawn."""

    def compressed(self) -> Piece: ...


class Part(ABC):
    """A strip of a picture, as a value: equal for equal strips."""

    __slots__ = ()

    @abstractmethod
    def draw(self) -> Drawn:
        """Draw the strip, as wide as the picture."""


class Shared:
    """The parts that were used last: many pictures have some in common, and a change leaves most of them as they were.

    Any thread may ask for them.
    """

    __slots__ = ("_lock", "_pieces")

    def __init__(self, most_bytes: int = MOST_PART_BYTES) -> None:
        self._pieces: LRUCache[Part, Piece] = LRUCache(most_bytes, getsizeof=lambda piece: len(piece.deflated))
        self._lock = Lock()  # not held while painting, so nobody waits for it

    def cached(self, part: Part) -> Piece | None:
        """Return the part, if it has been painted."""
        with self._lock:
            return self._pieces.get(part)

    def forget(self) -> None:
        with self._lock:
            self._pieces.clear()

    def get_or_paint(self, part: Part) -> Piece:
        """Return the part, painted now if it isn't cached."""
        piece = self.cached(part)
        if piece is None:
            piece = part.draw().compressed()
            with self._lock:
                self._pieces[part] = piece
        return piece


LONGEST: Final = 1024
"""The longest alt text that Discord takes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: a PNG file, or a clip as a GIF. Its name reveals nothing that the public message doesn't.

    `digest` identifies the picture by what it shows. A panel's must never leave the process.
    """

    data: bytes = field(compare=False)
    name: str
    digest: bytes


class Scene(ABC):
    """The contents of a picture.

    `is_slow`: whether painting takes so long that it must not hold up other pictures.
    """

    __slots__ = ()
    is_slow: ClassVar[bool] = False

    @abstractmethod
    def paint(self, shared: Shared) -> Picture:
        """Paint the picture, in any thread: the same for equal scenes, whatever was painted with `shared` before."""

    def put_together(self, shared: Shared) -> Picture | None:
        """Make what `paint` would, if all its parts are cached: so quickly that it needs no thread."""
        return None

    @abstractmethod
    def sentences(self, t: Words) -> list[str]:
        """Say everything that the picture shows, and nothing that it doesn't; what is needed to play comes first."""

    def alt(self, t: Words) -> str:
        """Describe the picture for screen readers. What doesn't fit is what the message says anyway."""
        text, length = "", 0
        for part in self.sentences(t):  # whole sentences only: half a list of cards would be wrong
            length += units(part) + 1
            if length + 1 > LONGEST:  # " …" may have to follow
                return f"{text} …"
            text = f"{text} {part}" if text else part
        return text


MOST_BYTES: Final = 6 * 1024 * 1024
"""The size of the cache: some 220 pictures. The parts from which others can be put together take up to 8 MB more."""
MOST_WAITING: Final = 24
"""With this many pictures in progress or waiting, text goes out alone. At 1 ms each the last waits for 25 ms."""

MOST_CLIPS: Final = 4
"""With this many clips in progress or waiting, text goes out alone: each takes some 60 ms of CPU."""

Ahead = Callable[[Callable[[], bool]], None]
"""Draws what most pictures need, for as long as its argument returns True."""


def paint(scene: Scene, shared: Shared | None = None) -> Picture:
    """The picture of a scene: the same for equal scenes, whatever was painted with the same `shared` before."""
    return scene.paint(shared or Shared())


def result_of(painting: asyncio.Future[Picture]) -> Picture | None:
    """The picture of a painting that is done; None if it was cancelled or failed."""
    return None if painting.cancelled() or painting.exception() is not None else painting.result()


class Pictures:
    """Makes and caches pictures, in one thread: a picture takes some 0.5 ms, and painting holds the interpreter.

    A clip takes a hundred times as long, so clips are made in another thread, and no picture waits for one.

    Args:
        most_bytes: the size of the cache.
        most_waiting: the most pictures in progress or waiting.
        ahead: called once, ahead of the first picture, if any.
    """

    def __init__(
        self,
        *,
        most_bytes: int = MOST_BYTES,
        most_waiting: int = MOST_WAITING,
        ahead: Ahead | None = None,
    ) -> None:
        self._most_waiting = most_waiting
        self._ahead = ahead
        self._done: LRUCache[Scene, Picture] = LRUCache(most_bytes, getsizeof=lambda picture: len(picture.data))
        self._shared = Shared()
        self._painting: dict[Scene, asyncio.Future[Picture]] = {}
        self._filming: dict[Scene, asyncio.Future[Picture]] = {}
        self._pool = ThreadPoolExecutor(1, "pictures")
        self._clips = ThreadPoolExecutor(1, "clips")
        self._warming: asyncio.Future[None] | None = None
        self.hits = 0
        self.made = 0
        self.refused = 0

    def draw_ahead(self) -> None:
        """Draw what most pictures need, once, as soon as somebody is shown anything.

        Their first picture would take longer otherwise. A bot that nobody uses needs 10 MB less, and starts faster.
        """
        if self._warming is None and self._ahead is not None and self._most_waiting:
            loop = asyncio.get_running_loop()
            self._warming = loop.run_in_executor(self._pool, self._ahead, lambda: self._most_waiting > 0)

    async def close(self) -> None:
        """Make no more pictures: waiting ones are cancelled, and the one being painted is finished."""
        self._most_waiting = 0
        for pool in (self._pool, self._clips):
            pool.shutdown(wait=False, cancel_futures=True)
        under_way: list[asyncio.Future[Any]] = [*[*self._painting.values()][:1], *self._filming.values()]
        for scene in [*self._painting][1:]:
            self._painting.pop(scene).cancel()
        if self._warming is not None:
            under_way.append(self._warming)
        if under_way:
            await asyncio.wait(under_way)

    def forget(self, _: int = 0) -> None:
        """Forget all pictures and their parts, which may have names in them."""
        self._done.clear()
        self._shared.forget()

    def get_if_ready(self, scene: Scene) -> Picture | None:
        """The picture, if it is in the cache or can be put together, which takes less time than a thread would."""
        picture = self._done.get(scene)
        if picture is not None:
            self.hits += 1
        elif scene not in self._painting:
            picture = self._put_together(scene)
        return picture

    def _put_together(self, scene: Scene) -> Picture | None:
        picture = scene.put_together(self._shared)
        if picture is not None:
            self._keep(scene, picture)
        return picture

    def start_painting(self, scene: Scene) -> asyncio.Future[Picture] | None:
        """Start painting a scene that isn't ready, once for everybody; None if too many wait, or after `close`."""
        if scene.is_slow:
            return self._film(scene)
        painting = self._painting.get(scene)
        if painting is not None:
            self.hits += 1
        elif len(self._painting) >= self._most_waiting:
            self.refused += 1
        else:
            painting = self._painting[scene] = asyncio.get_running_loop().create_future()
            if len(self._painting) == 1:
                self._paint_next()
        return painting

    def _film(self, scene: Scene) -> asyncio.Future[Picture] | None:
        """Start making a clip, once for everybody; None if too many wait, or after `close`."""
        filming = self._filming.get(scene)
        if filming is not None:
            self.hits += 1
        elif len(self._filming) >= min(MOST_CLIPS, self._most_waiting):
            self.refused += 1
        else:
            filming = self._filming[scene] = asyncio.get_running_loop().run_in_executor(self._clips, paint, scene)
            filming.add_done_callback(lambda done: self._filmed(scene, done))
        return filming

    def _filmed(self, scene: Scene, done: asyncio.Future[Picture]) -> None:
        del self._filming[scene]
        if done.cancelled():
            return
        if (error := done.exception()) is not None:
            log.error("Could not make a clip", exc_info=error)
        else:
            self._keep(scene, done.result())

    def _paint_next(self) -> None:
        """Start painting the scene that has waited longest, unless its parts have been painted meanwhile."""
        while self._painting:
            scene, painting = next(iter(self._painting.items()))
            picture = self._put_together(scene)
            if picture is None:
                job = asyncio.get_running_loop().run_in_executor(self._pool, paint, scene, self._shared)
                job.add_done_callback(lambda done, scene=scene: self._painted(scene, done))
                return
            del self._painting[scene]
            painting.set_result(picture)

    def _painted(self, scene: Scene, done: asyncio.Future[Picture]) -> None:
        painting = self._painting.pop(scene)
        if done.cancelled():
            painting.cancel()
        elif (error := done.exception()) is not None:  # logged only: the game goes on without the picture
            log.error("Could not paint a picture", exc_info=error)
            painting.cancel()
        else:
            self._keep(scene, done.result())
            painting.set_result(done.result())
        self._paint_next()

    def _keep(self, scene: Scene, picture: Picture) -> None:
        self.made += 1
        self._done[scene] = picture
