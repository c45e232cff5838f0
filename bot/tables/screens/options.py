"""The options of a table, and of a challenge."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ButtonStyle

from bot.cards.words.rules import summary
from bot.club.rules.gains import Stakes
from bot.club.words.ratings import stake_lines
from bot.engine.rules import PRESETS, TARGETS, Duty, Seating
from bot.platform.kit.colours import FELT
from bot.platform.language.spelling import capital
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.layout import Component, Layout, box_of, button, guests_menu, line, menu, option, row, rows
from bot.platform.people import plain
from bot.platform.settings.choices import Choice
from bot.players.characters import rating_of
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.result import is_practice
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.events import LARGEST_CAPACITY, Guests
from bot.tables.log.seats import Seat
from bot.tables.screens.lobby import FRIENDLY, RATED, claim_lines, difference_lines, forced_text, join_id
from bot.tables.screens.picking import solo_button
from bot.tables.words.names import LEVEL_NAMES, TEMPO_NAMES, rules_name

ON, OFF = "on", "off"
"""Arguments of the button for hints."""
NOBODY: Final = "none"
"""The value of a computer's menu that removes it."""
OTHER: Final = "other"
"""The value of the menu of targets that opens the form for any other."""
MOST_GUESTS: Final = 10
"""The most people and roles that one can choose to sit down."""
ROUND: Final = "round"
"""The value of that menu for a match of one round."""
_TARGETS = (7, 11, 15, 21)
TARGET: Final = Choice("target", NC_("heading", "**Target**"), dict.fromkeys(TARGETS, N_("To {n} points")))
TEMPO: Final = Choice("tempo", NC_("heading", "**Pace**"), TEMPO_NAMES)
_PAIRS_OF = Seating.PAIRS.seats


def options_layout(
    view: TableView,
    person_id: int,
    t: Words,
    stakes: Stakes | None = None,
    *,
    moderator: bool = False,
    note: str | None = None,
) -> Layout:
    """The options, with the controls of those that the reader may change.

    Args:
        view: the lobby.
        person_id: the reader.
        t: the words.
        stakes: what the match would bring its people, if that is known.
        moderator: whether the reader may end other people's games.
        note: what came of the last choice.
    """
    ref = Ref(view.id, view.version)
    seated = any(seat.person_id == person_id for seat in view.seats)
    invited = any(person.id == person_id for person in view.missing)
    runs = moderator or person_id == view.opener_id
    buttons: list[Component] = []
    if seated:
        buttons += [
            button(ref.custom_id(Verb.RULES), t("Change the rules"), emoji="📜"),
            *_teams_buttons(ref, view, t),
            *_forced_buttons(ref, view, t),
        ]
    if seated or invited or moderator:
        buttons += rating_buttons(ref, view, t, runs=runs)
    if runs and view.movable:
        buttons.append(button(ref.custom_id(Verb.THREAD), t("Play in a thread"), emoji="🧵"))
    if view.alone:
        buttons.append(button(ref.custom_id(Verb.PANEL), t.context("button", "Back")))
    elif seated and sum(not seat.is_computer for seat in view.seats) == 1:
        buttons.append(solo_button(t))  # while they wait
    if seated and len(view.people) > 1:
        buttons.append(button(ref.custom_id(Verb.LEAVE), t.context("button", "Leave")))
    if seated:
        buttons += _series_buttons(ref, view, t)
    if runs and not view.alone:
        buttons.append(button(ref.custom_id(Verb.CANCEL), t("Close table"), style=ButtonStyle.danger))
    return box_of(
        FELT,
        t("## Options"),
        "\n".join(rating_lines(view, stakes, t)),
        "\n".join(rule_lines(view, t)),
        None if seated else t("Anyone at the table can change this. Press **Join** to sit down."),
        line(),
        None if note is None else f"⚠️ {note}",
        *(_menus(ref, view, t) if seated else ()),
        *(_guests_menus(ref, view, person_id, t) if runs and not view.challenge and not view.alone else ()),
        *rows(buttons),
    )


def _menus(ref: Ref, view: TableView, t: Words) -> Iterator[Component | str]:
    """The menus of the target, the pace, partners, and each computer player."""
    rules = view.config.rules
    target = None if rules.rounds else rules.target
    offered = sorted({*_TARGETS, PRESETS[view.config.preset].rules.target, rules.target})
    single = option(t("One round"), ROUND, chosen=target is None, description=t("Friendly; it may end in a tie."))
    other = option(t("Another number"), OTHER, chosen=False)
    yield TARGET.menu(ref.custom_id(Verb.TARGET), target, t, only=offered, first=[single], last=[other])
    if not view.alone:
        yield TEMPO.menu(ref.custom_id(Verb.TEMPO), view.config.tempo, t)
    yield from _partner_menu(ref, view, t)
    for index, seat in enumerate(view.seats):
        if seat.is_computer:
            yield f"**{holder_name(seat)}**"
            yield row(_computer_menu(ref.with_args(str(index)), seat, view.config.preset, t))


def _guests_menus(ref: Ref, view: TableView, person_id: int, t: Words) -> Iterator[Component | str]:
    """The menus of who may sit down, and of who is taken off."""
    guests = view.guests or Guests()
    people = [guest.id for guest in guests.invited if guest is not None]
    if people or guests.roles:  # who are shown instead of the placeholder
        yield t("**Who can join**")
    everyone = t("Who can join: everyone")
    yield row(guests_menu(ref.custom_id(Verb.GUESTS), people, guests.roles, MOST_GUESTS, placeholder=everyone))
    others = [
        option(plain(seat.name), str(index), chosen=False)
        for index, seat in enumerate(view.seats)
        if seat.person_id not in (None, person_id, view.opener_id)
    ]
    if others:
        yield row(menu(ref.custom_id(Verb.TAKE_OFF), others, placeholder=t("Take someone off")))


def _computer_menu(ref: Ref, seat: Seat, preset: str, t: Words) -> Component:
    """The menu of a computer player's level, in which it can be removed, too."""
    levels = [
        option(
            capital(t(name)),
            level.value,
            chosen=level is seat.level,
            description=f"≈ {t.number(rating_of(preset, level))}",
        )
        for level, name in LEVEL_NAMES.items()
    ]
    remove = option(t("Remove {name}", name=plain(seat.name)), NOBODY, chosen=False)
    return menu(ref.custom_id(Verb.COMPUTER), [*levels, remove])


def _teams_buttons(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The button that switches between playing alone and in pairs, where as many sit as can do both."""
    config = view.config
    if len(view.seats) == LARGEST_CAPACITY:
        text = t("Three pairs") if config.threes else t("Three against three")
    elif len(view.seats) == _PAIRS_OF:
        text = t("Play solo") if config.teams else t("Play in pairs")
    else:
        return []
    return [button(ref.custom_id(Verb.TEAMS), text)]


def _forced_buttons(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The button that has cards without a choice play themselves, or not, where the match could do so."""
    if not view.slow or view.config.rules.duty is not Duty.COMPULSORY:
        return []
    return [button(ref.custom_id(Verb.FORCED), forced_text(view.config, t))]


def _series_buttons(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The button that makes the match one of a best of three, or not, where people sit through several."""
    if view.alone or view.unhurried or is_practice(view.config, view.seats):
        return []
    on = view.config.best_of_three
    style = ButtonStyle.success if on else ButtonStyle.secondary
    return [button(ref.custom_id(Verb.SERIES), t("Best of three"), style=style, emoji="✅" if on else None)]


def rating_lines(view: TableView, stakes: Stakes | None, t: Words) -> list[str]:
    """Whether the match counts, and its stakes."""
    config = view.config
    if is_practice(config, view.seats):
        return [t("🎯 **Practice** against robots: it doesn't count.")]
    if not config.rated:
        hints = t("Hints are allowed.") if view.hints and config.hints else t("No hints.")
        return [t("🤝 **Friendly**: it doesn't count.") + " " + hints]
    lines = [t("🏅 **Rated**: counts for the leaderboard and ratings. No hints."), *claim_lines(view, t)]
    if any(seat.is_computer for seat in view.seats):
        lines.append("-# " + t("With a robot at the table, ratings don't change."))
    return lines + (stake_lines(stakes, (*view.people, *view.missing), t) if stakes is not None else [])


def rating_buttons(ref: Ref, view: TableView, t: Words, *, runs: bool = True) -> list[Component]:
    """The buttons for a rated or a friendly match, and for hints in it. `runs`: whether the reader may rate it."""
    config = view.config
    if is_practice(config, view.seats):
        return []
    if config.rated:
        return [button(ref.with_args(FRIENDLY).custom_id(Verb.RATED), t("Make it friendly"), emoji="🤝")]
    rated = button(ref.with_args(RATED).custom_id(Verb.RATED), t("Make it rated"), emoji="🏅")
    shown = [rated] if runs and not config.rules.rounds else []
    if not view.hints:
        return shown
    label = t("Hints: on") if config.hints else t("Hints: off")
    return [*shown, button(ref.with_args(OFF if config.hints else ON).custom_id(Verb.HINTS), label, emoji="💡")]


def _partner_menu(ref: Ref, view: TableView, t: Words) -> list[Component]:
    """The menu in which each person chooses their partner; only where there are partners."""
    seating = view.config.seating(len(view.seats))
    if seating is None or not seating.in_teams:
        return []
    options = [option(plain(seat.name), str(index), chosen=False) for index, seat in enumerate(view.seats)]
    threes = view.config.threes and len(view.seats) == LARGEST_CAPACITY
    asked = t("Choose your teammates") if threes else t("Choose your partner")
    return [row(menu(ref.custom_id(Verb.PARTNER), options, placeholder=asked))]


def rule_lines(view: TableView, t: Words) -> list[str]:
    """The rules in a few words, and how they differ from the usual ones."""
    return ["-# " + summary(view.config.rules, t), *difference_lines(view, t)]


def target_form(view: TableView, ref: Ref, t: Words) -> discord.ui.Modal:
    """The form for any target. Its custom_id says everything, as a button's does, so a restart loses nothing."""
    form = discord.ui.Modal(
        title=t.context("form", "Target"), custom_id=Ref(ref.game, ref.version).custom_id(Verb.TARGET)
    )
    field = discord.ui.TextInput[Any](
        custom_id="target", min_length=1, max_length=3, default=str(view.config.rules.target)
    )
    text = t("A number from {low} to {high}", low=TARGETS[0], high=TARGETS[-1])
    form.add_item(discord.ui.Label(text=text, component=field))
    form.stop()  # so that discord.py doesn't track it: submissions are served by their custom_id
    return form


def challenge_layout(view: TableView, t: Words, stakes: Stakes | None) -> Layout:
    """A challenge; the match begins when it is accepted."""
    ref = Ref(view.id)
    title = t(
        "## ⚔️ {preset} · to {target} points",
        preset=rules_name(view.config, t),
        target=view.config.rules.target,
    )
    opener, [challenged] = view.seats[0], view.missing
    text = t("**{name}** challenges {person} to a match.", name=holder_name(opener), person=f"<@{challenged.id}>")
    return box_of(
        FELT,
        f"{title}\n{text}",
        line(),
        "\n".join(rating_lines(view, stakes, t)),
        "\n".join(rule_lines(view, t)),
        row(
            button(join_id(ref, view), t.context("button", "Accept"), style=ButtonStyle.success),
            button(ref.custom_id(Verb.DECLINE), t.context("button", "Decline")),
            button(ref.custom_id(Verb.CANCEL), t.context("button", "Cancel")),
            *rating_buttons(ref, view, t),
        ),
    )
