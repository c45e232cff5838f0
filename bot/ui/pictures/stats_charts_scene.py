"""What the further pictures of a player's statistics show, as values with all their words, and their alt texts: the
rating over time, where points and wins come from, and how two people stand against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from babel.dates import format_skeleton
from babel.numbers import format_decimal, format_percent

from bot.club.rating import Rating
from bot.club.rule_set import is_key, key_of
from bot.engine.cards import Suit
from bot.engine.scoring import Item
from bot.store import Career, Duel, RatingPoint, Standing
from bot.ui.pictures.stats_scene import Figure
from bot.ui.words.cards import suit_name
from bot.ui.words.club.ratings import points_text, rating_text
from bot.ui.words.faces import Deck
from bot.ui.words.names import plain
from bot.ui.words.rules import ITEMS, capital, name_of_key
from bot.ui.words.texts import Words

_SPOKEN: Final = 15
"""The most values that an alt text lists."""


@dataclass(frozen=True, slots=True)
class RatingScene:
    """A player's rating after each of their latest rated matches.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        now: the rating, with a question mark while it isn't settled.
        values: the rating after each match, the earliest first.
        settled: whether each of these ratings was certain.
        begin: when the earliest of these matches ended.
        end: when the latest of them ended.
        figures: the highest and the lowest of the values, and how many matches were rated.
        legend: what a dotted line means; empty if there is none.
    """

    deck: Deck
    name: str
    now: str
    values: tuple[int, ...]
    settled: tuple[bool, ...]
    begin: str
    end: str
    figures: tuple[Figure, ...]
    legend: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A line with a bar: its label, the bar's length from 0 to 1, and its figure."""

    label: str
    share: float
    value: str


@dataclass(frozen=True, slots=True)
class SourcesScene:
    """Where a player's points come from, and in which rule systems they win.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        points_label: what the first bars show.
        points: a bar for each item of the score, as long as its share of the points.
        wins_label: what the other bars show.
        wins: a bar for each rule system, as long as the share of its matches that were won.
    """

    deck: Deck
    name: str
    points_label: str
    points: tuple[Bar, ...]
    wins_label: str
    wins: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class DuelScene:
    """How two people stand against each other.

    Attributes:
        deck: the deck it is drawn with.
        names: their names.
        wins: how many of their matches each has won; somebody else may have won some.
        matches: how many matches they have played against each other.
        label: the number of these matches in words.
        form_label: what `form` shows.
        form: who won their latest matches, the earliest first: 0 or 1, or None for somebody else.
        figures: what else is compared: the value of each, with its label between them.
    """

    deck: Deck
    names: tuple[str, str]
    wins: tuple[int, int]
    matches: int
    label: str
    form_label: str
    form: tuple[int | None, ...]
    figures: tuple[tuple[str, str, str], ...]


ChartScene = RatingScene | SourcesScene | DuelScene


_MOST_RULES: Final = 10
"""The most bars for rules in a picture: those for the rules that were played most."""


def rating_scene(name: str, standing: Standing, history: Sequence[RatingPoint], now: Rating, t: Words) -> RatingScene:
    """The picture of a rating: `history` is the rating after all or some rated matches, `now` the present one."""
    values = tuple(point.rating.shown for point in history)
    settled = tuple(point.rating.settled for point in history)
    figures = [Figure(points_text(standing.rated, t), t("Matches rated"))]
    if standing.rated == len(history):
        figures.append(Figure(points_text(max(values), t), t("Highest")))
        figures.append(Figure(points_text(min(values), t), t("Lowest")))
    return RatingScene(
        deck=t.faces.deck,
        name=plain(name),
        now=rating_text(now, t),
        values=values,
        settled=settled,
        begin=_day(history[0].ended_at, t),
        end=_day(history[-1].ended_at, t),
        figures=tuple(figures),
        legend="" if all(settled) else t("Still uncertain"),
    )


def sources_scene(name: str, career: Career, t: Words) -> SourcesScene:
    """The picture of where the points of a player who has some come from, and in which rule systems they win."""
    sources = career.standing.points_by_source
    names = {key_of(number): name for number, name in career.set_names.items()}
    total, most = sum(sources.values()), max(sources.values(), default=0)
    return SourcesScene(
        deck=t.faces.deck,
        name=plain(name),
        points_label=t("Where the points come from"),
        points=tuple(
            Bar(
                _source_name(item, t),
                points / most,
                f"{points_text(points, t)} · {_percent(points / total, t)}",
            )
            for item in Item
            if (points := sources.get(item.value, 0))
        ),
        wins_label=t("Wins by rule system"),
        wins=tuple(
            Bar(
                name_of_key(row.preset, names, t),
                row.rate,
                t("{wins} of {n}", wins=points_text(row.wins, t), n=points_text(row.matches, t))
                + f" · {_percent(row.rate, t)}",
            )
            for row in [each for each in career.presets if is_key(each.preset) and each.matches][:_MOST_RULES]
        ),
    )


def duel_scene(name: str, standing: Standing, duel: Duel, at: datetime, t: Words) -> DuelScene:
    """The picture of two people who have met, as they stand at a moment."""
    both = (standing, duel.rival)
    rows = [
        (t("Rating"), [None if (now := each.rating_at(at)) is None else rating_text(now, t) for each in both]),
        (t("Matches in all"), [points_text(each.matches, t) for each in both]),
        (t("Matches won"), [_percent(each.rate, t) for each in both]),
        (t("Wins in a row"), [points_text(each.best_streak, t) for each in both]),
        (t("Escobas a match"), [_mean(each.escobas, each.matches, t) for each in both]),
    ]
    return DuelScene(
        deck=t.faces.deck,
        names=(plain(name), plain(duel.rival.name)),
        wins=(duel.met.wins, duel.met.losses),
        matches=duel.met.matches,
        label=t.plural("{n} match", "{n} matches", duel.met.matches),
        form_label=t("Latest winners"),
        form=duel.form,
        figures=tuple((values[0] or "–", label, values[1] or "–") for label, values in rows if any(values)),
    )


def _source_name(item: Item, t: Words) -> str:
    """The name of an item of the score, whatever the rules."""
    oros = suit_name(Suit.OROS, t)
    return capital(oros) if item is Item.OROS else t(ITEMS[item], oros=oros)


def _percent(share: float, t: Words) -> str:
    """A share as the language writes percentages."""
    return format_percent(share, locale=t.language)


def _mean(total: int, matches: int, t: Words) -> str:
    return format_decimal(round(total / max(1, matches), 1), locale=t.language)


def _day(moment: datetime, t: Words) -> str:
    return format_skeleton("yMMMd", moment, locale=t.language)


def chart_sentences(scene: ChartScene, t: Words) -> list[str]:
    """A picture in words, sentence by sentence."""
    match scene:
        case RatingScene():
            return _rating(scene, t)
        case SourcesScene():
            bars = [f"{bar.label}: {bar.value}." for bar in (*scene.points, *scene.wins)]
            split = len(scene.points)
            return [f"{scene.name}.", f"{scene.points_label}.", *bars[:split], f"{scene.wins_label}.", *bars[split:]]
        case DuelScene():
            return _duel(scene, t)


def _rating(scene: RatingScene, t: Words) -> list[str]:
    parts = [
        t("{name}: rating {rating}.", name=scene.name, rating=scene.now),
        t(
            "After the matches from {begin} to {end}: {values}.",
            begin=scene.begin,
            end=scene.end,
            values=_some(scene, t),
        ),
        *(f"{figure.label}: {figure.value}." for figure in scene.figures),
    ]
    return [*parts, t("With a question mark, it was still uncertain.")] if scene.legend else parts


def _some(scene: RatingScene, t: Words) -> str:
    """Values at even intervals, the first and the last among them."""
    last = len(scene.values) - 1
    count = min(last, _SPOKEN - 1)
    chosen = [round(last * number / count) for number in range(count + 1)] if count else [0]
    return "; ".join(points_text(scene.values[each], t) + ("" if scene.settled[each] else "?") for each in chosen)


def _duel(scene: DuelScene, t: Words) -> list[str]:
    one, other = scene.names
    parts = [f"{one} {scene.wins[0]} – {scene.wins[1]} {other}.", f"{scene.label}."]
    if scene.form:
        winners = ", ".join(t("somebody else") if each is None else scene.names[each] for each in scene.form)
        parts.append(f"{scene.form_label}: {winners}.")
    return [*parts, *(f"{label}: {one} {mine}, {other} {theirs}." for mine, label, theirs in scene.figures)]
