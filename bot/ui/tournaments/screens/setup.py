"""The private screen on which somebody sets a tournament up before they announce it, or changes it after that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from discord import ButtonStyle

from bot.club.tournaments.setup import BOARDS, ROUNDS, is_invalid, max_entries, min_entries, rounds_for
from bot.club.tournaments.tournament import Format, Setup
from bot.engine.rules import PRESETS
from bot.tables.server.rule_sets import SavedRules
from bot.ui.kit.colours import FELT
from bot.ui.kit.ids.tournament import Draft, DraftVerb, TournamentRef, TournamentVerb
from bot.ui.layout import Component, Layout, box_of, button, line, menu, option, row
from bot.ui.words.names import plain
from bot.ui.words.rules import introduction, preset_name
from bot.ui.words.texts import Words
from bot.ui.words.tournaments.formats import FORMAT_NOTES, FORMATS, duration

_TARGETS: Final = (7, 11, 15, 21, 31)
_EXAMPLES: Final = (4, 8, 16)


@dataclass(frozen=True, slots=True)
class SettingUp:
    """The content of the screen.

    Attributes:
        draft: what is chosen so far.
        setup: the set-up that this is.
        sets: the server's own rules.
        role: the role that the announcement can mention, once; None if the server has chosen no role for players.
        open_to_all: whether everybody on the server may organise; None for somebody who can't change that.
        entered: whether somebody has signed up, so that the tournament can't change between single and pairs any more.
        note: what came of the latest click.
    """

    draft: Draft
    setup: Setup
    sets: Sequence[SavedRules] = ()
    role: int | None = None
    open_to_all: bool | None = None
    entered: bool = False
    note: str | None = None


def setup_layout(page: SettingUp, t: Words) -> Layout:
    draft, setup = page.draft, page.setup
    duplicate = setup.format is Format.DUPLICATE
    parts: list[Component | str] = []

    def add(verb: DraftVerb, heading: str, options: list[Component]) -> None:
        parts.extend((heading, row(menu(draft.custom_id(verb), options))))

    formats = [
        option(t(name), each, chosen=each is setup.format, description=t(FORMAT_NOTES[each]))
        for each, name in FORMATS.items()
    ]
    add(DraftVerb.FORMAT, t("**Who plays who**"), formats)
    singles = [
        option(t("Solo"), "0", chosen=not setup.pairs),
        option(t("In pairs: each joins with a partner"), "1", chosen=setup.pairs),
    ]
    if not page.entered:
        add(DraftVerb.PAIRS, t("**Single or pairs**"), singles)
    add(DraftVerb.PRESET, t("**Variant**"), _rules(page, t))
    if duplicate:
        boards = [
            option(t.plural("{n} board a round", "{n} boards a round", n), str(n), chosen=n == setup.boards)
            for n in BOARDS
        ]
        add(DraftVerb.BOARDS, t("**Boards**"), boards)
    else:
        targets = [
            option(t("To {n} points", n=n), str(n), chosen=n == setup.target) for n in sorted({*_TARGETS, setup.target})
        ]
        add(DraftVerb.TARGET, t("**Target**"), targets)
    if setup.format in (Format.SWISS, Format.DUPLICATE):
        rounds = [option(t("By the number of entries"), "0", chosen=setup.rounds is None)]
        rounds += [option(t.plural("{n} round", "{n} rounds", n), str(n), chosen=n == setup.rounds) for n in ROUNDS]
        add(DraftVerb.ROUNDS, t("**Rounds**"), rounds)
    if setup.format is Format.KNOCKOUT:
        seeds = [
            option(t("The places are drawn by lot"), "0", chosen=not setup.seeded),
            option(t("The best are kept apart, by their ratings here"), "1", chosen=setup.seeded),
        ]
        add(DraftVerb.SEEDED, t("**Places in the bracket**"), seeds)
    if page.role is not None:
        heading = t("**Who to tell, once**: {role}", role=f"<@&{page.role}>")
        told = [
            option(t("Mention nobody"), "0", chosen=not draft.tells),
            option(t("Mention this role in the announcement"), "1", chosen=draft.tells),
        ]
        add(DraftVerb.TELL, heading, told)
    if draft.changes is None:
        heading = t("## 🏆 A tournament in this channel")
        hint = t("Only you see this. Choose what is played; **Announce** opens the sign-up for everyone.")
        buttons = [
            button(draft.custom_id(DraftVerb.ANNOUNCE), t("Announce"), style=ButtonStyle.success, emoji="📣"),
            button(draft.custom_id(DraftVerb.WHEN), t("Announce for later…"), style=ButtonStyle.success, emoji="📅"),
        ]
    else:
        heading = t("## ⚙️ Change what is played")
        hint = t("Only you see this. With **Save** the tournament is played like this.")
        buttons = [
            button(draft.custom_id(DraftVerb.SAVE), t("Save"), style=ButtonStyle.success, emoji="💾"),
            button(TournamentRef(draft.changes).custom_id(TournamentVerb.MANAGE), t("Back"), emoji="🛠️"),
        ]
    if page.open_to_all is not None:
        label = t("Moderators only") if page.open_to_all else t("Open to everyone")
        buttons.append(button(draft.custom_id(DraftVerb.WHO), label, emoji="🔑"))
    return box_of(
        FELT,
        f"{heading}\n{hint}",
        *parts,
        line(),
        "\n".join(_times(page, t)),
        None if page.note is None else f"⚠️ {page.note}",
        row(*buttons),
        None if page.open_to_all is None else f"-# {_who(page.open_to_all, t)}",
    )


def _rules(page: SettingUp, t: Words) -> list[Component]:
    """The rules to choose from: the server's own first, then the rule systems."""
    setup, found = page.setup, list[Component]()
    sets = {each.key: (plain(each.name), replace(setup, **own_rules(each))) for each in page.sets}
    if setup.own is not None:  # as they were when they were chosen
        sets[setup.own.key] = (plain(setup.own.name), setup)
    for key, (name, wanted) in sets.items():
        if not is_invalid(wanted):
            found.append(option(name, key, chosen=setup.own is not None and key == setup.own.key))
    for preset in PRESETS:
        if not is_invalid(replace(setup, preset=preset, own=None)):
            chosen = setup.own is None and preset == setup.preset
            found.append(option(preset_name(preset, t), preset, chosen=chosen, description=introduction(preset, t)))
    return found


def own_rules(saved: SavedRules) -> dict[str, Any]:
    """The fields of a set-up with a server's own rules."""
    return {"preset": saved.config.preset, "own": saved.rule_set}


def who_may(t: Words) -> str:
    """Say who may organise where not everybody may."""
    return t("Only someone with the Manage Events or Manage Messages permission can organise a tournament here.")


def _who(everybody: bool, t: Words) -> str:
    return t("Everyone who may write here can organise a tournament.") if everybody else who_may(t)


def _times(page: SettingUp, t: Words) -> list[str]:
    """Say how long a round takes, and the whole tournament with some numbers of entries."""
    setup = page.setup
    lines = [t("⏱️ **How long**: a round takes {time}.", time=duration(setup, 1, t))]
    for entries in _EXAMPLES:
        if min_entries(setup) <= entries <= max_entries(setup):
            rounds = rounds_for(setup, entries)
            if setup.pairs:
                who = t.plural("{n} pair", "{n} pairs", entries)
            else:
                who = t.plural("{n} player", "{n} players", entries)
            count = t.plural("{n} round", "{n} rounds", rounds)
            lines.append(f"-# {who}: {count}, {duration(setup, rounds, t)}")
    return lines
