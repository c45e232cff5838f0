"""The private screens of a tournament's organiser: what they can do now, whom to take out, corrections."""

from collections.abc import Iterator
from datetime import datetime

from discord import ButtonStyle
from discord.utils import format_dt

from bot.platform.kit.colours import FELT
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, layout_of, menu, option, people_menu, row, rows
from bot.platform.settings.listing import menu_of_changes
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.latecomers import paired_singles
from bot.tournaments.rules.pairings import knocked_out
from bot.tournaments.rules.setup import min_entries
from bot.tournaments.rules.state import apply_all
from bot.tournaments.rules.tournament import Entry, Gone, Tournament, TournamentStage
from bot.tournaments.screens.corrections import back_button, menu_name
from bot.tournaments.screens.own import chunks
from bot.tournaments.screens.tournament import fitting_text
from bot.tournaments.words.formats import entry_name, round_name, setup_title


def manage_layout(view: TournamentView, t: Words, now: datetime, note: str | None = None) -> Layout:
    """Lay out what the organiser can do now."""
    state, ref = view.state, TournamentRef(view.id)
    buttons: list[Component] = []

    def add(verb: TournamentVerb, label: str, emoji: str, *, style: ButtonStyle = ButtonStyle.secondary) -> None:
        buttons.append(button(ref.custom_id(verb), label, emoji=emoji, style=style))

    match state.stage:
        case TournamentStage.SIGN_UP:
            add(TournamentVerb.CHECK_IN, t("Open check-in"), "✋", style=ButtonStyle.primary)
            add(TournamentVerb.BEGIN, t("Skip check-in"), "▶️")
        case TournamentStage.CHECK_IN:
            add(TournamentVerb.BEGIN, t("Start round 1"), "▶️", style=ButtonStyle.primary)
        case TournamentStage.PLAYING:
            if state.round is not None and state.round.over:
                add(TournamentVerb.NEXT, t("Next round now"), "⏭️", style=ButtonStyle.primary)
        case _:
            pass
    if state.rounds and state.stage is not TournamentStage.CANCELLED:
        add(TournamentVerb.CORRECT, t("Correct a result"), "✏️")
    if state.corrections:
        add(TournamentVerb.LOG, t.context("button", "Corrections"), "📋")
    if state.stage.open:
        add(TournamentVerb.REMOVE, t("Remove a player"), "🚪")
        add(TournamentVerb.CANCEL, t("Cancel the tournament"), "🛑", style=ButtonStyle.danger)
    parts: list[Component | str] = []
    if state.stage.open:
        parts.append("\n".join(_small_print(state, t, now)))
    if changes := _changes(state, t):
        parts.append(menu_of_changes(ref.custom_id(TournamentVerb.MORE), changes, t))
    if state.asks:
        members = people_menu(ref.custom_id(TournamentVerb.ADD), placeholder=t("Choose someone"))
        parts += [t("**Ask someone to play**"), row(members)]
    return box_of(
        FELT,
        t("## 🛠️ Manage the tournament") + f"\n-# {setup_title(state.setup, t)}",
        None if note is None else f"ℹ️ {note}",
        _state(view, t),
        *rows(buttons, 2),
        *parts,
    )


def _small_print(state: Tournament, t: Words, now: datetime) -> Iterator[str]:
    yield "-# " + t("This is how it stood {time}.", time=format_dt(now, "R"))
    if state.stage is TournamentStage.SIGN_UP and state.setup.start is None:
        yield "-# " + t("If nothing happens here for a day, the tournament is cancelled.")


def _changes(state: Tournament, t: Words) -> list[Component]:
    """The options of what can be changed, by verb; with the wished state where it is switched on or off."""
    options: list[Component] = []
    if state.stage in (TournamentStage.SIGN_UP, TournamentStage.CHECK_IN):
        options.append(option(t("What is played"), TournamentVerb.CHANGE, chosen=False, emoji="⚙️"))
        options.append(option(t("Title and time…"), TournamentVerb.WHEN, chosen=False, emoji="📅"))
    if state.stage.open and state.setup.start is not None:
        weekly = state.setup.start.weekly is not None
        label, emoji = (t("Stop repeating it"), "⏹️") if weekly else (t("Every week"), "🔁")
        options.append(option(label, f"{TournamentVerb.WEEKLY}.{int(not weekly)}", chosen=False, emoji=emoji))
        if not state.rounds:
            listed = state.setup.start.event
            label = t("Remove Discord's event") if listed else t("Make a Discord event")
            options.append(option(label, f"{TournamentVerb.EVENT}.{int(not listed)}", chosen=False, emoji="🗓️"))
    return options


def _state(view: TournamentView, t: Words) -> str:
    state = view.state
    here = sum(not entry.withdrawn for entry in state.entries)
    entries = t.plural("{n} entry", "{n} entries", here)
    match state.stage:
        case TournamentStage.SIGN_UP:
            return t("Sign-up is open: {entries}.", entries=entries)
        case TournamentStage.CHECK_IN:
            return t("Check-in: {present} of {n} are here.", present=len(state.starters), n=here)
        case TournamentStage.PLAYING if state.round is not None:
            done, all_ = len(state.round.outcomes), len(state.round.pairings)
            name = round_name(state, state.round.number, t)
            return t("{round}. Tables done: {done} of {n}.", round=name, done=done, n=all_)
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
    left = [entry for entry in state.entries if not entry.withdrawn and entry.number not in staying]
    entries = t.plural("{n} entry", "{n} entries", len(staying))
    rounds = t.plural("{n} round", "{n} rounds", state.planned)
    if len(staying) < min_entries(state.setup):
        least = t.plural("{n} entry", "{n} entries", min_entries(state.setup))
        text = t("Only {entries} could play, and it takes {least}.", entries=entries, least=least)
    else:
        text = t("Start? {entries} play {rounds}.", entries=entries, rounds=rounds)
    lines = [text]
    if left:
        names = fitting_text(lambda longest: ", ".join(entry_name(entry, t, longest=longest) for entry in left), 2500)
        if state.setup.pairs:
            lines.append(t("These are left out, as they aren't here or have no partner: {names}.", names=names))
        else:
            lines.append(t("These are left out, as they aren't here: {names}.", names=names))
    yes = button(
        ref.custom_id(TournamentVerb.CONFIRM_BEGIN),
        t.context("button", "Start"),
        style=ButtonStyle.success,
        disabled=len(staying) < min_entries(state.setup),
    )
    return layout_of("\n".join(lines), row(yes, back_button(ref, t)))


def cancel_tournament_question(view: TournamentView, t: Words) -> Layout:
    ref = TournamentRef(view.id)
    text = t(
        "End this tournament for everyone? Nobody will win it. Matches that are over count, and those in play go on."
    )
    if view.state.repeats:
        text += " " + t("Its sign-up opens again for next week, unless you choose **Stop repeating it** before.")
    yes = button(ref.custom_id(TournamentVerb.CONFIRM_CANCEL), t("Cancel the tournament"), style=ButtonStyle.danger)
    return layout_of(text, row(yes, back_button(ref, t)))


def remove_layout(view: TournamentView, t: Words) -> Layout:
    """Menus of the entries that can be taken out."""
    state, ref = view.state, TournamentRef(view.id)
    present = [
        each for each in state.entries if each.people and (_in_play(state, each) or _can_be_disqualified(state, each))
    ]
    parts: list[Component | str] = []
    for first, some in enumerate(chunks(present)):
        options = [option(menu_name(entry, t), str(entry.number), chosen=False) for entry in some]
        label = t("Remove: …")
        parts += [f"**{label}**", row(menu(ref.custom_id(TournamentVerb.REMOVE, first), options, placeholder=label))]
    text = t("Who do you want to remove, or disqualify? What they played stays.")
    return layout_of(text, *parts, row(back_button(ref, t)))


def remove_question(view: TournamentView, entry: Entry, t: Words) -> Layout:
    ref = TournamentRef(view.id)
    state = view.state
    name = entry_name(state.entry(entry.number), t)
    out = button(ref.custom_id(TournamentVerb.CONFIRM_REMOVE, entry.number), t("As withdrawn"))
    disqualify = button(
        ref.custom_id(TournamentVerb.DISQUALIFY, entry.number),
        t.context("button", "Disqualify"),
        style=ButtonStyle.danger,
    )
    lines = [t("Remove {name} from the tournament: how? They can't come back.", name=name)]
    if _in_play(state, entry):
        lines.append("▫️ " + t("**As withdrawn**: they aren't paired again. What they reached stays theirs."))
    if state.rounds:
        text = t("**Disqualify**: they stand on no podium, behind all others, and read that in *My tournament*.")
        lines.append(f"▫️ {text}")
    buttons = [*([out] if _in_play(state, entry) else []), *([disqualify] if state.rounds else [])]
    return layout_of("\n".join(lines), row(*buttons, back_button(ref, t)))


def _in_play(state: Tournament, entry: Entry) -> bool:
    return not entry.withdrawn and not knocked_out(state, entry.number)


def _can_be_disqualified(state: Tournament, entry: Entry) -> bool:
    return entry.gone is not Gone.DISQUALIFIED and state.took_part(entry)
