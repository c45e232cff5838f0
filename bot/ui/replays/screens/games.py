"""One's own matches on a server: the list of them, and one of them with all that can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from babel.dates import format_date
from discord.utils import format_dt

from bot.club.namesakes import told_apart
from bot.engine.rules import PRESETS
from bot.replays.proofs import Checked
from bot.store import OwnMatchRow, OwnSeat
from bot.ui.kit.colours import FELT, QUIET
from bot.ui.kit.ids.replay import ReplayRef, ReplayVerb, clip_button
from bot.ui.kit.ids.review import ReviewRef, ReviewVerb
from bot.ui.kit.paging import Paging
from bot.ui.layout import Component, Layout, box_of, button, file_of, layout_of, menu, option, row
from bot.ui.tables.screens.board import small_print
from bot.ui.words.names import plain, safe
from bot.ui.words.rules import preset_name
from bot.ui.words.texts import Words

PAGE: Final = 6
"""Matches on a page of the list: with the longest names, more wouldn't fit in a message."""
_Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Offer:
    """The things that can be done with a match now."""

    reviews: bool = False
    replays: bool = False
    clips: bool = False
    verifies: bool = False


def games_layout(rows: Sequence[OwnMatchRow], paging: Paging, t: Words, unfinished: Checked | None = None) -> Layout:
    """A page of somebody's matches, and a menu to open one of them.

    `unfinished`: their latest match, if it has no result: it goes on, or was broken off.
    """
    if not rows and unfinished is None:
        return box_of(QUIET, t("## 🎞️ Your matches"), t("You haven't played a match to its end on this server yet."))
    lines = [_match_line(each, t) for each in rows]
    options = _options(rows, t)
    if unfinished is not None:
        lines.insert(0, _unfinished_line(unfinished, t))
        text = f"{_state(unfinished, t)} · {' – '.join(map(plain, unfinished.names))}"
        options.insert(0, option(text, str(unfinished.row.id), chosen=False, emoji="⏳"))
    choose = menu(ReplayRef(0, paging.page).custom_id(ReplayVerb.CHOOSE), options, placeholder=t("Choose a match"))
    turning = paging.buttons(
        ReplayRef(0, paging.before).custom_id(ReplayVerb.NEWER),
        ReplayRef(0, paging.after).custom_id(ReplayVerb.OLDER),
        t,
        (t("Newer"), t("Older")),
    )
    return box_of(
        FELT,
        t("## 🎞️ Your matches"),
        "\n".join(lines),
        row(choose) if options else None,
        paging.note(t),
        row(*turning) if turning else None,
    )


def match_layout(
    ref: ReplayRef, match: OwnMatchRow | Checked, offer: Offer, t: Words, note: str | None = None
) -> Layout:
    """A match, with a button for each thing that can be done with it.

    `ref`: the match, with the page of the list that it is on. `note`: why less can be done than usual.
    """
    this = ReplayRef(ref.game)
    buttons = (
        (offer.reviews, button(ReviewRef(ref.game).custom_id(ReviewVerb.MAKE), t("Review"), emoji="🔍")),
        (offer.replays, button(this.custom_id(ReplayVerb.GO), t("Replay"), emoji="🎞️")),
        (offer.clips, clip_button(ref.game, t)),
        (offer.replays, button(this.custom_id(ReplayVerb.EXPORT), t("File"), emoji="📄")),
        (offer.verifies, button(this.custom_id(ReplayVerb.VERIFY), t("Verify"), emoji="🔒")),
    )
    offered = [each for possible, each in buttons if possible]
    return box_of(
        FELT,
        t("## 🎞️ Your match"),
        _unfinished_line(match, t) if isinstance(match, Checked) else _match_line(match, t),
        note,
        row(*offered) if offered else None,
        row(button(ReplayRef(0, ref.at).custom_id(ReplayVerb.LIST), t("My matches"), emoji="📚")),
    )


def _options(rows: Sequence[OwnMatchRow], t: Words) -> list[Component]:
    """The menu's options: the matches whose logs are kept."""
    return [
        option(
            f"{_score(each)} · {_others(each, t, plain)}",
            str(each.game_id),
            chosen=False,
            description=f"{format_date(each.ended_at, locale=t.language)} UTC",
            emoji=_sign(each),
        )
        for each in rows
        if each.kept
    ]


def _match_line(match: OwnMatchRow, t: Words) -> str:
    """Say when a match was played, by whom, and how it ended."""
    preset = preset_name(match.preset, t) if match.preset in PRESETS else ""
    small = [format_dt(match.ended_at, "d"), preset, "" if match.kept else t("only the result is kept")]
    return f"{_sign(match)} **{_score(match)}** · {_others(match, t, safe)}\n{small_print(*small)}"


def _unfinished_line(match: Checked, t: Words) -> str:
    names = "** – **".join(map(safe, match.names))
    return f"⏳ **{names}**\n{small_print(format_dt(match.row.opened_at, 'd'), _state(match, t))}"


def _state(match: Checked, t: Words) -> str:
    return t("still being played") if match.running else t("broken off")


def _sign(match: OwnMatchRow) -> str:
    own = match.seats[match.own]
    return "🏆" if own.won else "▫️" if any(seat.won for seat in match.seats) else "🤝"


def _score(match: OwnMatchRow) -> str:
    """The points of the reader's side, then of the others in their order."""
    own = match.seats[match.own].side
    points: dict[int, int] = {}
    for seat in match.seats:  # a player who left has none, but a partner who stayed has the side's
        points[seat.side] = max(points.get(seat.side, 0), seat.points)
    return " – ".join(str(points[side]) for side in sorted(points, key=lambda side: (side != own, side)))


def _others(match: OwnMatchRow, t: Words, named: _Named) -> str:
    """Say with whom and against whom: "with Ciro, against Bea & Dani"."""
    own, seats = match.seats[match.own], told_apart(match.seats)
    partners = [seat for place, seat in enumerate(seats) if seat.side == own.side and place != match.own]
    against = _names([seat for seat in seats if seat.side != own.side], named)
    if not partners:
        return t("against {names}", names=against)
    return t("with {partners}, against {names}", partners=_names(partners, named), names=against)


def _names(seats: Sequence[OwnSeat], named: _Named) -> str:
    return " & ".join(named(seat.name) for seat in seats)


def file_text(t: Words) -> str:
    return t("📄 Here is the match: who played by which rules, every deck, every move and the scores.")


def file_layout(name: str, t: Words) -> Layout:
    """The message with a match as a file, which Discord shows only through a component."""
    return layout_of(file_text(t), file_of(name))
