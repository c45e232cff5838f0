"""Achievements and records in words."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Final

from bot.cards.words.cards import oros_in
from bot.club.rules.achievements import BEHIND, FAR_ABOVE, LONG_RUN, MANY_MATCHES, MANY_RIVALS, RUN, Achievement
from bot.club.store.career import RUN_TOLD, Aftermath
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import Standing, read_record
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.people import Person, safe

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


_RECORDS_FROM: Final = 5
"""Matches after which a record is worth telling: the first matches break one after the other."""
_MEDALS: Final = 3
"""Most achievements that a result names; the others are counted."""
_NEWS: Final = 2
"""Most runs and records that a result tells besides."""


def honour_lines(aftermath: Aftermath, people: Iterable[Person], t: Words) -> list[str]:
    """Write for everybody what a match has brought its people besides rating, as far as it is worth telling: a line of
    achievements, and one of runs that it ended, records and runs."""
    names = {person.id: safe(person.name) for person in people}
    medals = [each for each in aftermath.achievements if each.user_id in names]
    by_person: dict[int, list[str]] = {}
    for each in medals[:_MEDALS]:
        by_person.setdefault(each.user_id, []).append(f"**{achievement_name(each.achievement, t)}**")
    parts = [f"{names[person_id]}{t.colon}{', '.join(theirs)}" for person_id, theirs in by_person.items()]
    parts += [f"+{len(medals) - _MEDALS}"] if len(medals) > _MEDALS else []
    standings = [row for row in aftermath.standings if row.user_id in names]
    news = [
        f"💥 {names[each.user_id]}{t.colon}" + t("a streak of {n} wins is over", n=each.wins)
        for each in aftermath.ended
        if each.user_id in names
    ]
    for row in standings:
        news += [f"{text} ({names[row.user_id]})" for text in _records(row, aftermath.result_id, t)]
    news += [
        t("🔥 A streak of {n} wins", n=row.streak) + f" ({names[row.user_id]})"
        for row in standings
        if row.streak >= RUN_TOLD
    ]
    lines = ["🏅 " + " · ".join(parts)] if parts else []
    return lines + ([" · ".join(news[:_NEWS])] if news else [])


def own_achievement_lines(aftermath: Aftermath, person_id: int, t: Words) -> list[str]:
    """Write what somebody has achieved with a match, and how."""
    return [achievement_text(each.achievement, t) for each in aftermath.achievements if each.user_id == person_id]


def place_text(aftermath: Aftermath, person_id: int, t: Words) -> str | None:
    """Write somebody's place after a match; None if they have none."""
    row = next((row for row in aftermath.standings if row.user_id == person_id), None)
    return None if row is None else t("📊 Leaderboard: **{rank}.**", rank=row.rank)


def rivalry_score(rivalry: Rivalry, name: str, t: Words) -> str:
    """Write somebody's score against a rival, to follow their own name: "7 – 5 Bea"."""
    return f"**{t.number(rivalry.wins)} – {t.number(rivalry.losses)}** {name}"


def _records(row: Standing, result_id: int, t: Words) -> list[str]:
    if row.matches < _RECORDS_FROM:
        return []
    points, with_points = read_record(row.top_points)
    escobas, with_escobas = read_record(row.top_escobas)
    lines: list[str] = []
    if with_points == result_id:
        lines.append(t.plural("🎖️ Personal best: {n} point", "🎖️ Personal best: {n} points", points))
    if with_escobas == result_id:
        lines.append(t.plural("🎖️ Personal best: {n} escoba", "🎖️ Personal best: {n} escobas", escobas))
    return lines
