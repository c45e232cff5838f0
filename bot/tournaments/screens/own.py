"""The screens of a tournament for one of its people alone: whom to enter with, where to play, and whether to
withdraw."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from discord import ButtonStyle

from bot.platform.kit.colours import FELT, TURN
from bot.platform.kit.links import channel_url
from bot.platform.language.texts import N_, Words, place_sign
from bot.platform.layout import BoxPart, Component, Layout, box_of, button, layout_of, line, link, menu, option, row
from bot.platform.people import Person
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.view import TournamentView
from bot.tournaments.rules.decide import may_enter
from bot.tournaments.rules.pairings import knocked_out
from bot.tournaments.rules.results import awaited
from bot.tournaments.rules.standings import standings
from bot.tournaments.rules.tournament import (
    Entry,
    Format,
    Gone,
    Outcome,
    Pairing,
    Tournament,
    TournamentRound,
    TournamentStage,
)
from bot.tournaments.screens.corrections import proposal_text
from bot.tournaments.screens.tournament import what_next
from bot.tournaments.words.formats import (
    correction_mark,
    entry_name,
    outcome_line,
    plain_entry,
    round_name,
    setup_title,
)

_IN_A_MENU = 25
_PROPOSALS = 3
GONE = {
    Gone.WITHDREW: N_("You have withdrawn."),
    Gone.REMOVED: N_("The organiser removed you."),
    Gone.DISQUALIFIED: N_("The organiser disqualified you: you play no longer, and stand on no podium."),
    Gone.ABSENT: N_("You hadn't checked in when the first round was drawn, so you were left out."),
    Gone.NO_PARTNER: N_("You had no partner when the first round was drawn, so you were left out."),
    Gone.FORFEITS: N_("You lost twice without playing to the end, so you're out of this tournament."),
}


def partner_layout(view: TournamentView, person_id: int, t: Words) -> Layout:
    """Asks somebody who enters a tournament of pairs whom they want as their partner."""
    ref, own = TournamentRef(view.id), view.state.entry_of(person_id)
    looking = [
        entry for entry in view.state.entries if not entry.withdrawn and not view.state.complete(entry) and entry != own
    ]
    alone = button(ref.custom_id(TournamentVerb.ALONE), t("Find a partner"), style=ButtonStyle.primary, emoji="🔎")
    parts: list[Component | str] = []
    for first, some in enumerate(chunks(looking)):
        options = [option(plain_entry(entry, t), str(entry.number), chosen=False) for entry in some]
        custom_id = ref.custom_id(TournamentVerb.PARTNER, first)
        parts += [t("**They look for a partner**"), row(menu(custom_id, options, placeholder=t("Play with: …")))]
    text = t("This tournament is played in pairs. Choose your partner, or join alone and wait for someone to find you.")
    if own is not None:
        text = t("You're looking for a partner: choose one, or wait for someone to find you.")
    text += f"\n-# {_paired_later(t)}"
    return box_of(FELT, text, *parts, row(alone) if own is None else None)


def _paired_later(t: Words) -> str:
    return t("People who are still without a partner when a round is drawn are paired with each other.")


def chunks(entries: Iterable[Entry]) -> Iterator[Sequence[Entry]]:
    """Entries in groups that fit in a menu."""
    left = iter(entries)
    while some := list(islice(left, _IN_A_MENU)):
        yield some


def own_layout(
    view: TournamentView, person_id: int, t: Words, note: str | None = None, *, url: str | None = None
) -> Layout:
    """Lay out where and against whom somebody plays, what they have played, and what they can do. `url`: leads to the
    tournament's message."""
    state, ref = view.state, TournamentRef(view.id)
    entry = own_entry(state, person_id)
    title = t("## 🏆 Your tournament") + f"\n-# {setup_title(state.setup, t)}"
    heard = None if note is None else f"ℹ️ {note}"
    there = [] if url is None else [link(url, t("Go to the tournament"))]
    if entry is None:
        absent = t("You aren't in it.")
        if any(person.id == person_id for person in state.asked) and state.asks:
            absent = t("You are asked to play: press **Join** if you want to.")
        return box_of(FELT, title, heard, absent, *_rows([*_joining(view, person_id, t), *there]))
    lines = [_who(entry, state, t)]
    if note is None and state.stage is TournamentStage.SIGN_UP and not entry.withdrawn and state.complete(entry):
        lines.append(t("You're in."))
    buttons: list[Component] = []
    now = _now(view, entry, t)
    if now is not None:
        text, address = now
        lines.append(text)
        if address is not None:
            buttons.append(link(address, t("Go to the table")))
    if entry.withdrawn:
        buttons += _joining(view, person_id, t)
    elif state.stage is TournamentStage.SIGN_UP:
        buttons.append(button(ref.custom_id(TournamentVerb.LEAVE), t.context("button", "Leave")))
    elif state.stage.open and not knocked_out(state, entry.number):
        if state.stage is TournamentStage.CHECK_IN and not entry.present:
            here = ref.custom_id(TournamentVerb.HERE)
            buttons.append(button(here, t("I'm here"), style=ButtonStyle.success, emoji="✋"))
        buttons.append(button(ref.custom_id(TournamentVerb.WITHDRAW), t.context("button", "Withdraw"), emoji="🚪"))
    played, proposed = list(_played(state, entry, t)), _proposed(state, person_id, ref, t)
    return box_of(
        TURN if now is not None and now[1] is not None else FELT,
        title,
        heard,
        "\n".join(lines),
        line() if played else None,
        "\n".join(played) or None,
        *proposed,
        *_rows([*buttons, *there]),
    )


def withdraw_question(view: TournamentView, person_id: int, t: Words) -> Layout:
    """Asks somebody to confirm withdrawing, and says what would follow."""
    ref, entry = TournamentRef(view.id), own_entry(view.state, person_id)
    text = t("Withdraw? You won't be paired again. What you have played stays.")
    if entry is not None and len(entry.people) > 1:
        text = t("Withdraw? You and your partner won't be paired again. What you have played stays.")
    pairing = None if entry is None else view.state.open_pairing(entry)
    if pairing is not None and view.link(len(view.state.rounds), pairing.table) is None:
        text += " " + t("The match of this round, whose table hasn't opened yet, is lost.")
    elif pairing is not None:
        text += " " + t("The match of this round, if you don't play it to its end, is lost.")
    return layout_of(
        text,
        row(
            button(
                ref.custom_id(TournamentVerb.CONFIRM_WITHDRAW),
                t.context("button", "Withdraw"),
                style=ButtonStyle.danger,
            ),
            button(ref.custom_id(TournamentVerb.KEEP), t("Keep playing")),
        ),
    )


def own_entry(state: Tournament, person_id: int) -> Entry | None:
    """Somebody's entry, even if it no longer takes part."""
    theirs = [entry for entry in state.entries if any(person.id == person_id for person in entry.people)]
    return state.entry_of(person_id) or (theirs[-1] if theirs else None)


def _rows(buttons: list[Component]) -> list[Component]:
    return [row(*buttons)] if buttons else []


def _joining(view: TournamentView, person_id: int, t: Words) -> list[Component]:
    """The button for whoever can take part now: for the first time, late, or again."""
    if not may_enter(view.state, Person(person_id, "")):
        return []
    own = own_entry(view.state, person_id)
    again = own is not None and view.state.took_part(own)
    label = t("Join again") if again else t.context("button", "Join")
    return [button(TournamentRef(view.id).custom_id(TournamentVerb.JOIN), label, style=ButtonStyle.primary)]


def _who(entry: Entry, state: Tournament, t: Words) -> str:
    """Say who plays, and whether they still do; in the end, at which place they are."""
    name = f"**{entry_name(entry, t)}**"
    ranks = [standing.rank for standing in standings(state) if standing.entry == entry.number]
    if state.stage is TournamentStage.FINISHED and entry.gone is None and ranks:
        return f"{place_sign(ranks[0], t)} {name}"
    if entry.gone is not None:
        return f"{name}\n{t(GONE[entry.gone])}"
    if knocked_out(state, entry.number):
        return f"{name}\n" + t("You were knocked out.")
    if not state.complete(entry):
        waiting = t("You're looking for a partner. Whoever joins you is named here.")
        return f"{name}\n{waiting}\n-# {_paired_later(t)}"
    if state.stage is TournamentStage.CHECK_IN:
        return f"{name}\n" + (t("You are checked in.") if entry.present else t("Press **I'm here**."))
    return name


def _now(view: TournamentView, entry: Entry, t: Words) -> tuple[str, str | None] | None:
    """Say what somebody has to do in this round, and where; None before the first one and once all is over."""
    state, drawn = view.state, view.state.round
    if drawn is None or not state.stage.open:
        return None
    pairing = state.open_pairing(entry)
    if entry.withdrawn:
        return None if pairing is None else _last_match(view, entry, pairing, t)
    if pairing is None:
        if knocked_out(state, entry.number):
            return None
        if entry.number in drawn.byes:
            if state.setup.format is Format.DUPLICATE:
                return t("In this round you have a bye, which counts as 50%."), None
            return t("In this round you have a bye, which counts as a win."), None
        return what_next(view, drawn, t), None
    other = state.entry(pairing.second if pairing.first == entry.number else pairing.first)
    text = t(
        "**{round}**: you play **{name}** at table {table}.",
        round=round_name(state, drawn.number, t),
        name=entry_name(other, t),
        table=pairing.table,
    )
    table = view.link(drawn.number, pairing.table)
    if table is None:
        return f"{text} " + t("The table is about to open."), None
    if table.resultless:
        return f"{text} " + t("It ended without a result: the organiser decides."), None
    return text, channel_url(view.guild_id, table.channel_id)


def _last_match(view: TournamentView, entry: Entry, pairing: Pairing, t: Words) -> tuple[str, str | None]:
    """Say what becomes of the match that an entry was drawn for before it withdrew or was taken out."""
    state, number = view.state, len(view.state.rounds)
    other = state.entry(pairing.second if pairing.first == entry.number else pairing.first)
    names = {"round": round_name(state, number, t), "name": entry_name(other, t), "table": pairing.table}
    table = view.link(number, pairing.table)
    if table is None:
        return t("**{round}**: your match against **{name}** is lost.", **names), None
    if table.resultless:
        text = t("**{round}**: your match against **{name}** ended without a result: the organiser decides.", **names)
        return text, None
    text = t(
        "**{round}**: your match against **{name}** at table {table} goes on. Play it to its end, or it is lost.",
        **names,
    )
    return text, channel_url(view.guild_id, table.channel_id)


def _proposed(state: Tournament, person_id: int, ref: TournamentRef, t: Words) -> list[BoxPart]:
    """The corrections of somebody's matches that wait for an answer, theirs or the opponent's."""
    parts: list[BoxPart] = []
    for proposal in state.proposals[-_PROPOSALS:] if state.stage is not TournamentStage.CANCELLED else ():
        pairing = state.rounds[proposal.round - 1].pairing(proposal.table)
        assert pairing is not None, "it was proposed"
        if not state.opponents_of(person_id, pairing):
            continue
        text = proposal_text(state, proposal, t)
        if person_id not in awaited(state, proposal):
            parts.append(f"{text}\n-# " + t("This waits for everyone whom it costs something to agree."))
            continue
        args = (proposal.round, proposal.table, proposal.number)
        agree = button(ref.custom_id(TournamentVerb.AGREE, *args), t("I agree"), style=ButtonStyle.success)
        parts += [text, row(agree, button(ref.custom_id(TournamentVerb.DECLINE, *args), t("I don't agree")))]
    return parts


def _played(state: Tournament, entry: Entry, t: Words) -> Iterator[str]:
    for drawn in state.rounds:
        name = round_name(state, drawn.number, t, brief=True)
        if entry.number in drawn.byes:
            yield f"▫️ {name}{t.colon}" + t("a bye")
        for pairing, outcome in _outcomes(drawn, entry):
            names = [entry_name(state.entry(number), t) for number in (pairing.first, pairing.second)]
            won = outcome.winner is not None and (pairing.first, pairing.second)[outcome.winner] == entry.number
            mark = correction_mark(state, drawn.number, pairing.table, t)
            yield f"{'⭐' if won else '▫️'} {name}{t.colon}{outcome_line(outcome, names, t)}{mark}"


def _outcomes(drawn: TournamentRound, entry: Entry) -> Iterator[tuple[Pairing, Outcome]]:
    for pairing in drawn.pairings:
        if entry.number in (pairing.first, pairing.second) and pairing.table in drawn.outcomes:
            yield pairing, drawn.outcomes[pairing.table]
