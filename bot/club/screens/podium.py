"""The podium of a season that is over, for everybody in the channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.club.ids.leaderboard import LeaderboardRef, LeaderboardVerb
from bot.club.screens.ranking import season_figures
from bot.club.store.standing import Metric, Standing
from bot.club.words.seasons import period_name
from bot.platform.kit.colours import TURN
from bot.platform.language.places import place_sign
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, box_of, button, line, row
from bot.platform.people.names import safe
from bot.platform.people.namesakes import told_apart

PLACES: Final = 3
MOST: Final = 10
"""The most people on a podium. A place is left out if those who share it would exceed this."""


@dataclass(frozen=True, slots=True)
class Podium:
    """A season's podium.

    Attributes:
        season: which one, as in `bot.club.rules.seasons`.
        rows: its people, the winner first; equal ones share a place.
        people: how many were ranked in the season.
        rewards: the roles given, each with the names of those who got it.
        crowded: whether more people share the first place than the rows have room for.
    """

    season: str
    rows: tuple[Standing, ...]
    people: int
    rewards: tuple[tuple[int, tuple[str, ...]], ...] = ()
    crowded: bool = False


def podium_rows(best: Sequence[Standing]) -> tuple[Standing, ...]:
    """The people on a season's podium. `best`: the season's best, MOST and one more if there are that many."""
    placed = [standing for standing in best if standing.rank <= PLACES and standing.season_points]
    if len(placed) > MOST:
        crowded = placed[MOST].rank
        placed = [standing for standing in placed if standing.rank < crowded]
    return told_apart(placed)


def crowd_rows(best: Sequence[Standing]) -> tuple[Standing, ...]:
    """Some of those who share the first place, if there are too many of them for the podium."""
    shared = [standing for standing in best if standing.rank == 1 and standing.season_points]
    return told_apart(shared[:MOST]) if len(shared) > MOST else ()


def podium_layout(podium: Podium, t: Words) -> Layout:
    """The message, which mentions nobody."""
    lines = [f"{place_sign(each.rank, t)} **{safe(each.name)}**\n-# {season_figures(each, t)}" for each in podium.rows]
    rewards = [f"🎖️ <@&{role_id}>{t.colon}{', '.join(map(safe, names))}" for role_id, names in podium.rewards]
    ref = LeaderboardRef(Metric.SEASON_POINTS, podium.season)
    return box_of(
        TURN,
        t("## 🏆 {season}: the podium", season=period_name(podium.season, t)),
        "\n".join(lines),
        t("They share the first place with others.") if podium.crowded else None,
        "\n".join(rewards) or None,
        line(),
        "-# "
        + t.plural("{n} person was ranked.", "{n} people were ranked.", podium.people)
        + " "
        + t("A new season started, and everyone begins at zero."),
        row(button(ref.custom_id(LeaderboardVerb.OPEN), t("The whole leaderboard"), emoji="🏆")),
    )
