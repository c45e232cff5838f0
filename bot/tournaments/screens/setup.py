"""The screens on which a tournament is set up: what is played, its title and its time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from discord import ButtonStyle
from discord.ui import Label, Modal, TextInput

from bot.cards.words.rules import introduction, preset_name
from bot.engine.rules import PRESETS
from bot.platform.kit.colours import FELT
from bot.platform.language.appointments import FURTHEST, Unclear
from bot.platform.language.calendar import zone_named
from bot.platform.language.texts import N_, Words
from bot.platform.layout import Component, Layout, box_of, button, menu, option, row
from bot.platform.people import plain, safe
from bot.platform.settings.listing import menu_of_changes
from bot.tables.live.own_rules import SavedRules
from bot.tournaments.ids.tournament import Draft, DraftVerb, TournamentRef, TournamentVerb
from bot.tournaments.rules.setup import BOARDS, LONGEST_TITLE, ROUNDS, is_invalid, rounds_for
from bot.tournaments.rules.tournament import Format, Setup
from bot.tournaments.words.formats import FORMAT_NOTES, FORMATS, duration, rules_played

TITLE: Final = "title"
WHEN: Final = "when"
"""The fields of the form, in this order."""
_LONGEST: Final = 60
_UNCLEAR: Final = {
    Unclear.NO_TIME: N_("I don't understand “{typed}”. Write a day and a time, such as Fri 21:30 or 27/11 21:30."),
    Unclear.NO_SUCH_DATE: N_("“{typed}” isn't a date I know. Write it like this: 27/11 21:30."),
    Unclear.WHICH_DATE: N_("“{typed}” could be two dates. Write the month as a word, such as 3 Dec 21:30."),
    Unclear.NO_SUCH_TIME: N_("“{typed}”: the clocks go forward then, so that time doesn't exist on that day."),
    Unclear.PAST: N_("“{typed}” is over already."),
    Unclear.TOO_FAR: N_("“{typed}” is too far ahead: it can be at most {days} days from now."),
}


def appointment_form(custom_id: str, zone: str, t: Words, *, setup: Setup | None = None) -> Modal:
    """The form. `setup`: that of an announced tournament, which may lose its time again."""
    form = Modal(title=t("Title and time"), custom_id=custom_id)
    start = None if setup is None else setup.start
    known = None if start is None else f"{start.moment.astimezone(zone_named(zone)):%Y-%m-%d %H:%M}"
    title = TextInput[Any](
        custom_id=TITLE, required=False, max_length=LONGEST_TITLE, default=setup.title or None if setup else None
    )
    when = TextInput[Any](
        custom_id=WHEN,
        required=setup is None,
        max_length=_LONGEST,
        default=known,
        placeholder=t("Fri 21:30"),
    )
    form.add_item(Label(text=t("Title, if it has one"), component=title))
    form.add_item(
        Label(text=t("When does it start?"), description=t("By the clocks of {zone}", zone=zone), component=when)
    )
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def unclear_text(why: Unclear, typed: str, t: Words) -> str:
    """Say why what somebody typed is no time at which a tournament can begin."""
    return t(_UNCLEAR[why], typed=safe(typed, longest=_LONGEST), days=FURTHEST.days)


_TARGETS: Final = (7, 11, 15, 21, 31)
_EXAMPLE: Final = 8
"""The number of entries for which the screen says how long the tournament takes."""


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
        editing: what is about to be changed; its menu is shown.
        changed: what was changed by the latest click.
        note: what came of the latest click.
    """

    draft: Draft
    setup: Setup
    sets: Sequence[SavedRules] = ()
    role: int | None = None
    open_to_all: bool | None = None
    entered: bool = False
    editing: DraftVerb | None = None
    changed: DraftVerb | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Aspect:
    """Something that can be changed: its menu, and the text that stands for its value if not the chosen option's."""

    verb: DraftVerb
    name: str
    options: list[Component]
    text: str | None = None

    @property
    def value(self) -> str:
        chosen = next((choice["label"] for choice in self.options if choice["default"]), "–")
        return chosen if self.text is None else self.text


def setup_layout(page: SettingUp, t: Words) -> Layout:
    """Lay out what is chosen, a line each, and the menu of what can be changed."""
    draft, aspects = page.draft, list(_aspects(page, t))
    lines = [f"{'✅ ' if aspect.verb is page.changed else ''}**{aspect.name}** · {aspect.value}" for aspect in aspects]
    offered = [option(aspect.name, aspect.verb, chosen=aspect.verb is page.editing) for aspect in aspects]
    edited: list[Component | str] = []
    for aspect in aspects:
        if aspect.verb is page.editing:
            edited = [f"**{aspect.name}**", row(menu(draft.custom_id(aspect.verb), aspect.options))]
    if draft.changes is None:
        heading = t("## 🏆 A tournament in this channel") + "\n-# " + t("Only you see this, until you announce it.")
        buttons = [
            button(
                draft.custom_id(DraftVerb.ANNOUNCE),
                t.context("button", "Announce"),
                style=ButtonStyle.success,
                emoji="📣",
            ),
            button(draft.custom_id(DraftVerb.WHEN), t("Announce for later…"), style=ButtonStyle.success, emoji="📅"),
        ]
    else:
        heading = t("## ⚙️ Change what is played") + "\n-# " + t("Only you see this, until you save it.")
        buttons = [
            button(draft.custom_id(DraftVerb.SAVE), t.context("button", "Save"), style=ButtonStyle.success, emoji="💾"),
            button(
                TournamentRef(draft.changes).custom_id(TournamentVerb.MANAGE), t.context("button", "Back"), emoji="🛠️"
            ),
        ]
    return box_of(
        FELT,
        heading,
        "\n".join([*lines, f"-# ⏱️ {_how_long(page.setup, t)}"]),
        menu_of_changes(draft.custom_id(DraftVerb.EDIT), offered, t),
        *edited,
        None if page.note is None else f"⚠️ {page.note}",
        row(*buttons),
    )


def _aspects(page: SettingUp, t: Words) -> Iterator[_Aspect]:
    setup = page.setup
    formats = [
        option(t(name), kind, chosen=kind is setup.format, description=t(FORMAT_NOTES[kind]))
        for kind, name in FORMATS.items()
    ]
    yield _Aspect(DraftVerb.FORMAT, t.context("tournament", "Format"), formats)
    if not page.entered:
        singles = _two(t.context("tournament", "Solo"), t("In pairs: each joins with a partner"), chosen=setup.pairs)
        yield _Aspect(DraftVerb.PAIRS, t.context("tournament", "Entries"), singles)
    yield _Aspect(DraftVerb.PRESET, t.context("tournament", "Rules"), _rules(page, t), rules_played(setup, t))
    if setup.format is Format.DUPLICATE:
        boards = [
            option(t.plural("{n} board a round", "{n} boards a round", n), str(n), chosen=n == setup.boards)
            for n in BOARDS
        ]
        yield _Aspect(DraftVerb.BOARDS, t.context("tournament", "Boards"), boards)
    else:
        targets = [
            option(t("To {n} points", n=n), str(n), chosen=n == setup.target) for n in sorted({*_TARGETS, setup.target})
        ]
        yield _Aspect(DraftVerb.TARGET, t.context("tournament", "Target"), targets, str(setup.target))
    if setup.format in (Format.SWISS, Format.DUPLICATE):
        rounds = [option(t("By the number of entries"), "0", chosen=setup.rounds is None)]
        rounds += [option(t.plural("{n} round", "{n} rounds", n), str(n), chosen=n == setup.rounds) for n in ROUNDS]
        yield _Aspect(DraftVerb.ROUNDS, t.context("tournament", "Rounds"), rounds)
    if setup.format is Format.KNOCKOUT:
        apart = t("The best are kept apart")
        seeds = [
            option(t("By lot"), "0", chosen=not setup.seeded),
            option(t("By rating here"), "1", chosen=setup.seeded, description=apart),
        ]
        yield _Aspect(DraftVerb.SEEDED, t("Places in the bracket"), seeds)
    if page.role is not None:
        tells = page.draft.tells
        told = _two(t("Mention nobody"), t("Mention this role in the announcement"), chosen=tells)
        yield _Aspect(DraftVerb.TELL, t("Who to tell, once"), told, f"<@&{page.role}>" if tells else None)
    if page.open_to_all is not None:
        may = t("Only someone with the Manage Events or Manage Messages permission can organise a tournament here.")
        who = [
            option(t("Moderators only"), "0", chosen=not page.open_to_all, description=may),
            option(t.context("tournament", "Everyone"), "1", chosen=page.open_to_all),
        ]
        yield _Aspect(DraftVerb.WHO, t.context("tournament", "Organisers"), who)


def _two(no: str, yes: str, *, chosen: bool) -> list[Component]:
    return [option(no, "0", chosen=not chosen), option(yes, "1", chosen=chosen)]


def _rules(page: SettingUp, t: Words) -> list[Component]:
    """The rules to choose from: the server's own first, then the rule systems."""
    setup, found = page.setup, list[Component]()
    sets = {rule_set.key: (plain(rule_set.name), replace(setup, **own_rules(rule_set))) for rule_set in page.sets}
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


def _how_long(setup: Setup, t: Words) -> str:
    """Say how long a round takes, and the whole tournament with a number of entries."""
    rounds = rounds_for(setup, _EXAMPLE)
    if setup.pairs:
        who = t.plural("{n} pair", "{n} pairs", _EXAMPLE)
    else:
        who = t.plural("{n} player", "{n} players", _EXAMPLE)
    count = t.plural("{n} round", "{n} rounds", rounds)
    return (
        t("A round takes {time}.", time=duration(setup, 1, t)) + f" {who}{t.colon}{count}, {duration(setup, rounds, t)}"
    )
