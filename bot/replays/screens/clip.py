"""A clip of a finished match: one of its best moments as a moving picture, or in words where there are no pictures."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.moments import Moment
from bot.platform.drawing.scenes import Scene
from bot.platform.kit.colours import TURN
from bot.platform.kit.display import Display
from bot.platform.kit.pictured import pictured
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Either, Layout, box_of, button, row
from bot.platform.people.names import safe
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.pictures.clip import TITLES, clip_scene
from bot.tables.live.view import holder_name
from bot.tables.log.seats import Seat
from bot.tables.words.telling import tell


def clip_layout(game: int, moments: Sequence[Moment], number: int, seats: tuple[Seat, ...], display: Display) -> Layout:
    """One of a match's moments, for one of its players, with buttons for the other moments."""
    t = display.words
    parts, scene = _clip(moments[number], seats, display)
    others = [
        button(ReplayRef(game, other).custom_id(ReplayVerb.CLIP), t(TITLES[moment.kind]), emoji="🎬")
        for other, moment in enumerate(moments)
        if other != number
    ]
    show = button(ReplayRef(game, number).custom_id(ReplayVerb.SHOW_CLIP), t("Show to everyone"), emoji="📣")
    return box_of(TURN, *parts, row(show, *others), scene=scene)


def shown_clip(moment: Moment, seats: tuple[Seat, ...], name: str, display: Display) -> Layout:
    """A moment for everybody in the channel; `name` is the person who shows it."""
    parts, scene = _clip(moment, seats, display)
    by = "-# " + display.words("Shown by {name}", name=safe(name))
    return box_of(TURN, *parts, by, scene=scene)


def _clip(moment: Moment, seats: tuple[Seat, ...], display: Display) -> tuple[list[BoxPart], Scene | None]:
    t = display.words
    picture = pictured(clip_scene(moment, seats, t), t) if display.pictures else None
    title = f"### 🎬 {t(TITLES[moment.kind])}"
    texts = (tell(fact, [*map(holder_name, seats)], t) for fact in moment.after.facts[:1])
    told = "\n".join([*filter(None, texts), _standing(moment, seats, t)])
    return [title, Either(told, picture and picture.component)], picture and picture.scene


def _standing(moment: Moment, seats: tuple[Seat, ...], t: Words) -> str:
    seating = moment.before.seating
    names = [" & ".join(safe(seats[seat].name) for seat in seating.seats_of(side)) for side in range(seating.sides)]
    end = " – ".join(f"{name} {total}" for name, total in zip(names, moment.totals, strict=True))
    return "-# " + t("Round {round}", round=len(moment.before.scores) + 1) + " · " + t("In the end") + f": {end}"
