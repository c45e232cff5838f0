"""A person's data, including what tournaments hold about them, for `/escoba privacy`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from bot.club.tournament_log import Announced, Entered, LeftEntry, PartnerJoined, TournamentEvent
from bot.store import Store, TournamentRow
from bot.tables.data import personal_data as at_tables
from bot.tournaments.codec import decode, people_of

KEYS: Final[Mapping[str, str]] = {
    "tournaments": "the tournaments that you organised or entered; 'tournament' is the bot's own number of it",
    "tournaments.you": "when something was noted there that names you, what, and your name then",
}


async def personal_data(store: Store, person_id: int, at: datetime) -> dict[str, Any]:
    """Everything the store holds about a person; see `bot.tables.data.personal_data`.

    Raises:
        StoreError: if it can't be read.
    """
    document = await at_tables.personal_data(store, person_id, at)
    rows = await store.tournaments.naming(person_id)
    document["tournaments"] = [await _own_part(store, row, person_id) for row in rows]
    names = {name for each in document["tournaments"] for entry in each["you"] if (name := entry.get("name"))}
    document["names"] = sorted({*document["names"], *names})
    keys = document.pop("keys")
    return document | {"keys": {**keys, **KEYS}}


async def _own_part(store: Store, row: TournamentRow, person_id: int) -> dict[str, Any]:
    found: list[dict[str, str]] = []
    for entry in await store.tournaments.log(row.id):
        try:
            event = decode(entry.kind, entry.body)
        except Exception as error:  # whatever a damaged row raises, the document still has the rest
            found.append({"at": entry.at.isoformat(), "unreadable": type(error).__name__})
            continue
        if person_id in people_of([event]) or event == LeftEntry(person_id):
            name = name_in(event, person_id)
            found.append({"at": entry.at.isoformat(), "what": entry.kind} | ({"name": name} if name else {}))
    return {
        "tournament": row.id,
        "server_id": str(row.guild_id),
        "channel_id": str(row.channel_id),
        "opened_at": row.opened_at.isoformat(),
        "closed_at": None if row.closed_at is None else row.closed_at.isoformat(),
        "organised_by_you": row.organiser_id == person_id,
        "you": found,
    }


def name_in(event: TournamentEvent, person_id: int) -> str | None:
    """The name that a person has in an event; None if the event gives none."""
    match event:
        case Announced(organiser=person) | PartnerJoined(person=person) if person.id == person_id:
            return person.name
        case Entered(people):
            return next((person.name for person in people if person.id == person_id), None)
        case _:
            return None
