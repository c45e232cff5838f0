"""Tournaments in words: formats, entries, tables, and why something is refused."""

from collections.abc import Sequence
from math import floor
from typing import Final

from bot.cards.words.rules import preset_name
from bot.platform.language.texts import N_, NC_, Words
from bot.platform.people import Person, plain, safe, sign_of
from bot.tournaments.live.view import NoThreadsReason
from bot.tournaments.rules.setup import LONGEST_TITLE, Start
from bot.tournaments.rules.tournament import Entry, Format, Outcome, Setup, Tournament, TournamentRound

FORMATS: Final = {
    Format.SWISS: NC_("format of a tournament", "Swiss"),
    Format.ALL_PLAY_ALL: N_("All play all"),
    Format.KNOCKOUT: NC_("format of a tournament", "Knockout"),
    Format.DUPLICATE: NC_("format of a tournament", "Duplicate"),
}
FORMAT_NOTES: Final = {
    Format.SWISS: N_("Everyone plays every round, against someone who has done about as well; from 4"),
    Format.ALL_PLAY_ALL: N_("Everyone plays everyone once; up to 8"),
    Format.KNOCKOUT: N_("Whoever loses is out, until one is left"),
    Format.DUPLICATE: N_("All tables play the same cards, and results on the same cards are compared"),
}
"""Explanations of each format, in at most the hundred characters that fit in an option of a menu."""

_MINUTES_PER_ROUND: Final = 6
"""Minutes that two people take for a round of escoba, with the time between rounds."""
_POINTS_PER_ROUND: Final = 4
"""Points that the better of two players scores in a round, on average."""
_BREAK_MINUTES: Final = 5
"""Minutes between a tournament's rounds: the others wait for the last table, and people find their next one."""
_HALF_HOUR: Final = 30
_MARK_NAME: Final = 20
"""The length to which the name of somebody who has corrected a result is cut."""
_NOTED: Final = 6
"""Corrected tables that a note names, the latest."""


def entry_name(entry: Entry, t: Words, *, longest: int | None = None) -> str:
    """Name an entry's people, for a text that Discord formats; each name is cut after `longest` characters."""
    return people_names(entry.people, t, longest=longest)


def people_names(people: Sequence[Person], t: Words, *, longest: int | None = None) -> str:
    """Name the people of an entry; see `entry_name`."""
    names = [short_name(person.name, longest) for person in people]
    return " & ".join(names) or t.context("organisers", "Nobody")


def short_name(name: str, longest: int | None) -> str:
    """Write a person's name for a text that Discord formats, cut after `longest` characters."""
    return safe(_cut(name, longest))


def plain_entry(entry: Entry, t: Words, *, longest: int | None = None) -> str:
    """Name an entry's people for a label, which Discord doesn't format."""
    return " & ".join(_cut(person.name, longest) for person in entry.people) or t.context("organisers", "Nobody")


def _cut(name: str, longest: int | None) -> str:
    kept = plain(name)
    if longest is None or len(kept) <= (longest := longest + len(sign_of(kept))):
        return kept
    return kept[: longest - 1].rstrip() + "…"


def setup_title(setup: Setup, t: Words) -> str:
    """Say what is played, in a line, after the tournament's title if it has one."""
    played = what_is_played(setup, t)
    return f"**{safe(setup.title, LONGEST_TITLE)}** · {played}" if setup.title else played


def begins_text(start: Start, t: Words) -> str:
    """Say when a tournament begins, as each reader's own clock shows it."""
    return t("It starts {date}, {ahead}.", date=f"<t:{start.at}:F>", ahead=f"<t:{start.at}:R>")


def what_is_played(setup: Setup, t: Words) -> str:
    """Say what is played, in a line."""
    parts, played = [t(FORMATS[setup.format])], rules_played(setup, t)
    if setup.pairs:
        parts.append(t("in pairs"))
    if setup.format is Format.DUPLICATE:
        parts.append(f"{played}, " + t.plural("{n} board", "{n} boards", setup.boards))
    else:
        parts.append(t("{preset} to {target} points", preset=played, target=setup.target))
    if setup.seeded:
        parts.append(t("seeded by rating"))
    return " · ".join(parts)


def rules_played(setup: Setup, t: Words) -> str:
    """Name the rules, for a text that Discord formats: a rule system, or the server's own."""
    return preset_name(setup.preset, t) if setup.own is None else safe(setup.own.name)


def round_minutes(setup: Setup) -> int:
    """Estimate the minutes that a tournament's round takes, in steps of five, so that several take as much longer."""
    rounds = setup.boards if setup.format is Format.DUPLICATE else setup.target / _POINTS_PER_ROUND + 0.5
    return 5 * round((rounds * _MINUTES_PER_ROUND + _BREAK_MINUTES) / 5)


def duration(setup: Setup, rounds: int, t: Words) -> str:
    """Say how long some rounds take, roughly: below an hour as a multiple of what one takes, else in half hours."""
    minutes = rounds * round_minutes(setup)
    if minutes < 2 * _HALF_HOUR:
        return t.plural("about {n} minute", "about {n} minutes", minutes)
    hours, half = divmod(floor(minutes / _HALF_HOUR + 0.5), 2)
    if half:
        return t.plural("about {n}½ hours", "about {n}½ hours", hours)
    return t.plural("about {n} hour", "about {n} hours", hours)


def correction_mark(tournament: Tournament, number: int, table: int, t: Words, *, brief: bool = False) -> str:
    """Mark a table whose result was corrected, for everybody to see; nothing for others. `brief`: only a sign."""
    corrected = tournament.corrected(number, table)
    if tournament.proposal(number, table) is not None and not brief:
        return " · " + t("✏️ a correction waits for an answer")
    if corrected is None:
        return ""
    if brief:
        return " 🔁" if corrected.after is None else " ✏️"
    by = short_name(corrected.by.name, _MARK_NAME)
    if corrected.after is None:
        return " · " + t("🔁 played again (decided by {name})", name=by)
    if corrected.agreed is None:
        return " · " + t("✏️ corrected by {name}", name=by)
    return " · " + t("✏️ corrected by {name}, with agreement", name=by)


def corrections_note(tournament: Tournament, t: Words) -> str | None:
    """Name the tables whose results were corrected, for everybody to see; None if there are none."""
    tables = sorted({(correction.round, correction.table) for correction in tournament.corrections})
    if not tables:
        return None
    shown = [
        t("{round}, table {table}", round=round_name(tournament, round, t), table=table)
        + correction_mark(tournament, round, table, t)
        for round, table in tables[-_NOTED:]
    ]
    more = t.plural("and {n} more", "and {n} more", len(tables) - _NOTED) if len(tables) > _NOTED else None
    return "\n".join(f"-# {line}" for line in (*shown, more) if line is not None)


def outcome_line(outcome: Outcome, names: Sequence[str], t: Words) -> str:
    """Say how a pairing ended, in a few words, the winner in bold type; `names` of its two entries."""
    points = f"{outcome.points[0]} – {outcome.points[1]}"
    if outcome.winner is None:
        both = f"{names[0]} – {names[1]}"
        return f"{both} · " + (t("both lost") if outcome.forfeit else t("{points}, a tie", points=points))
    shown = [f"**{name}**" if side == outcome.winner else name for side, name in enumerate(names)]
    return f"{shown[0]} – {shown[1]} · " + (t("not played to the end") if outcome.forfeit else points)


def results_public(tournament: Tournament, drawn: TournamentRound) -> bool:
    """Whether a round's results may be shown: not while others still play the same boards."""
    return tournament.setup.format is not Format.DUPLICATE or drawn.over


def round_name(tournament: Tournament, number: int, t: Words, *, brief: bool = False) -> str:
    """Name a round; in a knockout its name depends on how many are left in it. `brief`: not out of how many it is."""
    if tournament.setup.format is Format.KNOCKOUT and number <= len(tournament.rounds):
        drawn = tournament.rounds[number - 1]
        left = 2 * len(drawn.pairings) + len(drawn.byes)
        if left <= 8:
            return (
                t.context("stage", "Final")
                if left <= 2
                else t.context("stage", "Semi-finals")
                if left <= 4
                else t.context("stage", "Quarter-finals")
            )
    if number <= tournament.planned and not brief:
        return t("Round {n} of {rounds}", n=number, rounds=tournament.planned)
    return t("Round {n}", n=number)


MENTIONED: Final = 50
"""People that a message mentions: Discord takes a hundred, and texts of 2,000 characters."""
LONGEST_NAME: Final = 100
"""Discord's limit for a thread's name."""
NO_THREADS: Final = {
    NoThreadsReason.NO_PERMISSION: N_(
        "I may not open threads here, so the tables play one after the other in this channel. For threads I need to be "
        "allowed to create public threads, send messages in threads and read the message history."
    ),
    NoThreadsReason.TOO_MANY_THREADS: N_(
        "This server has as many active threads as Discord allows, so the tables play one after the other in this "
        "channel."
    ),
    NoThreadsReason.NO_PLACE: N_(
        "There can be no threads here, so the tables play one after the other in this channel."
    ),
}


def table_thread_name(round: int, table: int, entries: Sequence[Entry], t: Words) -> str:
    """Name a table's thread: its round and number, and the people who play there."""
    names = " – ".join(" & ".join(plain(person.name) for person in entry.people) for entry in entries)
    full = t("Round {round} · Table {table}", round=round, table=table) + f" · {names}"
    return full if len(full) <= LONGEST_NAME else full[: LONGEST_NAME - 1] + "…"


def withdrawal_text(entry: Entry, t: Words) -> str:
    """Tell the opponents of an entry that has withdrawn what that means for their match."""
    if len(entry.people) > 1:
        text = t("🚪 **{names}** have withdrawn from the tournament.", names=entry_name(entry, t))
    else:
        text = t("🚪 **{name}** has withdrawn from the tournament.", name=entry_name(entry, t))
    return text + " " + t("If they don't play this match to its end, you win it.")


def check_in_call(people: Sequence[int], url: str | None, t: Words) -> str:
    """Ask people to check in, in the language of the tournament."""
    names = " ".join(f"<@{person_id}>" for person_id in people)
    text = t("{people} The tournament is about to start: press **I'm here**.", people=names)
    return text if url is None else text + " " + t("[Check in]({url})", url=url)
