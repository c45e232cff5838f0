"""The lobby: the seats, the agreed rules, and buttons to change them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.cards.words.rules import differences, preset_name, seating_name
from bot.engine.rules import PRESETS, Capture, Seating
from bot.platform.kit.colours import FELT
from bot.platform.language.texts import N_, Words
from bot.platform.layout import BoxPart, Layout, box_of, button, layout_of, line, row, section
from bot.platform.people import plain, safe
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.result import is_practice
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.events import Config
from bot.tables.log.pace import Tempo
from bot.tables.screens.guide import lesson_offer
from bot.tables.words.names import TEMPO_NAMES, level_of, plain_rules_name, rules_name
from bot.tables.words.refusals import refusal_of_seats

FRIENDLY, RATED = "f", "r"
"""Arguments of the buttons for a friendly or rated match."""
LONGEST_THREAD_NAME = 100
"""Discord's limit."""
_WEEKS_FROM: Final = 11
"""The number of days from which a length is told in weeks."""
_MONTHS_FROM: Final = 80
"""The number of days from which it is told in months."""
_AIMS: Final = {
    Capture.FIFTEEN: N_("Add up to 15"),
    Capture.MATCH: N_("Match your card or add up to it"),
}


def lobby_layout(view: TableView, t: Words, *, lesson: bool = False, seeks: bool = False) -> Layout:
    """The lobby, or the lobby of a rematch; of a challenge that waits for its answer, see `challenge_layout`.

    `lesson`: whether it offers a first lesson to somebody who plays alone. `seeks`: whether it may mention the server's
    role for players.
    """
    config = view.config
    ref = Ref(view.id, view.version)
    full = len(view.seats) >= config.capacity
    why_not = refusal_of_seats(config, len(view.seats), t)
    opener = next(seat for seat in view.seats if seat.person_id == view.opener_id)
    name = holder_name(opener)
    welcome = t("**{name}** opened a table. Press **Join** to sit down.", name=name)
    if view.missing:
        people = " ".join(f"<@{person.id}>" for person in view.missing)
        welcome = t("**{name}** wants a rematch. It starts when everyone's here: {people}", name=name, people=people)
    if view.alone:
        welcome = t("Only you see this match, and it doesn't count. `/escoba solo` brings it back whenever you like.")
    asked = _asked(view, t)
    ready = ButtonStyle.success if why_not is None and not asked else ButtonStyle.secondary
    # Never disabled: of several people who press it at once, those who come too late are told that it is full.
    join = button(
        join_id(ref, view), t.context("button", "Join"), style=ButtonStyle.secondary if full else ButtonStyle.primary
    )
    add = button(ref.custom_id(Verb.ADD_COMPUTER), t("Add a robot"), emoji="🤖", disabled=full)
    start = button(ref.custom_id(Verb.START), t.context("button", "Start"), style=ready, disabled=why_not is not None)
    short = t("To {n} points", n=config.rules.target) if config.rules.rounds else t.context("button", "Express")
    express = button(ref.custom_id(Verb.EXPRESS), short, emoji="⚡")
    options = button(ref.custom_id(Verb.OPTIONS), t.context("button", "Options"), emoji="⚙️")
    explain = button(ref.custom_id(Verb.GUIDE), t("How to play"))
    controls = [row(start, express, add, options)] if view.alone else [row(join, add, start, express, options)]
    if seeks and not full and not view.alone:
        find = button(Ref(view.id).custom_id(Verb.SEEK), t("Find players"), emoji="📣")
        controls = [row(join, add, start, find), row(express, options)]
    return box_of(
        FELT,
        f"## 🧹 {rules_name(config, t)}\n{welcome}",
        lesson_offer(t) if lesson else None,
        line(),
        "\n".join((*_seat_lines(view, t), *_guests_line(view, t))),
        section("\n".join((_played(view, t), *difference_lines(view, t), *claim_lines(view, t))), explain),
        *asked,
        None if why_not is None else f"-# {why_not}",
        *controls,
    )


def _played(view: TableView, t: Words) -> str:
    """Say what is played, in words that a beginner understands, at what pace, and what it counts for."""
    config = view.config
    aim = t(_AIMS[config.rules.capture])
    played = [t("{aim} · to {target} points", aim=aim, target=config.rules.target)]
    if config.rules.rounds:
        played = [aim, t("One round")]
    if config.tempo is not Tempo.USUAL:
        played.append(t(TEMPO_NAMES[config.tempo]))
    if config.best_of_three and not view.unhurried:
        played.append(t("Best of three"))
    if view.days:
        played.append(_lasting(view.days, t))
    return " · ".join((*played, _counting(view, t)))


def _lasting(days: int, t: Words) -> str:
    """Say about how long a slow match lasts."""
    if days < _WEEKS_FROM:
        return t.plural("about {n} day", "about {n} days", days)
    if days < _MONTHS_FROM:
        return t.plural("about {n} week", "about {n} weeks", round(days / 7))
    return t.plural("about {n} month", "about {n} months", round(days / 30))


def _counting(view: TableView, t: Words) -> str:
    if is_practice(view.config, view.seats):
        return t("🎯 practice")
    if not view.config.rated:
        return t("🤝 friendly")
    if any(seat.is_computer for seat in view.seats):  # nobody's rating changes
        return t("🏅 for the leaderboard")
    return t("🏅 rated")


def join_id(ref: Ref, view: TableView) -> str:
    """The id of Join. It marks a friendly match and the latest change: whoever joins may begin it, and must get what
    they have agreed to."""
    friendly = () if view.config.rated else (FRIENDLY,)
    return ref.with_args(*friendly, *([str(view.changed)] if view.changed else [])).custom_id(Verb.JOIN)


def _asked(view: TableView, t: Words) -> list[BoxPart]:
    """Say what has changed, and who still has to press OK on it; mostly nothing."""
    seats = zip(view.names, view.seats, strict=True)
    waiting = [(name, agreed) for name, seat in seats if (agreed := seat.agreed) is not None]
    if not waiting:
        return []
    changes = dict.fromkeys(change for _, agreed in waiting for change in _changes(agreed, view, t))
    text = t(
        "⏳ New: {changes}. The start waits for {people} to press **OK**; after {time} it leaves them out.",
        changes=" · ".join(changes),
        people=", ".join(f"**{name}**" for name, _ in waiting),
        time=format_dt(datetime.fromtimestamp(view.ok_until, UTC), "f" if view.unhurried else "T"),
    )
    ok = Ref(view.id).with_args(str(view.changed)).custom_id(Verb.AGREE)
    return [text, row(button(ok, t.context("button", "OK"), style=ButtonStyle.success))]


def _changes(agreed: Config, view: TableView, t: Words) -> Iterator[str]:
    """What is different from what somebody has agreed to."""
    config = view.config
    if config.rated and not agreed.rated:
        yield _counting(view, t)
    if (config.preset, config.own) != (agreed.preset, agreed.own):
        yield rules_name(config, t)
    else:
        yield from differences(config.rules, agreed.rules, t)
    if config.rules.rounds and not agreed.rules.rounds:
        yield t("One round")
    elif (config.rules.target, config.rules.rounds) != (agreed.rules.target, agreed.rules.rounds):
        yield t("To {n} points", n=config.rules.target)
    if config.tempo is not agreed.tempo:
        yield t(TEMPO_NAMES[config.tempo])
    if config.forced is not agreed.forced:
        yield forced_text(config, t)


def forced_text(config: Config, t: Words) -> str:
    """Say whether cards without a choice play themselves."""
    return t("Forced cards: at once") if config.forced else t("Forced cards: by hand")


def claim_lines(view: TableView, t: Words) -> list[str]:
    """Say when a match without deadlines, or with slow ones, can be lost by time; nothing where it can't."""
    if not view.config.rated or is_practice(view.config, view.seats):
        return []
    if view.slow:
        return ["-# " + t("In a match of two, missing three turns in a row loses it.")]
    if not view.claim_days:
        return []
    text = t.plural(
        "No time limit: whoever doesn't move for {n} day can lose by time.",
        "No time limit: whoever doesn't move for {n} days can lose by time.",
        view.claim_days,
    )
    return [f"-# {text}"]


def arrival_layout(view: TableView, layout: Layout, t: Words) -> Layout:
    """The lobby's first message in its thread, which mentions its people so that Discord brings them there."""
    people = " ".join(f"<@{seat.person_id}>" for seat in view.seats if not seat.is_computer)
    above = layout_of(t("{people} The table is here now.", people=people))
    return replace(layout, components=above.components + layout.components)


def table_ready_layout(view: TableView, layout: Layout, t: Words) -> Layout:
    """The first message of a tournament's table, which mentions its people so that Discord calls them there."""
    people = " ".join(f"<@{seat.person_id}>" for seat in view.seats)
    above = layout_of(
        t(
            "{people} Your table is ready: press **My hand** to see your cards and to show that you are there.",
            people=people,
        )
    )
    return replace(layout, components=above.components + layout.components)


def thread_name(view: TableView, t: Words) -> str:
    """The name of a lobby's thread: those who sit there, and what they play."""
    ending = " · " + plain_rules_name(view.config, t)
    names = "🧹 " + " · ".join(plain(seat.name) for seat in view.seats)
    room = LONGEST_THREAD_NAME - len(ending)
    return (names if len(names) <= room else names[: room - 1] + "…") + ending


def _seat_lines(view: TableView, t: Words) -> list[str]:
    """The seats in order; in pairs, a line for each pair."""
    held = [f"{index + 1}. **{view.names[index]}**{level_of(seat, t)}" for index, seat in enumerate(view.seats)]
    seating = view.config.seating(len(view.seats))
    if seating is not None and seating.in_teams:
        sides = [" + ".join(held[seat] for seat in seating.seats_of(side)) for side in range(seating.sides)]
        lines = [
            t("Side {letter}: {players}", letter="AB"[side], players=players)
            if seating is Seating.TRIPLES
            else t("Pair {letter}: {players}", letter="ABC"[side], players=players)
            for side, players in enumerate(sides)
        ]
    else:
        lines = held
    if (free := view.config.capacity - len(view.seats)) and not view.alone:
        lines.append("-# " + t.plural("{n} free seat", "{n} free seats", free))
    return lines


def _guests_line(view: TableView, t: Words) -> list[str]:
    """Say who may sit down, where not everyone may."""
    if view.guests is None:
        return []
    chosen = [f"<@{guest.id}>" for guest in view.guests.invited if guest is not None]
    chosen += [f"<@&{role}>" for role in view.guests.roles]
    return ["-# " + t("🔒 Only for {people}", people=", ".join(chosen) or "—")]


def difference_lines(view: TableView, t: Words) -> list[str]:
    """List how the rules differ from those of the preset, or of the server's own, in small print."""
    config = view.config
    preset = PRESETS[config.preset]
    lines: list[str] = []
    usual = preset.rules if config.own is None else config.own.rules
    if changed := differences(config.rules, usual, t):
        lines.append("-# " + t("Changed: {changes}", changes=", ".join(changed)))
    if config.own is not None and config.rule_set is None:
        names = {"name": safe(config.own.name), "preset": preset_name(config.preset, t)}
        lines.append("-# " + t("With these changes it counts for {preset}, not for {name}.", **names))
    seating = config.seating(len(view.seats))
    if seating is not None and seating not in preset.seatings:
        lines.append("-# " + t("Not usual in this variant: {seating}", seating=seating_name(seating, t)))
    return lines
