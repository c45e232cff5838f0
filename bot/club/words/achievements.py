"""Achievements in words: their names, the ways to earn them, and the line about one at the end of a match."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

from bot.cards.words.cards import oros_in
from bot.club.rules.achievements import BEHIND, FAR_ABOVE, LONG_RUN, MANY_MATCHES, MANY_RIVALS, RUN, Achievement
from bot.platform.language.texts import N_, NC_, Words

_NAMES: Final[Mapping[Achievement, str]] = {
    Achievement.FIRST_WIN: N_("First win"),
    Achievement.SEVENS: N_("The four sevens"),
    Achievement.OROS: N_("All that glitters"),
    Achievement.CLEAN_SWEEP: N_("Clean sweep"),
    Achievement.GOLDEN_ESCOBA: N_("Golden broom"),
    Achievement.FOUR_ESCOBAS: N_("Four brooms"),
    Achievement.LAST_CARD: N_("The last card"),
    Achievement.SIX_CARDS: N_("An armful"),
    Achievement.COMEBACK: NC_("achievement", "Comeback"),
    Achievement.ROUT: NC_("achievement", "Rout"),
    Achievement.GIANT_KILLER: NC_("achievement", "Giant-killer"),
    Achievement.RUN: N_("On a roll"),
    Achievement.LONG_RUN: NC_("achievement", "Unstoppable"),
    Achievement.TEN_RIVALS: N_("All comers"),
    Achievement.ALL_ROUNDER: NC_("achievement", "All-rounder"),
    Achievement.HUNDRED: N_("One of the regulars"),
}
_HOW: Final[Mapping[Achievement, str]] = {
    Achievement.FIRST_WIN: N_("a match won against other people"),
    Achievement.SEVENS: N_("all four sevens in one round"),
    Achievement.OROS: N_("all ten {oros} in one round"),
    Achievement.CLEAN_SWEEP: N_("a round in which nobody else scored, with a point from every item"),
    Achievement.GOLDEN_ESCOBA: N_("an escoba with the seven {of_oros}"),
    Achievement.FOUR_ESCOBAS: N_("four escobas in one round"),
    Achievement.LAST_CARD: N_("an escoba with the last card held in a round"),
    Achievement.SIX_CARDS: N_("six cards or more in one capture"),
    Achievement.COMEBACK: N_("a match won after being two fifths of the points behind: {behind} of {target}"),
    Achievement.ROUT: N_("a match won in which nobody else got beyond a third of the points"),
    Achievement.GIANT_KILLER: N_("a win against someone rated at least {above} points higher, without a question mark"),
    Achievement.RUN: N_("a streak of {run} wins"),
    Achievement.LONG_RUN: N_("a streak of {long_run} wins"),
    Achievement.TEN_RIVALS: N_("wins against {rivals} different people"),
    Achievement.ALL_ROUNDER: N_("a win in every variant"),
    Achievement.HUNDRED: N_("{matches} matches"),
}
_TARGET: Final = 21
"""The usual target, for an example."""


def achievement_name(achievement: Achievement, t: Words) -> str:
    return t(_NAMES[achievement])


def how_earned(achievement: Achievement, t: Words) -> str:
    """Describe what an achievement takes, as a phrase: "all four sevens in one round"."""
    return t(
        _HOW[achievement],
        **oros_in(t),
        behind=ceil(BEHIND * _TARGET),
        target=_TARGET,
        above=FAR_ABOVE,
        run=RUN,
        long_run=LONG_RUN,
        rivals=MANY_RIVALS,
        matches=MANY_MATCHES,
    )


def achievement_text(achievement: Achievement, t: Words) -> str:
    """Write that an achievement was earned, and how."""
    name, how = achievement_name(achievement, t), how_earned(achievement, t)
    return t("🏅 **{achievement}** ({how})", achievement=name, how=how)
