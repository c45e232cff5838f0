"""What pictures cost: CPU and bytes of one, and how many of those needed in a match are already painted."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import fmean, median

from bot.cards.pictures.sprites import warm
from bot.engine.cards import DECK
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.highlights import no_highlights
from bot.engine.match import Match, start
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import public_view, seat_view
from bot.platform.drawing.scenes import Pictures, Scene, paint
from bot.platform.language.catalogues import words
from bot.platform.language.faces import Deck
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.seats import Seat
from bot.tables.pictures.result import result_scene
from bot.tables.pictures.score import round_scene
from bot.tables.pictures.table import TableScene, panel_scene, table_scene
from bot.tournaments.pictures.podium import PodiumEntry, PodiumScene, PodiumStep

CARDS = 8
ES = words("es")
_RULES = replace(PRESETS["escoba"].rules, target=11)


@dataclass(frozen=True, slots=True)
class Painted:
    """Figures of random matches of two people, each picture made when it was first needed.

    `cpu` is the mean over all pictures, those of panels, scores and results included, in milliseconds, and `size` the
    median; `crowded_cpu` and `crowded_size` are medians of tables with eight cards, with nothing shared, and those of
    `podium` of the end of tournaments of pairs.
    `hit_rate` is the share of the needed pictures that had already been made. Those needed are what messages show: the
    public one in each state, and again when its player is warned; the mover's panel in the reply, then both panels.
    """

    pictures: int
    cpu: float
    size: float
    crowded_cpu: float
    crowded_size: float
    podium_cpu: float
    podium_size: float
    hit_rate: float


async def measure(matches: int) -> Painted:
    """Show that many matches."""
    warm(Deck.SPANISH, lambda: True)
    pictures = Pictures()
    asked = 0
    cpu: list[float] = []
    sizes: list[int] = []
    for number in range(matches):
        for scene in _asked_for(random.Random(number)):
            asked += 1
            made, began = pictures.made, time.process_time()
            picture = pictures.get_if_ready(scene)
            if picture is None:
                painting = pictures.start_painting(scene)
                assert painting is not None, "one at a time is never too much"
                picture = await painting
            if pictures.made > made:
                cpu.append(time.process_time() - began)
                sizes.append(len(picture.data))
    await pictures.close()
    dose = max(5, matches * 5)
    eight = [_painted(_crowded(seed)) for seed in range(dose)]
    podiums = [_painted(_podium(seed)) for seed in range(dose)]
    return Painted(
        pictures=len(sizes),
        cpu=1000 * fmean(cpu),
        size=median(sizes),
        crowded_cpu=1000 * median(spent for spent, _ in eight),
        crowded_size=median(size for _, size in eight),
        podium_cpu=1000 * median(spent for spent, _ in podiums),
        podium_size=median(size for _, size in podiums),
        hit_rate=1 - len(sizes) / asked,
    )


def _painted(scene: Scene) -> tuple[float, int]:
    """Return the CPU seconds of a picture whose sprites were made before, and the size of its file."""
    paint(scene)
    began = time.process_time()
    made = paint(scene)
    return time.process_time() - began, len(made.data)


def _podium(seed: int) -> PodiumScene:
    """A podium of three pairs, with other names for each seed."""
    pairs = [PodiumEntry(place, (f"Lucía {seed}", f"Óscar {place}")) for place in (1, 2, 3)]
    return PodiumScene(
        tuple(PodiumStep(each.number, (each,), ES.plural("{n} point", "{n} points", 3)) for each in pairs)
    )


def _asked_for(rng: random.Random) -> Iterator[Scene]:
    match, highlights = start(MatchStarted(_RULES, Seating.TWO, dealer=0)), no_highlights(Seating.TWO)
    while match.stage is not Stage.OVER:
        mover = match.turn
        match = match.apply(_next(match, rng))
        highlights = highlights.after_event(match)
        view = replace(_view(match), highlights=highlights)
        if match.stage is not Stage.TO_PLAY:
            yield result_scene(view, ES) if match.stage is Stage.OVER else round_scene(view, ES)
            continue
        panels = [panel_scene(view, seat_view(match, seat), ES) for seat in range(2)]
        if mover is not None:
            yield panels[mover]
        yield table_scene(view, ES)
        yield from panels
        if rng.random() < 0.1:
            yield table_scene(view, ES)


def _next(match: Match, rng: random.Random) -> Event:
    if match.stage is Stage.TO_DEAL:
        return RoundDealt(tuple(rng.sample(DECK, len(DECK))))
    return match.event_of(rng.choice(match.legal_moves()))


def _crowded(seed: int) -> TableScene:
    """A table with eight cards that came about in random play."""
    rng = random.Random(seed)
    match = start(MatchStarted(_RULES, Seating.TWO, dealer=0))
    while True:
        match = match.apply(_next(match, rng))
        if match.stage is Stage.TO_PLAY and match.round is not None and len(match.round.table) == CARDS:
            return table_scene(_view(match), ES)
        if match.stage is Stage.OVER:
            match = start(MatchStarted(_RULES, Seating.TWO, dealer=0))


def _view(match: Match) -> TableView:
    return TableView(
        id=1,
        guild_id=1,
        channel_id=1,
        opener_id=1,
        locale="en",
        phase=Phase.PLAYING,
        config=Config(),
        seats=(Seat("Lucía", 1), Seat("Óscar", 2)),
        version=match.version,
        match=public_view(match),
        deadline=datetime(2999, 12, 31, tzinfo=UTC),
        waiting=False,
        restored=False,
    )
