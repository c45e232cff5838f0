"""What the picture of a player's statistics shows, as a value with all its words, and its alt text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.store import Career, read_record
from bot.ui.words.club.ratings import rating_text
from bot.ui.words.faces import Deck
from bot.ui.words.names import plain
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, and what it is."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Duel:
    """Somebody whom the player has met, with the player's wins and theirs."""

    name: str
    wins: int
    losses: int


@dataclass(frozen=True, slots=True)
class StatsScene:
    """A player's matches on a server.

    Attributes:
        deck: the deck it is drawn with.
        name: the player's.
        rank: the place by wins, 0 without one.
        figures: the rating, if there is one, and how many matches, wins, points and escobas.
        rate: the share of matches won, 0 to 1, and how it is written.
        form: the latest matches, the oldest first, with its label.
        records: the best of a match, and the longest run of wins.
        duels: those whom the player has met most, with their label.
    """

    deck: Deck
    name: str
    rank: int
    figures: tuple[Figure, ...]
    rate: float
    rate_text: str
    form_label: str
    form: tuple[bool, ...]
    records: tuple[Figure, ...]
    duels_label: str
    duels: tuple[Duel, ...]


def stats_scene(name: str, career: Career, at: datetime, t: Words) -> StatsScene:
    """The picture of a player's matches, of which some must count, with the rating at a certain time."""
    stats = career.standing
    rating = stats.rating_at(at)
    records = [
        Figure(str(value), label)
        for value, label in (
            (stats.best_streak, t("Wins in a row")),
            (read_record(stats.top_points)[0], t("Most points")),
            (read_record(stats.top_escobas)[0], t("Most escobas")),
        )
        if value
    ]
    return StatsScene(
        deck=t.faces.deck,
        name=plain(name),
        rank=stats.rank,
        figures=(
            *([] if rating is None else [Figure(rating_text(rating, t), t("Rating"))]),
            Figure(str(stats.matches), t("Matches")),
            Figure(str(stats.wins), t("Wins")),
            Figure(str(stats.points), t("Points")),
            Figure(str(stats.escobas), t("Escobas")),
        ),
        rate=stats.rate,
        rate_text=t("{percent} % won", percent=round(100 * stats.rate)),
        form_label=t("Latest matches"),
        form=career.form,
        records=tuple(records),
        duels_label=t("Head to head"),
        duels=tuple(Duel(plain(each.name), each.wins, each.losses) for each in career.rivals),
    )


def stats_sentences(scene: StatsScene, t: Words) -> list[str]:
    """The picture in words, sentence by sentence."""
    parts = [f"{scene.name}."]
    parts += [f"{figure.label}: {figure.value}." for figure in scene.figures]
    parts.append(f"{scene.rate_text}.")
    if scene.rank:
        parts.append(t("Place by wins: {rank}.", rank=scene.rank))
    if scene.form:
        outcomes = ", ".join(t("won") if won else t("lost") for won in scene.form)
        parts.append(f"{scene.form_label}: {outcomes}.")
    parts += [f"{figure.label}: {figure.value}." for figure in scene.records]
    if scene.duels:
        duels = ", ".join(f"{each.name} {each.wins} – {each.losses}" for each in scene.duels)
        parts.append(f"{scene.duels_label}: {duels}.")
    return parts
