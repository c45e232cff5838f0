"""A person's data, including what tournaments hold about them, for *Your data* in `/escoba me`."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from bot.platform.eventlog import LogEntry, named_in
from bot.platform.people import Person
from bot.privacy.live import marks
from bot.privacy.live import personal_data as at_tables
from bot.privacy.store.erasure import PersonalData
from bot.tables.store.logs import Games
from bot.tournaments.live.codec import decode
from bot.tournaments.rules.log import (
    Agreed,
    Announced,
    Asked,
    ByeTaken,
    CameBack,
    CheckedIn,
    Corrected,
    Declined,
    Entered,
    LeftEntry,
    PartnerJoined,
    Proposed,
    RepeatSet,
    Replayed,
    RoundPaired,
    Seeded,
    SetUp,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.tournaments.rules.state import apply, begin
from bot.tournaments.rules.tournament import Tournament
from bot.tournaments.store.logs import TournamentLogs, TournamentRow

KEYS: Final[Mapping[str, str]] = {
    "tournaments": "the tournaments that you organised, entered or helped to run; 'tournament' is the bot's own number "
    "of it",
    "tournaments.language": "the language of its public messages; if you announced it, maybe that of your Discord",
    "tournaments.you": "what was noted there about you, your entry and its tables, and what you decided as organiser "
    "or helper; with your name where it was noted. Entries, other people's too, are only numbers, in the order "
    "of signing up",
    "tournaments.you.what": "announced: with 'last_rank' if you were on the podium of the week before; set_up: what is "
    "played was changed while you organised it; repeat: you had it held every week, at the minute 'weekly' of the "
    "server's week, or stopped that; asked: you were asked to take part, or asked somebody; entered; partner_joined or "
    "left, with 'partner' if that was the other of your pair; checked_in; withdrawn; came_back; seeded: your place by "
    "rating, the highest being 1; paired, or bye_taken by a late entry: your opponent in a round, null for a bye; "
    "ended: how your table ended; stage: you began 'stage'; corrected: an outcome was replaced; replayed: a table had "
    "to play again; proposed, agreed or declined: somebody who played there wanted one of these, an opponent agreed, "
    "or didn't",
    "tournaments.you.by_you": "whether you decided it",
    "tournaments.you.outcome": "the points of both 'entries', in order; 'winner' counts them from 0, and is null for a "
    "draw or, with 'forfeit', if both lost. 'before' is the outcome that was replaced",
}


async def personal_data(
    data: PersonalData, games: Games, logs: TournamentLogs, person_id: int, at: datetime
) -> dict[str, Any]:
    """Everything the store holds about a person; see `bot.privacy.live.personal_data`.

    Raises StoreError if it can't be read.
    """
    document = await at_tables.personal_data(data, games, person_id, at)
    rows = await logs.naming(person_id)
    document["tournaments"] = [
        await asyncio.to_thread(_own_part, row, await logs.log(row.id), person_id) for row in rows
    ]
    names = {name for told in document["tournaments"] for entry in told["you"] if (name := entry.get("name"))}
    document["names"] = sorted({*document["names"], *names})
    document["marks"] = marks.told(await data.marks_of(person_id, at))
    keys = document.pop("keys")
    return document | {"keys": {**keys, **KEYS, **marks.KEYS}}


def _own_part(row: TournamentRow, entries: Iterable[LogEntry], person_id: int) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    before: Tournament | None = None
    for entry in entries:
        after: Tournament | None = None  # and so after a damaged row: entries can't be told apart any more
        try:
            event = decode(entry.kind, entry.body)
            told = {"at": entry.at.isoformat(), "what": entry.kind}
            if isinstance(event, Announced):
                after = begin(event)
            elif before is not None:
                after = apply(before, event)
            found += [told | part for part in _about(person_id, event, before, after)]
        except Exception as error:  # a damaged row may raise anything; the document still has the rest
            found.append({"at": entry.at.isoformat(), "unreadable": type(error).__name__})
        before = after
    return {
        "tournament": row.id,
        "server_id": str(row.guild_id),
        "channel_id": str(row.channel_id),
        "language": row.locale,
        "opened_at": row.opened_at.isoformat(),
        "closed_at": None if row.closed_at is None else row.closed_at.isoformat(),
        "organised_by_you": row.organiser_id == person_id,
        "you": found,
    }


def _about(
    person_id: int, event: TournamentEvent, before: Tournament | None, after: Tournament | None
) -> list[dict[str, Any]]:
    """Collect what an event says about a person or their entry, and nothing about other people; usually one thing or
    none.

    `before` and `after` are the tournament without and with the event, if they are known.
    """
    name = next((person.name for person in named_in(event) if person.id == person_id), None)
    named = {} if name is None else {"name": name}
    by: Person | None = getattr(event, "by", None)
    decided = {"by_you": by is not None and by.id == person_id} | named
    own = {*_entries_of(person_id, before), *_entries_of(person_id, after)}
    match event:
        case Announced(organiser, setup, _, last) if named:
            ranks = [standing.rank for standing in last if any(person.id == person_id for person in standing.people)]
            told = named | ({"last_rank": ranks[0]} if ranks else {})
            return [told | {"setup": asdict(setup)} if organiser.id == person_id else told]
        case RepeatSet(weekly) if named:
            return [decided | {"weekly": weekly}]
        case SetUp(setup) if after and after.organiser.id == person_id:
            return [{"setup": asdict(setup)}]
        case Asked(_, by) if named:
            return [named | {"by_you": by.id == person_id}]
        case Entered() if named:
            return [named | {"entry": None if after is None else after.numbered}]
        case PartnerJoined(number) if named or number in own:
            return [named | {"entry": number, "partner": not named}]
        case LeftEntry(other):
            entry = before and before.entry_of(other)
            number = None if entry is None else entry.number
            return [{"entry": number, "partner": other != person_id}] if other == person_id or number in own else []
        case StageBegan(stage) if named:
            return [decided | {"stage": stage}]
        case CheckedIn(number) | CameBack(number) if number in own:
            return [{"entry": number}]
        case Withdrawn(number, why) if named or number in own:
            return [decided | {"entry": number, "why": why}]
        case Seeded(numbers):
            return [{"entry": number, "seed": seed} for seed, number in enumerate(numbers, 1) if number in own]
        case RoundPaired(pairings, byes) if after:
            met = [(each.first, each.second, each.table) for each in pairings]
            met += [(second, first, table) for first, second, table in met]
            met += [(number, None, None) for number in byes]
            return [
                {"round": len(after.rounds), "table": table, "entry": number, "opponent": opponent}
                for number, opponent, table in met
                if number in own
            ]
        case ByeTaken(pairing) if after:
            two = ((pairing.first, pairing.second), (pairing.second, pairing.first))
            round = len(after.rounds)
            return [
                {"round": round, "table": pairing.table, "entry": number, "opponent": opponent}
                for number, opponent in two
                if number in own
            ]
        case TableEnded() | Corrected() | Replayed() | Proposed() | Agreed() | Declined():
            return _about_table(event, before, own, decided)
        case _:
            return []


def _about_table(
    event: TableEnded | Corrected | Replayed | Proposed | Agreed | Declined,
    before: Tournament | None,
    own: Collection[int],
    decided: dict[str, Any],
) -> list[dict[str, Any]]:
    rounds = () if before is None else before.rounds
    number = len(rounds) if isinstance(event, TableEnded | Replayed) else event.round
    round = next((each for each in rounds if each.number == number), None)
    pairing = None if round is None else round.pairing(event.table)
    entries = () if pairing is None else (pairing.first, pairing.second)
    if not (decided["by_you"] or any(entry in own for entry in entries)):
        return []
    told: dict[str, Any] = {"round": number, "table": event.table, "entries": entries}
    if not isinstance(event, TableEnded):
        replaced = None if round is None else round.outcomes.get(event.table)
        told |= decided | {"before": None if replaced is None else asdict(replaced)}
    if isinstance(event, Replayed | Agreed | Declined):
        return [told]
    return [told | {"outcome": None if event.outcome is None else asdict(event.outcome)}]


def _entries_of(person_id: int, now: Tournament | None) -> list[int]:
    """The numbers of a person's entries, also of those that have withdrawn."""
    entries = () if now is None else now.entries
    return [entry.number for entry in entries if any(person.id == person_id for person in entry.people)]
