"""The organiser's screens for correcting results, and the list of what was corrected."""

from collections.abc import Sequence
from typing import Any

from discord.ui import Label, Modal, TextInput

from bot.platform.kit.colours import FELT
from bot.platform.language.spelling import label_of
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, line, menu, option, row
from bot.platform.people import safe
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.tournament import (
    Correction,
    Entry,
    Format,
    Outcome,
    Pairing,
    Proposal,
    Tournament,
    TournamentRound,
    TournamentStage,
)
from bot.tournaments.screens.tournament import fitting_text
from bot.tournaments.words.formats import entry_name, outcome_line, plain_entry, results_public, round_name, short_name

_MENU_NAME = 40
_TABLES = 25
_FORM_LABEL = 45
_LOGGED = 12
"""Number of the latest corrections that are shown."""
_LOG_ROOM = 3000


def tables_layout(view: TournamentView, number: int, t: Words) -> Layout:
    """Menus of a round's tables, to choose the one whose result is corrected, and of the rounds."""
    state, ref = view.state, TournamentRef(view.id)
    drawn = state.rounds[number - 1]
    parts: list[Component | str] = []
    if len(state.rounds) > 1:
        rounds = [
            option(round_name(state, each.number, t), str(each.number), chosen=each is drawn) for each in state.rounds
        ]
        parts += [t.context("heading", "**Round**"), row(menu(ref.custom_id(TournamentVerb.ROUND), rounds))]
    for part, first in enumerate(range(0, len(drawn.pairings), _TABLES)):
        options = [_table_option(state, drawn, pairing, t) for pairing in drawn.pairings[first : first + _TABLES]]
        label = t("Which table?")
        parts += [
            f"**{label}**",
            row(menu(ref.custom_id(TournamentVerb.CORRECT, part), options, placeholder=label)),
        ]
    return box_of(FELT, t("## ✏️ Correct a result"), *parts, row(back_button(ref, t)))


def _table_option(state: Tournament, drawn: TournamentRound, pairing: Pairing, t: Words) -> Component:
    names = [plain_entry(state.entry(number), t, longest=_MENU_NAME // 2) for number in (pairing.first, pairing.second)]
    outcome = drawn.outcomes.get(pairing.table)
    result = t("No result yet") if outcome is None else f"{outcome.points[0]} – {outcome.points[1]}"
    if outcome is not None and not results_public(state, drawn):
        result = t.context("notice", "Done")
    label = f"{pairing.table}. {names[0]} – {names[1]}"
    return option(label, f"{drawn.number}.{pairing.table}", chosen=False, description=result)


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
            t("Won: {name}", name=plain_entry(entry, t, longest=24 // len(entry.people or (0,)))),
        )
        for side, entry in enumerate(entries)
    ]
    results.append(button(ref.custom_id(TournamentVerb.OUTCOME, number, table, 2), t("Both lost")))
    more = [button(ref.custom_id(TournamentVerb.POINTS, number, table), t("Set the points…"), emoji="🔢")]
    again = number == len(state.rounds) and state.stage is TournamentStage.PLAYING
    if again and state.setup.format is not Format.DUPLICATE:  # the boards are known by then
        more.append(button(ref.custom_id(TournamentVerb.AGAIN, number, table), t("Play again"), emoji="🔁"))
    final = state.setup.format is Format.KNOCKOUT and number < len(state.rounds)
    waits = state.proposal(number, table)
    unplayed = t("A board that wasn't played is worth 60% to the winner. With points that you set, both get 50%.")
    return box_of(
        FELT,
        t("## ✏️ {round}, table {table}", round=round_name(state, number, t), table=table),
        " – ".join(f"**{entry_name(entry, t)}**" for entry in entries),
        t("So far: {result}", result=now),
        None if note is None else f"ℹ️ {note}",
        line(),
        t("Who won? Points that fit are kept."),
        row(*results),
        row(*more),
        f"-# {unplayed}" if state.setup.format is Format.DUPLICATE else None,
        "-# " + t("The next round is drawn from this result, so it can't be changed any more.") if final else None,
        "-# " + _who_agrees(t),
        "-# " + t("A correction waits for an answer.") if waits is not None else None,
        "-# " + _what_follows(state, t),
        row(button(ref.custom_id(TournamentVerb.CORRECT), t("Another table"), emoji="↩️"), back_button(ref, t)),
    )


def _what_follows(state: Tournament, t: Words) -> str:
    if state.setup.format is Format.DUPLICATE:
        return t("Everyone sees that it was corrected. Matches of a duplicate tournament count nowhere else.")
    return t("Everyone sees that it was corrected. If it was played, ratings, leaderboard and records follow.")


def _who_agrees(t: Words) -> str:
    return t(
        "Everyone whom it costs something has to agree, or someone with the Manage Messages permission who doesn't "
        "take part decides."
    )


def waits_note(t: Words) -> str:
    """Tell whoever has proposed a correction what it waits for."""
    return t("The others are asked in **My tournament**.") + " " + _who_agrees(t)


def concerned(state: Tournament, number: int, table: int, by: int) -> list[int]:
    """The people whom a table's result concerns, besides whoever changes it."""
    pairing = state.rounds[number - 1].pairing(table)
    assert pairing is not None, "the caller has looked"
    entries = (state.entry(pairing.first), state.entry(pairing.second))
    return [person.id for entry in entries for person in entry.people if person.id > 0 and person.id != by]


def told_text(state: Tournament, number: int, table: int, people: Sequence[int], t: Words) -> str:
    """The message that tells people once what is proposed for their match, or has been corrected."""
    mentions = " ".join(f"<@{person_id}>" for person_id in people)
    if (proposal := state.proposal(number, table)) is not None:
        return f"{mentions} {proposal_text(state, proposal, t)} " + t("**My tournament** has the question.")
    correction = state.corrected(number, table)
    assert correction is not None, "it was just made"
    return f"{mentions} {_correction(state, correction, _MENU_NAME, t)}"


def proposal_text(state: Tournament, proposal: Proposal, t: Words) -> str:
    """Say what somebody proposes for a match."""
    pairing = state.rounds[proposal.round - 1].pairing(proposal.table)
    assert pairing is not None, "it was proposed"
    told = {"name": short_name(proposal.by.name, None), "round": round_name(state, proposal.round, t)}
    if proposal.after is None:
        return t("✏️ **{name}** wants your match of {round} to be played again.", **told)
    names = [entry_name(state.entry(number), t) for number in (pairing.first, pairing.second)]
    result = outcome_line(proposal.after, names, t)
    return t("✏️ **{name}** wants your match of {round} to count like this: {result}", **told, result=result)


def points_form(view: TournamentView, number: int, table: int, t: Words) -> Modal:
    """The form for what both sides have scored at a table."""
    state, ref = view.state, TournamentRef(view.id)
    pairing = state.rounds[number - 1].pairing(table)
    assert pairing is not None, "the caller has looked"
    custom_id = ref.custom_id(TournamentVerb.POINTS, number, table)
    form = Modal(title=t("Points at table {table}", table=table), custom_id=custom_id)
    for side, each in enumerate((pairing.first, pairing.second)):
        field = TextInput[Any](custom_id=f"points{side}", min_length=1, max_length=3)
        name = label_of(plain_entry(state.entry(each), t, longest=20), _FORM_LABEL)
        form.add_item(Label(text=name, component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def log_layout(view: TournamentView, t: Words) -> Layout:
    """The corrections so far, the latest first."""
    ref = TournamentRef(view.id)
    latest = list(reversed(view.state.corrections))[:_LOGGED]

    def written(longest: int) -> str:
        return "\n".join(_correction(view.state, correction, longest, t) for correction in latest)

    text = fitting_text(written, _LOG_ROOM) or t("Nothing was corrected.")
    return box_of(FELT, t("## 📋 Corrections"), text, row(back_button(ref, t)))


def _correction(state: Tournament, correction: Correction, longest: int, t: Words) -> str:
    pairing = state.rounds[correction.round - 1].pairing(correction.table)
    assert pairing is not None, "what was corrected was played"
    names = [entry_name(state.entry(number), t, longest=longest) for number in (pairing.first, pairing.second)]

    def written(outcome: Outcome | None) -> str:
        return t("no result") if outcome is None else outcome_line(outcome, names, t)

    by = safe(correction.by.name)
    if correction.agreed is not None:
        by = t("{name}, with {other}", name=by, other=safe(correction.agreed.name))
    if not results_public(state, state.rounds[correction.round - 1]):
        return f"▫️ **{round_name(state, correction.round, t)}**{t.colon}" + t("corrected (by {name})", name=by)
    where = t("{round}, table {table}", round=round_name(state, correction.round, t), table=correction.table)
    if correction.after is None:
        return f"▫️ **{where}**{t.colon}" + t(
            "{before} → played again (by {name})", before=written(correction.before), name=by
        )
    return f"▫️ **{where}**{t.colon}" + t(
        "{before} → {after} (by {name})", before=written(correction.before), after=written(correction.after), name=by
    )


def menu_name(entry: Entry, t: Words) -> str:
    return f"{entry.number}. {plain_entry(entry, t)}"


def back_button(ref: TournamentRef, t: Words) -> Component:
    return button(ref.custom_id(TournamentVerb.MANAGE), t.context("button", "Back"), emoji="🛠️")
