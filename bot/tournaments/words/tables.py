"""A tournament's tables in words: their threads' names, and the reasons why they have no threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.platform.language.texts import N_, Words
from bot.platform.people.names import plain
from bot.tournaments.live.view import NoThreadsReason
from bot.tournaments.rules.tournament import Entry
from bot.tournaments.words.formats import entry_name

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
