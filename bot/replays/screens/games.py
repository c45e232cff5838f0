"""One's own matches: the open ones on all servers, those of a server that are over, and one of these in full."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.rules import preset_name
from bot.engine.rules import PRESETS
from bot.platform.kit.colours import FELT, QUIET
from bot.platform.kit.links import channel_url
from bot.platform.kit.paging import Paging
from bot.platform.language.calendar import written_date
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, line, link, menu, option, row, section
from bot.platform.people import plain, safe, told_apart
from bot.replays.ids.replay import ReplayRef, ReplayVerb, clip_button
from bot.replays.live.proofs import Checked
from bot.replays.store.own_matches import OwnMatchRow, OwnSeat
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.running import RunningMatch
from bot.tables.live.view import holder_name
from bot.tables.log.seats import Seat
from bot.tables.screens.board import small_print

PAGE: Final = 5
"""Matches on a page of the list: with the longest names, more wouldn't fit in a message."""
ON_PAGE_RUNNING: Final = 5
"""Open matches on a page, above those that are over."""
_NAMED: Final = 2
"""The others of an open match who are named; more are counted."""
_SHORT: Final = 15
"""Characters of their names that are shown."""
_Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Offer:
    """The things that can be done with a match now. `review`: the button for that."""

    review: Component | None = None
    replays: bool = False
    clips: bool = False
    verifies: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """The open matches on a page of the list.

    `gone`: how many more there are on servers where the person no longer is. `here`: the server where they look.
    """

    matches: Sequence[RunningMatch] = ()
    gone: int = 0
    here: int | None = None


NONE_RUNNING: Final = Running()
_SIGNS: Final = {(True, True): "👉", (True, False): "⏳", (False, False): "🪑", (False, True): "📨"}
"""The sign of an open match, by whether it has begun and whether it waits for the reader."""


def games_layout(
    rows: Sequence[OwnMatchRow],
    paging: Paging,
    t: Words,
    unfinished: Checked | None = None,
    running: Running = NONE_RUNNING,
) -> Layout:
    """A page of somebody's matches, and a menu to open one of those that are over.

    `unfinished`: their latest match, if it has no result: it goes on, or was broken off.
    """
    if not rows and unfinished is None and not running.matches and not running.gone:
        return box_of(QUIET, t("## 🎞️ Your matches"), t("You haven't played a match to its end on this server yet."))
    lines = [_match_line(match, t) for match in rows]
    options = _options(rows, t)
    if unfinished is not None:
        if not unfinished.running:  # else it is among those above
            lines.insert(0, _unfinished_line(unfinished, t))
        text = f"{_state(unfinished, t)} · {' – '.join(map(plain, unfinished.names))}"
        options.insert(0, option(text, str(unfinished.row.id), chosen=False, emoji="⏳"))
    choose = menu(ReplayRef(0, paging.page).custom_id(ReplayVerb.CHOOSE), options, placeholder=t("Choose a match"))
    turning = paging.buttons(
        ReplayRef(0, paging.before).custom_id(ReplayVerb.NEWER),
        ReplayRef(0, paging.after).custom_id(ReplayVerb.OLDER),
        t,
        (t.context("button", "Newer"), t.context("button", "Older")),
    )
    return box_of(
        FELT,
        t("## 🎞️ Your matches"),
        *(_running_part(match, running.here, t) for match in running.matches),
        _gone_line(running.gone, t),
        line() if running.matches and lines else None,
        "\n".join(lines) or None,
        row(choose) if options else None,
        paging.note(t),
        row(*turning) if turning else None,
    )


def list_button(t: Words, page: int = 0) -> Component:
    """The button that shows a page of the list."""
    return button(ReplayRef(0, page).custom_id(ReplayVerb.LIST), t("My matches"), emoji="📚")


def match_layout(
    ref: ReplayRef, match: OwnMatchRow | Checked, offer: Offer, t: Words, note: str | None = None
) -> Layout:
    """A match, with a button for each thing that can be done with it.

    `ref`: the match, with the page of the list that it is on. `note`: why less can be done than usual.
    """
    this = ReplayRef(ref.game)
    buttons = (
        (True, offer.review),
        (offer.replays, button(this.custom_id(ReplayVerb.GO), t.context("button", "Replay"), emoji="🎞️")),
        (offer.clips, clip_button(ref.game, t)),
        (offer.replays, button(this.custom_id(ReplayVerb.EXPORT), t.context("button", "File"), emoji="📄")),
        (offer.verifies, button(this.custom_id(ReplayVerb.VERIFY), t.context("button", "Verify"), emoji="🔒")),
    )
    offered = [each for possible, each in buttons if possible and each]
    return box_of(
        FELT,
        t("## 🎞️ Your match"),
        _unfinished_line(match, t) if isinstance(match, Checked) else _match_line(match, t),
        note,
        row(*offered) if offered else None,
        row(list_button(t, ref.at)),
    )


def _running_part(match: RunningMatch, here: int | None, t: Words) -> Component:
    """An open match, with the button that opens its panel right there, or the link to its table."""
    others = [_short_name(seat) for place, seat in enumerate(told_apart(match.seats)) if place != match.own]
    names = " & ".join(others[:_NAMED]) + (f" +{len(others) - _NAMED}" if len(others) > _NAMED else "")
    url = _url(match)
    elsewhere = url if not (match.begun and match.ours) else None
    where = "" if elsewhere else t("in private") if url is None else t("[Go to the table]({url})", url=url)
    if here is not None and match.guild_id == here and match.channel_id:
        where = "" if match.channel_id < 0 else f"<#{match.channel_id}>"
    names = names or t("Nobody else yet")
    until = "" if match.deadline is None else f"⏳ {format_dt(match.deadline, 'R')}"
    text = f"{_SIGNS[match.begun, match.waits]} **{names}**\n" + small_print(_turn(match, t), until, where)
    if elsewhere:
        return section(text, link(elsewhere, t("Go to the table")))
    style = ButtonStyle.success if match.waits else ButtonStyle.secondary
    play = Ref(match.game_id).custom_id(Verb.HAND if match.begun else Verb.SOLO)
    return section(text, button(play, t.context("button", "Play"), style=style))


def _url(match: RunningMatch) -> str | None:
    """The web address of a match's table; None if it is played in private."""
    if match.guild_id is None or match.channel_id is None:
        return None
    return channel_url(match.guild_id, match.channel_id, match.message_id)


def _short_name(seat: Seat) -> str:
    return holder_name(replace(seat, name=plain(seat.name, _SHORT)))


def _turn(match: RunningMatch, t: Words) -> str:
    if match.own is None:
        return t("you're invited")
    if not match.begun:
        return t("not started yet")
    if not match.seats[match.own].human_here:
        return t("a robot is playing for you")
    if match.turn is None:
        return t("between two rounds")
    return t("your turn") if match.waits else t("{name}'s turn", name=_short_name(match.seats[match.turn]))


def _gone_line(gone: int, t: Words) -> str | None:
    """Say how many open matches aren't listed."""
    if not gone:
        return None
    return "-# " + t.plural(
        "{n} open match isn't listed: you're no longer on its server.",
        "{n} open matches aren't listed: you're no longer on their servers.",
        gone,
    )


def _options(rows: Sequence[OwnMatchRow], t: Words) -> list[Component]:
    return [
        option(
            f"{_score(match)} · {_others(match, t, plain)}",
            str(match.game_id),
            chosen=False,
            description=f"{written_date('yMMMd', match.ended_at, t)} UTC",
            emoji=_sign(match),
        )
        for match in rows
        if match.kept
    ]


def _match_line(match: OwnMatchRow, t: Words) -> str:
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
