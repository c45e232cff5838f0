"""The private screens of a tournament's organiser: what they can do now, whom to take out, corrections."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle
from discord.ui import Label, Modal, TextInput

from bot.club.tournaments.pairings import knocked_out
from bot.club.tournaments.setup import min_entries
from bot.club.tournaments.singles import paired_singles
from bot.club.tournaments.state import apply_all
from bot.club.tournaments.tournament import (
    Correction,
    Entry,
    Format,
    Outcome,
    Pairing,
    Tournament,
    TournamentRound,
    TournamentStage,
)
from bot.tournaments.view import TournamentView
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.tournament import TournamentRef, TournamentVerb
from bot.ui.layout import (
    Component,
    Layout,
    box_of,
    button,
    layout_of,
    line,
    menu,
    option,
    people_menu,
    row,
    rows,
)
from bot.ui.tournaments.screens.own import chunks
from bot.ui.tournaments.screens.tournament import fitting_text
from bot.ui.words.names import safe
from bot.ui.words.texts import Words
from bot.ui.words.tournaments.formats import (
    entry_name,
    outcome_line,
    plain_entry,
    results_public,
    round_name,
    setup_title,
)

_MENU_NAME = 40
_TABLES = 25
_LOGGED = 12
"""Number of the latest corrections that are shown."""
_LOG_ROOM = 3000


def manage_layout(view: TournamentView, t: Words, note: str | None = None) -> Layout:
    """Lay out what the organiser can do now."""
    state, ref = view.state, TournamentRef(view.id)
    buttons: list[Component] = []

    def add(verb: TournamentVerb, label: str, emoji: str, *, style: ButtonStyle = ButtonStyle.secondary) -> None:
        buttons.append(button(ref.custom_id(verb), label, emoji=emoji, style=style))

    parts: list[Component | str] = []
    match state.stage:
        case TournamentStage.SIGN_UP:
            add(TournamentVerb.CHECK_IN, t("Begin check-in"), "✋", style=ButtonStyle.primary)
            add(TournamentVerb.BEGIN, t("Begin without check-in"), "▶️")
        case TournamentStage.CHECK_IN:
            add(TournamentVerb.BEGIN, t("Begin the first round"), "▶️", style=ButtonStyle.primary)
        case TournamentStage.PLAYING:
            if state.round is not None and state.round.over:
                add(TournamentVerb.NEXT, t("Next round now"), "⏭️", style=ButtonStyle.primary)
        case _:
            pass
    if state.stage in (TournamentStage.SIGN_UP, TournamentStage.CHECK_IN):
        add(TournamentVerb.CHANGE, t("Change what is played"), "⚙️")
        add(TournamentVerb.WHEN, t("Title and time…"), "📅")
    if state.stage.open and state.setup.start is not None:
        weekly = state.setup.start.weekly is not None
        label, emoji = (t("Stop repeating it"), "⏹️") if weekly else (t("Every week"), "🔁")
        buttons.append(button(ref.custom_id(TournamentVerb.WEEKLY, int(not weekly)), label, emoji=emoji))
        if not state.rounds:
            listed = state.setup.start.event
            label = t("Remove Discord's event") if listed else t("Make a Discord event")
            buttons.append(button(ref.custom_id(TournamentVerb.EVENT, int(not listed)), label, emoji="🗓️"))
    if state.rounds and state.stage is not TournamentStage.CANCELLED:
        add(TournamentVerb.CORRECT, t("Correct a result"), "✏️")
    if state.stage.open:
        add(TournamentVerb.REMOVE, t("Take somebody out"), "🚪")
    if state.corrections:
        add(TournamentVerb.LOG, t("Corrections"), "📋")
    if state.stage.open:
        add(TournamentVerb.CANCEL, t("Cancel the tournament"), "🛑", style=ButtonStyle.danger)
    if state.stage in (TournamentStage.SIGN_UP, TournamentStage.CHECK_IN) or state.takes_late_entries:
        members = people_menu(ref.custom_id(TournamentVerb.ADD), placeholder=t("Choose a member"))
        parts = [t("**Enter somebody who asks you to**"), row(members)]
    return box_of(
        FELT,
        t("## 🛠️ Manage the tournament") + f"\n-# {setup_title(state.setup, t)}",
        None if note is None else f"ℹ️ {note}",
        _state(view, t),
        *rows(buttons, 2),
        *parts,
        "-# " + t("You see this because you organise it, or because you may manage events or messages here."),
    )


def _state(view: TournamentView, t: Words) -> str:
    """Say how far the tournament has got."""
    state = view.state
    here = sum(not each.withdrawn for each in state.entries)
    entries = t.plural("{n} entry", "{n} entries", here)
    match state.stage:
        case TournamentStage.SIGN_UP:
            return t("Sign-up is open: {entries}.", entries=entries)
        case TournamentStage.CHECK_IN:
            return t("Check-in: {present} of {entries} are here.", present=len(state.starters), entries=entries)
        case TournamentStage.PLAYING if state.round is not None:
            done, all_ = len(state.round.outcomes), len(state.round.pairings)
            name = round_name(state, state.round.number, t)
            return t("{round}: {done} of {n} tables have ended.", round=name, done=done, n=all_)
        case TournamentStage.FINISHED:
            return t("The tournament is over.")
        case TournamentStage.CANCELLED:
            return t("The tournament was cancelled.")
        case _:
            return t("The first round is being drawn.")


def begin_question(view: TournamentView, t: Words) -> Layout:
    """Asks for confirmation before the first round, and says who would be left out."""
    state, ref = apply_all(view.state, paired_singles(view.state)), TournamentRef(view.id)
    staying = {entry.number for entry in state.starters}
    left = [each for each in state.entries if not each.withdrawn and each.number not in staying]
    entries = t.plural("{n} entry", "{n} entries", len(staying))
    rounds = t.plural("{n} round", "{n} rounds", state.planned)
    if len(staying) < min_entries(state.setup):
        least = t.plural("{n} entry", "{n} entries", min_entries(state.setup))
        text = t("Only {entries} could play, and it takes {least}.", entries=entries, least=least)
    else:
        text = t("Do you want to begin? {entries} play {rounds}.", entries=entries, rounds=rounds)
    lines = [text]
    if left:
        names = fitting_text(lambda longest: ", ".join(entry_name(each, t, longest=longest) for each in left), 2500)
        if state.setup.pairs:
            lines.append(t("These are left out, as they aren't here or have no partner: {names}.", names=names))
        else:
            lines.append(t("These are left out, as they aren't here: {names}.", names=names))
    yes = button(
        ref.custom_id(TournamentVerb.CONFIRM_BEGIN),
        t("Begin"),
        style=ButtonStyle.success,
        disabled=len(staying) < min_entries(state.setup),
    )
    return layout_of("\n".join(lines), row(yes, _back(ref, t)))


def cancel_tournament_question(view: TournamentView, t: Words) -> Layout:
    ref = TournamentRef(view.id)
    text = t("Do you want to end this tournament for everybody? There will be no winner. Matches that are over count.")
    if view.state.repeats:
        text += " " + t("Its sign-up opens again for next week, unless you press **Stop repeating it** before.")
    yes = button(ref.custom_id(TournamentVerb.CONFIRM_CANCEL), t("Cancel the tournament"), style=ButtonStyle.danger)
    return layout_of(text, row(yes, _back(ref, t)))


def remove_layout(view: TournamentView, t: Words) -> Layout:
    """Menus of the entries that can be taken out."""
    state, ref = view.state, TournamentRef(view.id)
    present = [each for each in state.entries if not each.withdrawn and not knocked_out(state, each.number)]
    parts: list[Component | str] = []
    for first, some in enumerate(chunks(present)):
        options = [option(_menu_name(each, t), str(each.number), chosen=False) for each in some]
        label = t("Take out: …")
        parts += [f"**{label}**", row(menu(ref.custom_id(TournamentVerb.REMOVE, first), options, placeholder=label))]
    text = t("Whom do you want to take out? They are drawn no more and can't come back; what they have played stays.")
    return layout_of(text, *parts, row(_back(ref, t)))


def remove_question(view: TournamentView, entry: Entry, t: Words) -> Layout:
    ref = TournamentRef(view.id)
    text = t("Do you want to take {name} out of the tournament? They can't come back.", name=entry_name(entry, t))
    yes = button(
        ref.custom_id(TournamentVerb.CONFIRM_REMOVE, entry.number), t("Take them out"), style=ButtonStyle.danger
    )
    return layout_of(text, row(yes, _back(ref, t)))


def tables_layout(view: TournamentView, number: int, t: Words) -> Layout:
    """Menus of a round's tables, to choose the one whose result is corrected, and of the rounds."""
    state, ref = view.state, TournamentRef(view.id)
    drawn = state.rounds[number - 1]
    parts: list[Component | str] = []
    if len(state.rounds) > 1:
        rounds = [
            option(round_name(state, each.number, t), str(each.number), chosen=each is drawn) for each in state.rounds
        ]
        parts += [t("**Round**"), row(menu(ref.custom_id(TournamentVerb.ROUND), rounds))]
    for part, first in enumerate(range(0, len(drawn.pairings), _TABLES)):
        options = [_table_option(state, drawn, each, t) for each in drawn.pairings[first : first + _TABLES]]
        label = t("Which table?")
        parts += [
            f"**{label}**",
            row(menu(ref.custom_id(TournamentVerb.CORRECT, part), options, placeholder=label)),
        ]
    return box_of(FELT, t("## ✏️ Correct a result"), *parts, row(_back(ref, t)))


def _table_option(state: Tournament, drawn: TournamentRound, pairing: Pairing, t: Words) -> Component:
    names = [plain_entry(state.entry(each), t, longest=_MENU_NAME // 2) for each in (pairing.first, pairing.second)]
    outcome = drawn.outcomes.get(pairing.table)
    result = t("no result yet") if outcome is None else f"{outcome.points[0]} – {outcome.points[1]}"
    if outcome is not None and not results_public(state, drawn):
        result = t("done")
    label = f"{pairing.table}. {names[0]} – {names[1]}"
    return option(label[:100], f"{drawn.number}.{pairing.table}", chosen=False, description=result)


def correct_layout(view: TournamentView, number: int, table: int, t: Words, note: str | None = None) -> Layout:
    """Lay out how a table ended, with buttons to correct that."""
    state, ref = view.state, TournamentRef(view.id)
    drawn = state.rounds[number - 1]
    pairing = drawn.pairing(table)
    assert pairing is not None, "the caller has looked"
    entries = [state.entry(each) for each in (pairing.first, pairing.second)]
    outcome = drawn.outcomes.get(table)
    now = t("no result yet") if outcome is None else outcome_line(outcome, [entry_name(each, t) for each in entries], t)
    if outcome is not None and not results_public(state, drawn):
        now = t("done; the result is shown when the round is over")
    results = [
        button(
            ref.custom_id(TournamentVerb.OUTCOME, number, table, side),
            t("Won: {name}", name=plain_entry(each, t, longest=24 // len(each.people or (0,))))[:80],
        )
        for side, each in enumerate(entries)
    ]
    results.append(button(ref.custom_id(TournamentVerb.OUTCOME, number, table, 2), t("Both lost")))
    more = [button(ref.custom_id(TournamentVerb.POINTS, number, table), t("Set the points…"), emoji="🔢")]
    again = number == len(state.rounds) and state.stage is TournamentStage.PLAYING
    if again and state.setup.format is not Format.DUPLICATE:  # the boards are known by then
        more.append(button(ref.custom_id(TournamentVerb.AGAIN, number, table), t("Play again"), emoji="🔁"))
    final = state.setup.format is Format.KNOCKOUT and number < len(state.rounds)
    unplayed = t("A board that wasn't played is worth 60% to the winner. With points that you set, both get 50%.")
    return box_of(
        FELT,
        t("## ✏️ {round}, table {table}", round=round_name(state, number, t), table=table),
        " – ".join(f"**{entry_name(each, t)}**" for each in entries),
        t("So far: {result}", result=now),
        None if note is None else f"ℹ️ {note}",
        line(),
        t("Who has won? Points that fit are kept."),
        row(*results),
        row(*more),
        f"-# {unplayed}" if state.setup.format is Format.DUPLICATE else None,
        "-# " + t("The next round is drawn from this result, so it can't be changed any more.") if final else None,
        row(button(ref.custom_id(TournamentVerb.CORRECT), t("Another table"), emoji="↩️"), _back(ref, t)),
    )


def points_form(view: TournamentView, number: int, table: int, t: Words) -> Modal:
    """The form for what both sides have scored at a table."""
    state, ref = view.state, TournamentRef(view.id)
    pairing = state.rounds[number - 1].pairing(table)
    assert pairing is not None, "the caller has looked"
    custom_id = ref.custom_id(TournamentVerb.POINTS, number, table)
    form = Modal(title=t("Points at table {table}", table=table), custom_id=custom_id)
    for side, each in enumerate((pairing.first, pairing.second)):
        field = TextInput[Any](custom_id=f"points{side}", min_length=1, max_length=3)
        name = plain_entry(state.entry(each), t, longest=20)
        form.add_item(Label(text=name, component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def log_layout(view: TournamentView, t: Words) -> Layout:
    """The corrections so far, the latest first."""
    ref = TournamentRef(view.id)
    latest = list(reversed(view.state.corrections))[:_LOGGED]

    def written(longest: int) -> str:
        return "\n".join(_correction(view.state, each, longest, t) for each in latest)

    text = fitting_text(written, _LOG_ROOM) or t("Nothing has been corrected.")
    return box_of(FELT, t("## 📋 Corrections"), text, row(_back(ref, t)))


def _correction(state: Tournament, each: Correction, longest: int, t: Words) -> str:
    pairing = state.rounds[each.round - 1].pairing(each.table)
    assert pairing is not None, "what was corrected was played"
    names = [entry_name(state.entry(number), t, longest=longest) for number in (pairing.first, pairing.second)]

    def written(outcome: Outcome | None) -> str:
        return t("no result") if outcome is None else outcome_line(outcome, names, t)

    by = safe(each.by.name)
    if not results_public(state, state.rounds[each.round - 1]):
        return f"▫️ **{round_name(state, each.round, t)}**: " + t("corrected (by {name})", name=by)
    where = t("{round}, table {table}", round=round_name(state, each.round, t), table=each.table)
    if each.after is None:
        return f"▫️ **{where}**: " + t("{before} → played again (by {name})", before=written(each.before), name=by)
    return f"▫️ **{where}**: " + t(
        "{before} → {after} (by {name})", before=written(each.before), after=written(each.after), name=by
    )


def _menu_name(entry: Entry, t: Words) -> str:
    return f"{entry.number}. {plain_entry(entry, t)}"[:100]


def _back(ref: TournamentRef, t: Words) -> Component:
    return button(ref.custom_id(TournamentVerb.MANAGE), t("Back"), emoji="🛠️")
