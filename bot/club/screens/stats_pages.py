"""The pages of somebody's statistics besides the overview: rating, points, achievements, and a duel with somebody."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from discord.utils import format_dt

from bot.club.ids.leaderboard import StatsPage, StatsRef, StatsVerb
from bot.club.pictures.duel import DuelScene, duel_scene
from bot.club.pictures.rating import RatingScene, SourcesScene, rating_scene, sources_scene
from bot.club.rules.achievements import Achievement
from bot.club.store.career import Career, Duel
from bot.club.store.ratings import RatingPoint
from bot.club.words.honours import achievement_name, how_earned
from bot.club.words.ratings import rating_notes
from bot.platform.drawing.scenes import Scene
from bot.platform.kit.host import Display
from bot.platform.kit.pictured import Pictured, pictured
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Either, Part, menu, option, row
from bot.platform.people import safe, told_apart

_HEIGHTS = "▁▂▃▄▅▆▇█"
_SPARKS = 30
"""The most values that a sparkline shows."""


@dataclass(frozen=True, slots=True)
class Stats:
    """The known facts about somebody, for a page of their statistics.

    Attributes:
        name: the player's.
        career: their matches on the server, or on all.
        at: when the page was asked for.
        history: their ratings after matches; read only for the page about them.
        duel: their duel with a rival, read only for that page; None if the two have never met in a match that counts.
        asked: the achievement that the reader asks about.
        everywhere: whether their matches on all servers are added up.
    """

    name: str
    career: Career
    at: datetime
    history: tuple[RatingPoint, ...] = ()
    duel: Duel | None = None
    asked: Achievement | None = None
    everywhere: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "career", replace(self.career, rivals=told_apart(self.career.rivals)))


@dataclass(frozen=True, slots=True)
class StatsBody:
    """The content of a page: its body, in words or as a picture, and the small print below it."""

    text: str
    picture: Pictured | None = None
    small: tuple[str, ...] = ()

    @property
    def body(self) -> Either:
        return Either(self.text, self.picture and self.picture.component)

    @property
    def below(self) -> Part:
        return "\n".join(f"-# {line}" for line in self.small) or None


def page_of(ref: StatsRef, stats: Stats, display: Display) -> StatsBody:
    """A page other than the overview, of somebody who has played a match that counts."""
    t = display.words
    match ref.page:
        case StatsPage.RATING:
            return _rating(stats, display)
        case StatsPage.SOURCES:
            sources = sources_scene(stats.name, stats.career, t)
            return _charted(sources, _sources_lines(sources, t), display)
        case StatsPage.ACHIEVEMENTS:
            return StatsBody("\n".join(_achievements(stats, t)))
        case _:
            return _duel(ref, stats, display)


def _charted(scene: Scene, lines: Sequence[str], display: Display, *small: str) -> StatsBody:
    """The page of a picture, whose `lines` say the same in words."""
    return StatsBody("\n".join(lines), pictured(scene, display.words) if display.pictures else None, small)


def _rating(stats: Stats, display: Display) -> StatsBody:
    t = display.words
    now = stats.career.standing.rating_at(stats.at)
    if now is None or not stats.history:
        return StatsBody(t("No rating yet. It starts with a rated match in which every seat is a person's."))
    scene = rating_scene(stats.name, stats.career.standing, stats.history, now, t)
    return _charted(
        scene,
        _rating_lines(scene, t),
        display,
        *rating_notes(t)[:2],
    )


def _duel(ref: StatsRef, stats: Stats, display: Display) -> StatsBody:
    t = display.words
    if ref.rival_id == ref.person_id:
        return StatsBody(t("It takes two: choose someone else."))
    if stats.duel is None:
        return StatsBody(t("These two never met in a match that counts."))
    scene = duel_scene(stats.name, stats.career.standing, stats.duel, stats.at, t)
    return _charted(scene, _duel_lines(scene, display.words), display)


def _achievements(stats: Stats, t: Words) -> list[str]:
    """Name what somebody has achieved, the latest first, and what is still open; say how the one asked about is
    earned."""
    when = {deed.achievement: deed.at for deed in stats.career.achievements}
    earned = sorted(when, key=lambda achievement: when[achievement], reverse=True)
    missing = [achievement for achievement in Achievement if achievement not in when]
    lines = [t("**{n} of {all}**", n=len(when), all=len(Achievement))]
    lines += ["🏅 " + " · ".join(f"**{achievement_name(achievement, t)}**" for achievement in earned)] if earned else []
    lines += ["-# ▫️ " + " · ".join(achievement_name(achievement, t) for achievement in missing)] if missing else []
    if stats.asked is not None:
        how = f"**{achievement_name(stats.asked, t)}**{t.colon}{how_earned(stats.asked, t)}"
        lines.append(f"🏅 {how} · {format_dt(when[stats.asked], 'd')}" if stats.asked in when else f"▫️ {how}")
    return lines


def achievements_menu(ref: StatsRef, stats: Stats, t: Words) -> Component:
    """The menu that says how each achievement is earned."""
    options = [
        option(achievement_name(each, t), each, chosen=each is stats.asked, description=capital(how_earned(each, t)))
        for each in Achievement
    ]
    return row(menu(ref.custom_id(StatsVerb.HOW), options, placeholder=t("How is it earned?")))


def _rating_lines(scene: RatingScene, t: Words) -> list[str]:
    figures = " · ".join(f"{figure.label}{t.colon}**{figure.value}**" for figure in scene.figures)
    span = scene.begin if scene.begin == scene.end else f"{scene.begin} – {scene.end}"
    return [t("Rating: **{rating}**", rating=scene.now), f"`{_sparks(scene.values)}` {span}", figures]


def _sources_lines(scene: SourcesScene, t: Words) -> list[str]:
    lines: list[str] = []
    for label, bars in ((scene.points_label, scene.points), (scene.wins_label, scene.wins)):
        lines += [f"**{label}**", *(f"{safe(bar.label)}{t.colon}**{bar.value}**" for bar in bars)]
    return lines


def _duel_lines(scene: DuelScene, t: Words) -> list[str]:
    names = [safe(name) for name in scene.names]
    lines = [f"{names[0]} **{' – '.join(scene.score)}** {names[1]} · {scene.label}"]
    if scene.form:
        form = " ".join("▫️" if winner is None else "🟡🔵"[winner] for winner in scene.form)
        lines.append(f"{scene.form_label}{t.colon}{form} (🟡 {names[0]} · 🔵 {names[1]})")
    return [*lines, *(f"{label}{t.colon}**{mine}** – **{theirs}**" for mine, label, theirs in scene.figures)]


def _sparks(values: Sequence[int]) -> str:
    last, count = len(values) - 1, min(len(values), _SPARKS)
    chosen = [values[round(last * number / max(1, count - 1))] for number in range(count)]
    low, spread = min(chosen), max(1, max(chosen) - min(chosen))
    return "".join(_HEIGHTS[(value - low) * (len(_HEIGHTS) - 1) // spread] for value in chosen)
