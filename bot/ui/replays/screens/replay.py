"""A match that is over, step by step with all hands open, for one of its players; and the list of their matches.

Buttons that are pressed repeatedly stay where they are: the texts whose length changes come below them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from babel.dates import format_date
from discord.utils import format_dt

from bot.club.namesakes import told_apart
from bot.engine.facts import OpeningTaken
from bot.engine.match import Stage
from bot.engine.rules import PRESETS
from bot.replays.replay import Replay, ReplayStep
from bot.store import OwnMatchRow, OwnSeat
from bot.tables.log.events import Config
from bot.tables.view import TableView
from bot.training.review import Judged
from bot.ui.kit.colours import FELT, QUIET
from bot.ui.kit.display import Display
from bot.ui.kit.ids.replay import ReplayRef, ReplayVerb, clip_button
from bot.ui.kit.ids.review import ReviewRef, ReviewVerb
from bot.ui.kit.paging import Paging
from bot.ui.kit.pictured import pictured
from bot.ui.layout import (
    BoxPart,
    Component,
    Either,
    Layout,
    box_of,
    button,
    file_of,
    layout_of,
    line,
    menu,
    option,
    row,
)
from bot.ui.pictures.scenes import Scene
from bot.ui.replays.pictures.step import replay_scene
from bot.ui.tables.screens.board import small_print, table_cards
from bot.ui.words.cards import faces, shown_all, worths
from bot.ui.words.names import holder_name, plain, safe
from bot.ui.words.rules import preset_name
from bot.ui.words.tables.scores import score_lines, total_lines
from bot.ui.words.tables.telling import tell
from bot.ui.words.texts import Words
from bot.ui.words.training.coaching import verdict_lines

PAGE: Final = 6
"""Matches on a page of the list: with the longest names, more wouldn't fit in a message."""
_IN_A_MENU: Final = 25
_Named = Callable[[str], str]
_LONGEST: Final = 100
"""Characters that Discord allows in an option."""


# ---------------------------------------------------------------------------------------------- the list


def matches_layout(rows: Sequence[OwnMatchRow], paging: Paging, t: Words) -> Layout:
    """A page of somebody's finished matches, and a menu to open one of them."""
    if not rows:
        return box_of(QUIET, t("## 🎞️ Your matches"), t("You haven't played a match to its end on this server yet."))
    options = match_options(rows, t)
    choice: list[BoxPart] = []
    if options:
        choose = menu(ReplayRef(0, paging.page).custom_id(ReplayVerb.CHOOSE), options, placeholder=t("Choose a match"))
        choice = [t("**See one again, step by step**"), row(choose)]
    turning = paging.buttons(
        ReplayRef(0, paging.before).custom_id(ReplayVerb.NEWER),
        ReplayRef(0, paging.after).custom_id(ReplayVerb.OLDER),
        t,
        (t("Newer"), t("Older")),
    )
    return box_of(
        FELT,
        t("## 🎞️ Your matches"),
        "\n".join(_match_line(each, t) for each in rows),
        *choice,
        paging.note(t),
        row(*turning) if turning else None,
        "-# " + t("Only you see this. A match can be opened by those who played it, once it is over."),
    )


def match_options(rows: Sequence[OwnMatchRow], t: Words, *, chosen: int | None = None) -> list[Component]:
    """A menu's options for matches whose logs are kept; `chosen` is the game that is selected."""
    return [
        option(
            f"{_score(each)} · {_others(each, t, plain)}"[:_LONGEST],
            str(each.game_id),
            chosen=each.game_id == chosen,
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


# --------------------------------------------------------------------------------------------- the steps


def replay_layout(replay: Replay, display: Display, *, judged: Judged | None = None, reviews: bool = False) -> Layout:
    """A step, and the buttons and menus that lead to others.

    Args:
        replay: the match at that step.
        display: how it is shown.
        judged: the coach's verdict, if the step is a decision of the reader's that has been reviewed.
        reviews: whether reviews are available.
    """
    t, ref = display.words, ReplayRef(replay.row.game_id, replay.step.at)
    view = _view_of(replay, t)
    body, scene = _body(replay, view, display)
    return box_of(
        FELT,
        _head(replay, view, t),
        body,
        row(*_steps(replay, ref)),
        _told(replay, view, t),
        "\n".join(verdict_lines(judged, t)) if judged is not None else None,
        line(),
        *_menus(replay, ref, view, t),
        row(*_actions(ref, t, reviews=reviews)),
        scene=scene,
    )


def shown_replay(replay: Replay, name: str, display: Display) -> Layout:
    """A step for everybody in the channel; `name` is the person who shows it."""
    t = display.words
    view = _view_of(replay, t)
    body, scene = _body(replay, view, display)
    by = "-# " + t("Shown by {name}", name=safe(name))
    return box_of(FELT, _head(replay, view, t), body, _told(replay, view, t), by, scene=scene)


def _view_of(replay: Replay, t: Words) -> TableView:
    """The table at that moment, as everybody saw it."""
    state = replay.state
    return TableView(
        id=replay.row.game_id,
        guild_id=0,
        channel_id=0,
        opener_id=state.opener_id,
        locale=t.language,
        phase=state.phase,
        config=Config(),
        seats=state.seats,
        version=replay.public.version,
        match=replay.public,
        deadline=None,
        waiting=False,
        restored=False,
        stand_ins=state.stand_ins,
    )


def _head(replay: Replay, view: TableView, t: Words) -> str:
    """Say who played and when, and where in the match this is: always two lines."""
    public, step = replay.public, replay.step
    sides = [
        " & ".join(safe(view.seats[seat].name) for seat in public.seating.seats_of(side))
        for side in range(public.seating.sides)
    ]
    where = t("round {round}, deal {deal} of {deals}", round=step.round, deal=step.deal, deals=public.deals)
    place = t("step {place} of {all}", place=replay.place + 1, all=len(replay.steps))
    return f"### 🎞️ {' – '.join(sides)}\n-# {format_dt(replay.row.ended_at, 'd')} · {where} · {place}"


def _body(replay: Replay, view: TableView, display: Display) -> tuple[Either, Scene | None]:
    """The table and all hands: as a picture, and in words."""
    t = display.words
    picture = pictured(replay_scene(view, replay.hands, t), t) if display.pictures else None
    hands = [
        f"{'👉 ' if replay.public.turn == seat else ''}**{holder_name(view.seats[seat])}**: "
        + (shown_all(hand, t) or "—")
        for seat, hand in enumerate(replay.hands)
    ]
    figures = worths([*replay.public.table, *(card for hand in replay.hands for card in hand)], t)
    text = "\n".join([table_cards(replay.public, t), *hands, *([small_print(figures)] if figures else [])])
    return Either(text, picture and picture.component), picture and picture.scene


def _told(replay: Replay, view: TableView, t: Words) -> str | None:
    """Tell what has happened in this step, and when it ends a round, the score."""
    public = replay.public
    facts = (tell(fact, view.seats, t, view.stand_ins) for fact in public.facts)
    lines = [text for text in facts if text is not None]
    if public.stage is not Stage.TO_PLAY and public.scores:
        lines += score_lines(public.scores[-1], public, view.seats, t)
        lines += total_lines(public, view.seats, t, public.winner)
    return "\n".join(lines) or None


def _steps(replay: Replay, ref: ReplayRef) -> list[Component]:
    at_start, at_end = replay.place == 0, replay.place == len(replay.steps) - 1
    return [
        button(ref.custom_id(ReplayVerb.FIRST), None, emoji="⏮️", disabled=at_start),
        button(ref.custom_id(ReplayVerb.BACK), None, emoji="◀️", disabled=at_start),
        button(ref.custom_id(ReplayVerb.NEXT), None, emoji="▶️", disabled=at_end),
        button(ref.custom_id(ReplayVerb.LAST), None, emoji="⏭️", disabled=at_end),
    ]


def _menus(replay: Replay, ref: ReplayRef, view: TableView, t: Words) -> list[BoxPart]:
    """The menus to jump with. No option is preselected, as Discord wouldn't report that it is chosen."""
    step = replay.step
    rounds = {each.round: each for each in reversed(replay.steps)}
    deals = [each for each in replay.steps if each.round == step.round and each.dealt]
    swept = _window([each for each in replay.steps if each.escoba is not None], step)
    parts: list[BoxPart] = []
    if len(rounds) > 1:
        first = _window([rounds[number] for number in sorted(rounds)], step)
        options = [option(t("Round {round}", round=each.round), str(each.at), chosen=False) for each in first]
        title = t("**Round {n} of {rounds}**", n=step.round, rounds=len(rounds))
        parts += [title, row(menu(ref.custom_id(ReplayVerb.ROUND), options, placeholder=t("Go to a round")))]
    if len(deals) > 1:
        options = [option(t("Deal {n}", n=each.deal), str(each.at), chosen=False) for each in deals]
        title = t("**Deal {n} of {deals}**", n=step.deal, deals=replay.public.deals)
        parts += [title, row(menu(ref.custom_id(ReplayVerb.DEAL), options, placeholder=t("Go to a deal")))]
    if swept:
        options = [option(_sweep_label(each, view, t), str(each.at), chosen=False, emoji="🧹") for each in swept]
        parts += [
            t("**Escobas**"),
            row(menu(ref.custom_id(ReplayVerb.ESCOBA), options, placeholder=t("Go to an escoba"))),
        ]
    return parts


def _window(steps: Sequence[ReplayStep], here: ReplayStep) -> Sequence[ReplayStep]:
    """Choose as many of the steps as a menu has room for: those around where the reader is."""
    before = sum(step.at <= here.at for step in steps)
    first = max(0, min(before - _IN_A_MENU // 2, len(steps) - _IN_A_MENU))
    return steps[first : first + _IN_A_MENU]


def _sweep_label(step: ReplayStep, view: TableView, t: Words) -> str:
    """Name an escoba's player, its round and its cards."""
    swept = step.escoba
    assert swept is not None, "the step brings an escoba"
    cards = list(swept.cards) if isinstance(swept, OpeningTaken) else [swept.card, *swept.captured]
    text = t("Round {round}", round=step.round) + f" · {faces(cards, t)} · {plain(view.seats[swept.seat].name)}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _actions(ref: ReplayRef, t: Words, *, reviews: bool) -> list[Component]:
    made = [
        button(ref.custom_id(ReplayVerb.SHOW), t("Show to everyone"), emoji="📣"),
        clip_button(ref.game, t),
        button(ref.custom_id(ReplayVerb.EXPORT), t("File"), emoji="📄"),
    ]
    if reviews:
        made.append(button(ReviewRef(ref.game).custom_id(ReviewVerb.MAKE), t("Review my play"), emoji="🔍"))
    return [*made, button(ReplayRef().custom_id(ReplayVerb.LIST), t("My matches"), emoji="📚")]


def file_text(t: Words) -> str:
    return t("📄 Here is the match: who played by which rules, every deck, every move and the scores.")


def file_layout(name: str, t: Words) -> Layout:
    """The message with a match as a file, which Discord shows only through a component."""
    return layout_of(file_text(t), file_of(name))
