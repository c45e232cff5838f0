"""The story of a match in two lines: its turn, then the most escobas, the best capture and the best song."""

from __future__ import annotations

from bot.cards.words.cantos import sung_text
from bot.cards.words.cards import shown, shown_all
from bot.engine.highlights import Feat
from bot.engine.story import Course, Story
from bot.platform.language.texts import Words
from bot.tables.live.view import holder_name
from bot.tables.log.seats import Seat


def story_lines(story: Story, seats: tuple[Seat, ...], t: Words, *, pictured: bool = False) -> list[str]:
    """Tell the turn of the match; then, if there are any, its highlights. `pictured`: only those without a place in the
    picture."""
    lines = [_turn(story, t)]
    highlights: list[str] = []
    if story.sweepers and not pictured:
        names = t.listed([holder_name(seats[seat]) for seat in story.sweepers])
        highlights.append(t("🧹 Most escobas: **{n}**, {names}", names=names, n=story.escobas))
    if story.best is not None and not pictured:
        highlights.append(_best(story.best, seats, t))
    if (song := story.song) is not None:
        name = holder_name(seats[song.seat])
        highlights.append(t("🎵 Best canto: {name}, {cantos}", name=name, cantos=sung_text(song.cantos)))
    return [*lines, " · ".join(highlights)] if highlights else lines


def _turn(story: Story, t: Words) -> str:
    match story.course:
        case Course.DRAWN:
            return t("🤝 A tie in the end")
        case Course.AT_ONCE:
            return t("⚡ Won in a single round")
        case Course.ALWAYS_AHEAD:
            return t("🏁 Ahead from the first round to the last")
        case Course.AT_THE_LAST if story.behind:
            return t.plural(
                "🎬 Won in the very last round, after trailing by {n} point",
                "🎬 Won in the very last round, after trailing by {n} points",
                story.behind,
            )
        case Course.AT_THE_LAST:
            return t("🎬 Tied until the last round")
        case Course.TOOK_LEAD if story.behind:
            return t.plural(
                "📈 Turning point: round {round}. {n} point behind before it, ahead ever since",
                "📈 Turning point: round {round}. {n} points behind before it, ahead ever since",
                story.behind,
                round=story.turning_round,
            )
        case Course.TOOK_LEAD:
            return t("📈 Turning point: round {round}. Tied before it, ahead ever since", round=story.turning_round)


def _best(best: Feat, seats: tuple[Seat, ...], t: Words) -> str:
    capture = f"{shown(best.card, t)} + {shown_all(best.taken, t)}"
    name = holder_name(seats[best.seat])
    if best.escoba:
        return t("💎 Best capture: {cards}, escoba! {name}", name=name, cards=capture)
    return t("💎 Best capture: {cards}, {name}", name=name, cards=capture)
