"""The score of a round, item by item, and the result of a match."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.club.rules.playing import is_played
from bot.engine.views import PublicView
from bot.platform.kit.colours import FELT, QUIET, TURN
from bot.platform.kit.host import Display
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Either, Layout, box_of, button, line, row
from bot.platform.people import safe
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.view import ROBOT, TableView
from bot.tables.log.events import Phase, Presence
from bot.tables.screens.board import pictured_result, pictured_round
from bot.tables.screens.evening import winner_buttons
from bot.tables.screens.faces import face_buttons
from bot.tables.screens.links import Below, links_of
from bot.tables.screens.questions import decided_text, question_parts
from bot.tables.screens.votes import seers_line
from bot.tables.words.names import own_rules_line
from bot.tables.words.scores import (
    closing_lines,
    plays_on_text,
    ranked_sides,
    score_lines,
    side_name,
    total_lines,
)
from bot.tables.words.sweeps import decider_line
from bot.tables.words.telling import panel_lines, story_lines

_CLOSE: Final = 3
"""Up to this many points behind is close."""


def round_layout(
    view: TableView,
    display: Display,
    *,
    said: str | None = None,
    seat: int | None = None,
    below: Component | None = None,
) -> Layout:
    """A round's score; while the match is paused, who is ready for the next one, and the button for those who aren't.

    `said` is a line for one reader alone, `seat` that reader's; `below`: the buttons below it.
    """
    t, match, paused = display.words, _scored(view), view.phase is Phase.PLAYING
    last = panel_lines(view, (), t, most=1) if paused else []
    note = None
    if paused and not view.alone and (view.waiting or view.deadline is None):
        note = "-# " + t("⏸️ Everyone's away. The match is waiting: click anything to come back.")
    elif paused and view.deadline is not None:
        note = "-# " + t("The next round starts {time}.", time=format_dt(view.deadline, "R"))
    custom_id = Ref(view.id, view.version).custom_id(Verb.NEXT_ROUND)
    next_round = button(custom_id, t("Next round"), style=ButtonStyle.success)
    ready = ", ".join(view.names[each] for each in sorted(view.ready)) if paused else None
    picture = pictured_round(view, display)
    score = match.scores[-1]
    return box_of(
        FELT,
        _round_title(match, t),
        last[0] if last else None,
        Either("\n".join(score_lines(score, match, view.seats, t)), picture and picture.component),
        Either(line(), "\n".join(closing_lines(score, view.seats, t)) or None),
        Either("\n".join(total_lines(match, view.seats, t, view.winner)), None),
        seers_line(view.poll.right, t) if view.poll and paused and seat is None else None,
        plays_on_text(match, t) if paused else None,
        note,
        t("✅ Ready: {names}", names=ready) if ready else None,
        said,
        row(next_round, *(face_buttons(view) if seat is None else ())) if paused and seat not in view.ready else below,
        *(question_parts(view, t, seat) if paused else ()),
        scene=picture and picture.scene,
    )


def rounds_layout(view: TableView, number: int, display: Display) -> Layout:
    """A round's score of a match that is over, with buttons to the rounds before and after it.

    `number`: the round, from 1; beyond the last one that was scored, it is that one.
    """
    t, match = display.words, _scored(view)
    last = len(match.scores)
    number = min(max(1, number), last)
    if number < last:
        scores = match.scores[:number]
        totals = tuple(sum(score.points[side] for score in scores) for side in range(match.seating.sides))
        match = replace(match, scores=scores, totals=totals, winner=None)
        view = replace(view, match=match, forfeits=frozenset())
    ref = Ref(view.id)
    before, after = (ref.with_args(str(each)).custom_id(Verb.ROUNDS) for each in (number - 1, number + 1))
    below = row(
        button(before, t.context("button", "Previous"), disabled=number == 1),
        button(after, t.context("button", "Next"), disabled=number == last),
    )
    return round_layout(view, display, below=below if last > 1 else None)


def _round_title(match: PublicView, t: Words) -> str:
    played, boards = len(match.scores), match.rules.rounds
    if boards:
        return t("## Board {n} of {boards}: the score", n=played, boards=boards)
    return t("## Round {round}: the score", round=played)


def result_layout(view: TableView, display: Display, honours: Sequence[str] = ()) -> Layout:
    """The end of a match for everybody: who has won, and how. A highlight is in the picture, or else in the text.

    `honours`: the lines about what it has brought anybody.
    """
    t, match = display.words, _scored(view)
    played = view.winner == match.winner
    picture = pictured_result(view, display) if played else None
    return box_of(
        TURN,
        _winners(view, match, t),
        Either("\n".join(total_lines(match, view.seats, t, view.winner)), picture and picture.component),
        decider_line(view, t),
        _left_early(view, t),
        gains_line(view, t),
        Either(*("\n".join(story_lines(view.story, view.seats, t, pictured=each)) for each in (False, True)))
        if played
        else None,
        seers_line(view.poll.right, t) if view.poll else None,
        "\n".join(honours) or None,
        own_rules_line(view.config, t),
        row(*_next_buttons(view, *winner_buttons(view, t), _own_button(view, t), *_rounds_buttons(view, t), t=t)),
        scene=picture and picture.scene,
    )


def own_result(
    view: TableView, seat: int, brought: Sequence[str], display: Display, offers: Sequence[Component] = ()
) -> Layout:
    """The end of a match for the player of a seat. `brought`: the lines about what it has brought them; `offers`: the
    buttons that lead further, for this once."""
    t, match = display.words, _scored(view)
    own = match.seating.side_of(seat)
    consolation = None
    if view.seats[seat].presence is Presence.LEFT or view.winner is None:
        title = _winners(view, match, t)
    elif own == view.winner:
        partners = [view.names[other] for other in match.seating.seats_of(own) if other != seat]
        title = t("## 🎉 You won!") if not partners else t("## 🎉 You and {names} won!", names=" & ".join(partners))
    else:
        title, consolation = _well_played(view, match, seat, t), _consolation(match, own, t)
    points = " · ".join(
        f"{side_name(match, side, view.names)} **{match.totals[side]}**" for side in ranked_sides(match)
    )
    decider = decider_line(view, t) if view.alone else None
    lines = (decider, _left_early(view, t), consolation, gains_line(view, t), *brought, _compared(view, t))
    picture = pictured_result(view, display) if view.alone else None  # there is no public message that shows it
    return box_of(
        TURN if own == view.winner else FELT,
        *([title, Either(points, picture.component)] if picture else [f"{title}\n{points}"]),
        "\n".join(filter(None, lines)) or None,
        row(*_next_buttons(view, *links_of(view, Below.OWN, t), *offers, t=t)),
        scene=picture and picture.scene,
    )


def _well_played(view: TableView, match: PublicView, seat: int, t: Words) -> str:
    assert view.winner is not None, "the match was won"
    winners = side_name(match, view.winner, view.names)
    title = t("## 🤝 Well played, {name}", name=safe(view.seats[seat].name))
    won = len(match.seating.seats_of(view.winner)) == 1
    return f"{title}\n" + (
        t("{names} wins this one.", names=winners) if won else t("{names} win this one.", names=winners)
    )


def _consolation(match: PublicView, side: int, t: Words) -> str | None:
    """A friendly word for a side that has lost by little."""
    missing = max(match.totals) - match.totals[side]
    if missing <= _CLOSE:
        return t.plural("So close: only {n} point behind.", "So close: only {n} points behind.", missing)
    return None


def gains_line(view: TableView, t: Words) -> str | None:
    """Say in small print for whom a robot has played, or that nobody gains anything by a rated match."""
    if not view.shares or view.phase not in (Phase.FINISHED, Phase.FORFEITED):
        return None
    stayed = [seat for seat, each in enumerate(view.seats) if each.presence is not Presence.LEFT]
    robots = ", ".join(f"{ROBOT} {view.names[seat]}" for seat in stayed if view.shares[seat].mostly_robot)
    if is_played(view.shares):
        names = {"names": robots}
        text = t(
            "{names}: a robot played more than half of their cards. That brings no rating or season points.", **names
        )
        return f"-# {text}" if robots else None
    text = t("Nobody gains rating or season points: at most one side has played cards of its own in a scored round.")
    return f"-# {robots} · {text}" if robots else f"-# {text}"


def _left_early(view: TableView, t: Words) -> str | None:
    """Say why a rated match that was played to its end wasn't won by whoever has the most points."""
    if view.default_winner is not None:
        return decided_text(view, t)
    assert view.match is not None, "it was played"
    if view.winner == view.match.winner:
        return None
    return t("Points that a robot scored for someone who left don't count.")


def _own_button(view: TableView, t: Words) -> Component:
    """The button that shows each player what the match has brought them."""
    return button(Ref(view.id).custom_id(Verb.HAND), t("My result"), emoji="👤")


def _rounds_buttons(view: TableView, t: Words) -> list[Component]:
    """The button that shows the rounds' scores, unless none was scored or other tables have played the same boards."""
    if view.boards or not _scored(view).scores:
        return []
    return [button(Ref(view.id).custom_id(Verb.ROUNDS), t.context("button", "Rounds"), emoji="🧮")]


def _next_buttons(view: TableView, *buttons: Component, t: Words) -> list[Component]:
    """Put these buttons after the one for a rematch, or what is in its place, and before any last ones."""
    first = links_of(view, Below.FIRST, t)
    if not first:
        ref, primary = Ref(view.id), ButtonStyle.primary
        first = [
            button(ref.custom_id(Verb.AGAIN), t.context("button", "Again"), style=primary, emoji="🔁")
            if view.alone
            else button(ref.custom_id(Verb.REMATCH), t.context("button", "Rematch"), style=primary, emoji="🔁")
        ]
    return [*first, *buttons, *links_of(view, Below.LAST, t)]


def _compared(view: TableView, t: Words) -> str | None:
    """With duplicate, what counts in place of this result."""
    if view.fixture is None or not view.fixture.boards:
        return None
    return "-# " + t("What counts is how others have done with the same cards.")


def _winners(view: TableView, match: PublicView, t: Words) -> str:
    if view.winner is None:
        return t("## 🤝 A tie")
    names = side_name(match, view.winner, view.names)
    alone = len(match.seating.seats_of(view.winner)) == 1
    return t("## 🏆 {names} wins!", names=names) if alone else t("## 🏆 {names} win!", names=names)


def _forfeited(view: TableView, t: Words) -> str:
    """Say who has lost a tournament's match by leaving, or by letting the deadline pass, and who wins it."""
    match = _scored(view)
    left, *others = [seat for seat, each in enumerate(view.seats) if each.presence is Presence.LEFT]
    if others:
        return t("⏳ Nobody came in time, so both sides lose.")
    lost = match.seating.side_of(left)
    names = {"name": view.names[left], "winner": side_name(match, 1 - lost, view.names)}
    if len(match.seating.seats_of(lost)) > 1:
        if view.ended_by is not None:
            return t("🚪 **{name}** left, so {winner} win.", **names)
        return t("⏳ **{name}** ran out of time, so {winner} win.", **names)
    if view.ended_by is not None:
        return t("🚪 **{name}** left, so {winner} wins.", **names)
    return t("⏳ **{name}** ran out of time, so {winner} wins.", **names)


def _given_up(view: TableView, t: Words) -> str:
    """Say how a rated match has ended that somebody had given up."""
    if view.default_winner is not None:
        return decided_text(view, t)
    names = ", ".join(f"**{view.names[seat]}**" for seat in sorted(view.forfeits))
    if view.ended_by is not None:
        by = safe(view.ended_by)
        return t("**{name}** ended the match, so nobody won it. Lost by leaving: {names}.", name=by, names=names)
    return t("The match was ended, so nobody won it. Lost by leaving: {names}.", names=names)


def ending_text(view: TableView, t: Words) -> str:
    """Say in a line how a table has ended."""
    if view.phase is not Phase.FINISHED or view.match is None:
        return _ended_text(view, t)
    points = " – ".join(str(view.match.totals[side]) for side in ranked_sides(view.match))
    return f"{_winners(view, view.match, t).removeprefix('## ')} {points}"


def _ended_text(view: TableView, t: Words) -> str:
    """Say how a table has ended that wasn't played to the end."""
    text = {
        Phase.CANCELLED: t("The table was closed, so nothing counts."),
        Phase.ABANDONED: t("Everyone left, so the match was abandoned. It doesn't count."),
        Phase.GONE: t("I could no longer show this table, so its match is over. It doesn't count."),
        Phase.EXPIRED: t("Nobody started the match, so I closed the table. `/escoba play` opens another."),
        Phase.IDLE: t("Nobody moved for so long that I ended the match. It doesn't count."),
        Phase.AGREED: t("🤝 Everyone agreed to end this match. It doesn't count."),
    }.get(view.phase, t("This match is over."))
    if view.phase is Phase.EXPIRED and view.challenge:
        text = t("The challenge was not answered in time.")
    elif view.phase is Phase.DECLINED and view.ended_by is not None:
        text = t("**{name}** declined the challenge.", name=safe(view.ended_by))
    elif view.phase is Phase.FORFEITED:
        text = _forfeited(view, t) if view.fixture is not None else _given_up(view, t)
    elif view.fixture is not None and view.phase is Phase.CANCELLED:
        text = _fixture_ended(view, t)
    elif view.ended_by is not None:
        text = _ended_by(view.ended_by, t, forgotten=view.phase is Phase.IDLE)
    return text


def ended_layout(view: TableView, t: Words, brought: Sequence[str] | None = None) -> Layout:
    """A table that ended without a result, or with one that wasn't played to the end.

    `brought`: for one reader, the lines about what a forfeited match has brought them.
    """
    text = _ended_text(view, t)
    scored = view.match is not None and view.match.scores and not view.sealed
    totals = total_lines(view.match, view.seats, t, view.winner) if view.match is not None and scored else []
    buttons = links_of(view, Below.FIRST, t)
    if view.alone:
        text = text if view.phase is Phase.IDLE else t("You ended the match. It doesn't count.")
        buttons = _next_buttons(view, t=t)
    if brought is None and view.phase is Phase.FORFEITED:
        buttons += [_own_button(view, t), *_rounds_buttons(view, t)]
    below = row(*buttons) if buttons else None
    own = "\n".join(brought or ()) or None
    return box_of(QUIET, text, "\n".join(totals) or None, gains_line(view, t), own, below)


def _fixture_ended(view: TableView, t: Words) -> str:
    """Say that a tournament's table was ended; its result, if it has one, is the tournament's."""
    if view.ended_by is None:
        return t("This match was ended. The tournament's message says what counts.")
    name = safe(view.ended_by)
    return t("**{name}** ended this match. The tournament's message says what counts.", name=name)


def _ended_by(name: str, t: Words, *, forgotten: bool) -> str:
    shown = safe(name)
    if forgotten:
        return t("**{name}** closed the table because nobody had moved for a while. Nothing counts.", name=shown)
    return t("**{name}** closed the table, so nothing counts.", name=shown)


def _scored(view: TableView) -> PublicView:
    assert view.match is not None, "there is no score without a match"
    return view.match
