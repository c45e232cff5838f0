"""The public message of a tournament: who has signed up, who is there, who plays whom, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.platform.kit.colours import FELT, QUIET, TURN
from bot.platform.kit.links import channel_url
from bot.platform.language.spelling import units
from bot.platform.language.texts import MEDALS, Words
from bot.platform.layout import BoxPart, Component, Layout, box_of, button, layout_of, line, row
from bot.platform.people import safe
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb, boards_button
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.setup import LONGEST_TITLE, max_entries, min_entries
from bot.tournaments.rules.tournament import Entry, Format, Pairing, Tournament, TournamentRound, TournamentStage
from bot.tournaments.words.formats import (
    NO_THREADS,
    begins_text,
    correction_mark,
    duration,
    entry_name,
    outcome_line,
    people_names,
    results_public,
    round_name,
    setup_title,
    short_name,
    what_is_played,
)

_ROOM: Final = 2600
"""UTF-16 units that the entries or pairings may take of the 4,000 of a message."""
_LAST_ROOM: Final = 400
"""UTF-16 units that the podium of the week before may take."""
_ON_PODIUM: Final = 6
_ASKED_ROOM: Final = 500
_LENGTHS: Final = (32, 20, 14, 10, 7)
"""The lengths to which names are cut, tried in turn until everything fits."""
_LINES: Final = 6
"""Up to this many entries have a line each; more are written one after the other."""


@dataclass(frozen=True, slots=True, order=True)
class MessagePage:
    """The subject of a tournament's message: a stage, and in PLAYING a round. Each page has a message of its own."""

    stage: int
    round: int = 0

    @classmethod
    def of(cls, view: TournamentView) -> MessagePage:
        """The page of the stage and the round that a tournament has reached."""
        state = view.state
        return cls(
            list(TournamentStage).index(state.stage), len(state.rounds) if state.stage is TournamentStage.PLAYING else 0
        )

    @classmethod
    def blank(cls) -> MessagePage:
        """A page that says nothing of its own any more."""
        return cls(0)

    @classmethod
    def last_round(cls, view: TournamentView) -> MessagePage:
        """The page of the latest round."""
        return cls(list(TournamentStage).index(TournamentStage.PLAYING), len(view.state.rounds))


def tournament_layout(view: TournamentView, t: Words) -> Layout:
    """The message while sign-up, check-in or a round goes on; how it ends is in `tournament_end`."""
    match view.state.stage:
        case TournamentStage.SIGN_UP:
            return _sign_up(view, t)
        case TournamentStage.CHECK_IN:
            return _check_in(view, t)
        case _:
            return _playing(view, t)


def left_layout(view: TournamentView, page: MessagePage, url: str | None, t: Words) -> Layout:
    """Reduce a message that another has replaced to its round, and where the tournament goes on."""
    further = t("🏆 The tournament goes on [further down]({url}).", url=url) if url else t("🏆 The tournament goes on.")
    if not view.state.stage.open and url:
        further = t("🏆 The tournament is over: [how it ended]({url}).", url=url)
    if not page.round:
        return layout_of(further)
    drawn = view.state.rounds[page.round - 1]
    return box_of(QUIET, _round_title(view, drawn, t), *_round_parts(view, drawn, t), f"-# {further}")


def _sign_up(view: TournamentView, t: Words) -> Layout:
    state, ref = view.state, TournamentRef(view.id)
    here = [entry for entry in state.entries if not entry.withdrawn]
    complete = sum(map(state.complete, here))
    missing = min_entries(state.setup) - state.starting
    return box_of(
        FELT,
        _title(view, t)
        + "\n"
        + t("**{name}** set up a tournament. Press **Join** to play.", name=safe(state.organiser.name)),
        "\n".join(_facts(view, t)),
        line(),
        _entries(here, _signed_up(view, complete, len(here) - complete, t), view, t),
        None if missing <= 0 else f"-# {_how_many_more(view, missing, t)}",
        *_asked(view, t),
        line(),
        row(
            button(ref.custom_id(TournamentVerb.JOIN), t.context("button", "Join"), style=ButtonStyle.primary),
            button(ref.custom_id(TournamentVerb.LEAVE), t.context("button", "Leave")),
            *_for_all(ref, t, rules=True),
        ),
    )


def _check_in(view: TournamentView, t: Words) -> Layout:
    state, ref = view.state, TournamentRef(view.id)
    entries = [entry for entry in state.entries if not entry.withdrawn]
    present = [entry for entry in entries if entry.present]
    missing = [entry for entry in entries if not entry.present]
    until = t("It starts when the organiser says so.")
    if view.deadline is not None:
        until = t(
            "Check-in closes {time}. Anyone who hasn't pressed it by then is left out.",
            time=format_dt(view.deadline, "R"),
        )
    return box_of(
        TURN,
        _title(view, t) + "\n" + t("It's about to start. If you joined, press **I'm here**.") + f" {until}",
        line(),
        _entries(missing, t("⏳ **Still missing: {n}**", n=len(missing)), view, t, others=len(present))
        if missing
        else None,
        _entries(present, t("✅ **Here: {n}**", n=len(present)), view, t, others=len(missing)) if present else None,
        *_asked(view, t),
        line(),
        row(
            button(ref.custom_id(TournamentVerb.HERE), t("I'm here"), style=ButtonStyle.success, emoji="✋"),
            button(ref.custom_id(TournamentVerb.JOIN), t.context("button", "Join")),
            *_for_all(ref, t),
        ),
    )


def _playing(view: TournamentView, t: Words) -> Layout:
    state, ref = view.state, TournamentRef(view.id)
    drawn = state.round
    join = [button(ref.custom_id(TournamentVerb.JOIN), t.context("button", "Join"))] if state.takes_late_entries else []
    done = sum(round.over for round in state.rounds)
    boards = [boards_button(view.id, done, t)] if done and state.setup.format is Format.DUPLICATE else []
    buttons = row(
        button(ref.custom_id(TournamentVerb.STANDINGS, 0), t.context("button", "Standings"), emoji="📊"),
        *boards,
        *join,
        *_for_all(ref, t),
    )
    if drawn is None:
        return box_of(FELT, _title(view, t), t("🎲 The first round is being drawn."), buttons)
    return box_of(
        FELT,
        _round_title(view, drawn, t),
        line(),
        *_round_parts(view, drawn, t),
        line(),
        what_next(view, drawn, t),
        None if view.no_threads_reason is None else f"-# {t(NO_THREADS[view.no_threads_reason])}",
        *_asked(view, t),
        buttons,
    )


def _asked(view: TournamentView, t: Words) -> list[BoxPart]:
    """The people whom the organiser has asked, with the button that lets them take part."""
    asked = [person for person in view.state.asked if person.id > 0]
    if not asked or not view.state.asks:
        return []
    names = fitting_text(lambda longest: ", ".join(short_name(person.name, longest) for person in asked), _ASKED_ROOM)
    text = t("📨 **Asked to play, and yet to answer:** {names}", names=names)
    yes = button(TournamentRef(view.id).custom_id(TournamentVerb.YES), t("Yes, I play"), style=ButtonStyle.success)
    return [text, row(yes)]


def _for_all(ref: TournamentRef, t: Words, *, rules: bool = False) -> list[Component]:
    return [
        button(ref.custom_id(TournamentVerb.MINE), t("My tournament"), emoji="🙋"),
        *([button(ref.custom_id(TournamentVerb.RULES), t.context("button", "Rules"), emoji="📜")] if rules else []),
        button(ref.custom_id(TournamentVerb.MANAGE), t.context("button", "Manage"), emoji="🛠️"),
    ]


def _title(view: TournamentView, t: Words) -> str:
    setup = view.state.setup
    played = what_is_played(setup, t)
    if setup.title:
        return f"## 🏆 {safe(setup.title, LONGEST_TITLE)}\n-# {played}"
    return t("## 🏆 Tournament: {setup}", setup=played)


def _facts(view: TournamentView, t: Words) -> list[str]:
    """Say how many rounds there will be, how long they take, and what happens to those who don't play."""
    state, setup = view.state, view.state.setup
    lines: list[str] = []
    if state.setup.start is not None:
        lines.append("📅 " + begins_text(state.setup.start, t))
        if view.deadline is not None:
            since = format_dt(view.deadline, "t")
            lines.append("-# " + t("Check-in is from {time} until then; I call everyone who joined.", time=since))
        if state.setup.start.weekly is not None:
            lines.append("-# 🔁 " + t("Every week at this time"))
    if state.last:
        lines.append(fitting_text(lambda longest: _last_week(state, longest, t), _LAST_ROOM))
    if state.starting >= min_entries(state.setup):
        rounds = t.plural("{n} round", "{n} rounds", state.planned)
        lines.append(f"-# ⏱️ {rounds}, {duration(setup, state.planned, t)}")
    else:
        lines.append("-# ⏱️ " + t("A round takes {time}.", time=duration(setup, 1, t)))
    lines.append("-# " + t("Whoever runs out of time, or leaves the table, loses the match."))
    return lines


def _last_week(state: Tournament, longest: int, t: Words) -> str:
    names = (f"{MEDALS[each.rank]} {people_names(each.people, t, longest=longest)}" for each in state.last[:_ON_PODIUM])
    return "-# " + t("Last time: {names}", names=" · ".join(names))


def _signed_up(view: TournamentView, complete: int, alone: int, t: Words) -> str:
    if not view.state.setup.pairs:
        return t.plural("**{n} player joined**", "**{n} players joined**", complete)
    pairs = t.plural("**{n} pair joined**", "**{n} pairs joined**", complete)
    looking = t.plural("{n} person looks for a partner", "{n} people look for a partner", alone)
    return f"{pairs} · {looking}" if alone else pairs


def _how_many_more(view: TournamentView, missing: int, t: Words) -> str:
    least, greatest = min_entries(view.state.setup), max_entries(view.state.setup)
    if view.state.setup.pairs:
        return t.plural(
            "{n} more pair is needed: it takes {least} to {most}.",
            "{n} more pairs are needed: it takes {least} to {most}.",
            missing,
            least=least,
            most=greatest,
        )
    return t.plural(
        "{n} more is needed: it takes {least} to {most}.",
        "{n} more are needed: it takes {least} to {most}.",
        missing,
        least=least,
        most=greatest,
    )


def _entries(entries: Sequence[Entry], heading: str, view: TournamentView, t: Words, *, others: int = 0) -> str:
    """Entries below a heading; `others`: how many other entries the message names."""
    if not entries:
        return heading

    def written(longest: int) -> str:
        names = [_entry(entry, view, longest, t) for entry in entries]
        return "\n".join(f"▫️ {name}" for name in names) if len(names) <= _LINES else " · ".join(names)

    room = _ROOM * len(entries) // (len(entries) + others)
    return f"{heading}\n{fitting_text(written, room)}"


def _entry(entry: Entry, view: TournamentView, longest: int, t: Words) -> str:
    name = entry_name(entry, t, longest=longest)
    return name if view.state.complete(entry) else t("{name} (looks for a partner)", name=name)


def fitting_text(written: Callable[[int], str], room: int) -> str:
    """A text with names as long as there is room for; `written` receives the length to which each is cut.

    `room` is in UTF-16 units. If names of the least length don't fit either, the last of them are left out.
    """
    text = ""
    for longest in _LENGTHS:
        text = written(longest)
        if units(text) <= room:
            return text
    while units(text) > room:
        text = max(text.rpartition("\n")[0], text.rpartition(" · ")[0], key=len)
    return f"{text} …"


def _round_title(view: TournamentView, drawn: TournamentRound, t: Words) -> str:
    state = view.state
    name = round_name(state, drawn.number, t)
    return f"## 🏆 {name}\n-# {setup_title(state.setup, t)}"


def _round_parts(view: TournamentView, drawn: TournamentRound, t: Words) -> list[BoxPart]:
    def written(longest: int) -> str:
        lines = [_pairing(view, drawn, pairing, longest, t) for pairing in drawn.pairings]
        names = [entry_name(view.state.entry(number), t, longest=longest) for number in drawn.byes]
        if view.state.setup.format is Format.DUPLICATE:
            lines += [t("🪑 {name} has a bye, which counts as 50%.", name=name) for name in names]
        else:
            lines += [t("🪑 {name} has a bye, which counts as a win.", name=name) for name in names]
        return "\n".join(lines)

    return [fitting_text(written, _ROOM)]


def _pairing(view: TournamentView, drawn: TournamentRound, pairing: Pairing, longest: int, t: Words) -> str:
    """A table's line: who plays whom, and where, or how it ended."""
    names = [entry_name(view.state.entry(each), t, longest=longest) for each in (pairing.first, pairing.second)]
    number, outcome = f"**{pairing.table}.**", drawn.outcomes.get(pairing.table)
    brief = longest < _LENGTHS[1]
    mark = correction_mark(view.state, drawn.number, pairing.table, t, brief=brief)
    if outcome is not None and not results_public(view.state, drawn):
        return f"✅ {number} {names[0]} – {names[1]} · " + t.context("pairing", "done") + mark
    if outcome is not None:
        return f"✅ {number} {outcome_line(outcome, names, t)}{mark}"
    both, link = f"{names[0]} – {names[1]}", view.link(drawn.number, pairing.table)
    if link is None:
        return f"⏳ {number} {both}{mark}"
    if link.resultless:
        return f"⚠️ {number} {both} · " + t("no result: the organiser decides") + mark
    where = t.context("pairing", "here")
    if link.channel_id != view.channel_id:
        url = channel_url(view.guild_id, link.channel_id)
        # A channel's mention is shorter than a link, and shows the names once more.
        where = f"<#{link.channel_id}>" if brief else t.context("link", "[table]({url})", url=url)
    return f"▶️ {number} {both} · {where}{mark}"


def what_next(view: TournamentView, drawn: TournamentRound, t: Words) -> str:
    """Say what the tournament is waiting for."""
    state = view.state
    if not drawn.over:
        playing = len(drawn.pairings) - len(drawn.outcomes)
        return t.plural("-# {n} table is still playing.", "-# {n} tables are still playing.", playing)
    if view.deadline is not None:
        return t("⏭️ The next round starts {time}.", time=format_dt(view.deadline, "R"))
    last = len(state.rounds) >= state.planned and state.setup.format is not Format.KNOCKOUT
    return t("-# That was the last round.") if last else t("-# The next round starts when the organiser says so.")
