"""A person's data in tournaments: what concerns them, their entry and their decisions, and nobody else."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.platform.eventlog import LogEntry, people_of
from bot.platform.people import Person
from bot.privacy.live.tournament_data import personal_data
from bot.process.stores import Stores
from bot.tournaments.live.codec import encode
from bot.tournaments.rules.log import (
    Announced,
    CameBack,
    CheckedIn,
    Corrected,
    Entered,
    LeftEntry,
    PartnerJoined,
    Replayed,
    RoundPaired,
    SetUp,
    StageBegan,
    TableEnded,
    TournamentEvent,
    Withdrawn,
)
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Pairing, Setup, TournamentStage
from tests.support.databases import with_tables
from tests.support.store import NOON
from tests.support.tables.kit import CHANNEL, GUILD
from tests.tournaments.evening import CROWD, ORGANISER

HELPER = Person(1_300_000_000_000_000_901, "Hugo")
ANNA, BORIS, CARLA, DIEGO, ELSA = CROWD[:5]
KNOCKOUT = Setup(Format.KNOCKOUT, target=5)
WON, LOST = Outcome((5, 2), 0), Outcome((2, 5), 1)
DAY = (
    Announced(ORGANISER, Setup()),
    SetUp(KNOCKOUT),
    *(Entered((person,)) for person in CROWD[:5]),
    StageBegan(TournamentStage.CHECK_IN, ORGANISER),
    *(CheckedIn(number) for number in (1, 2, 3, 4)),
    Withdrawn(5, Gone.ABSENT),
    StageBegan(TournamentStage.PLAYING, HELPER),
    RoundPaired((Pairing(1, 2, 1), Pairing(2, 3, 4))),
    TableEnded(1, WON),
    TableEnded(2, WON),
    Corrected(1, 1, LOST, HELPER),
    Replayed(2, ORGANISER),
    TableEnded(2, LOST),
    Withdrawn(4, Gone.WITHDREW),
    CameBack(4),
    Withdrawn(4, Gone.REMOVED, ORGANISER),
    RoundPaired((), (1,)),
    StageBegan(TournamentStage.FINISHED),
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Stores]:
    made = await Stores.open(with_tables(tmp_path / "x.sqlite3"))
    yield made
    await made.database.close()


async def keep(store: Stores, events: Sequence[TournamentEvent], *, damaged: int | None = None) -> None:
    """Store a tournament with these events, one of them damaged."""
    entries = [LogEntry(version, *encode(event), NOON) for version, event in enumerate(events, 1)]
    if damaged is not None:
        entries[damaged] = LogEntry(damaged + 1, entries[damaged].kind, "{", NOON)
    place: Any = {"guild_id": GUILD, "channel_id": CHANNEL, "locale": "es-ES", "organiser_id": ORGANISER.id}
    leaving = [event.person_id for event in events if isinstance(event, LeftEntry)]
    await store.tournaments.open(**place, at=NOON, entries=entries, joined=[*people_of(events), *leaving])


async def told(store: Stores, person: Person) -> list[dict[str, Any]]:
    """What a person's data say about the tournament, without the times; nobody else is in it."""
    data = await personal_data(store.personal_data, store.games, store.tournaments, person.id, NOON)
    text = json.dumps({key: value for key, value in data.items() if key != "keys"})
    for other in (ORGANISER, HELPER, *CROWD):
        assert (str(other.id) in text) == (other == person)
        assert (f'"{other.name}"' in text) == (other == person)
    assert data["names"] == [person.name]
    [tournament] = data["tournaments"]
    assert (tournament["language"], tournament["organised_by_you"]) == ("es-ES", person == ORGANISER)
    return [{key: value for key, value in each.items() if key != "at"} for each in tournament["you"]]


async def test_who_took_part_gets_what_became_of_their_entry(store: Stores) -> None:
    await keep(store, DAY)
    assert await told(store, ANNA) == [
        {"what": "entered", "name": "P1", "entry": 1},
        {"what": "checked_in", "entry": 1},
        {"what": "paired", "round": 1, "table": 1, "entry": 1, "opponent": 2},
        {"what": "ended", "round": 1, "table": 1, "entries": (2, 1), "outcome": asdict(WON)},
        {
            "what": "corrected",
            "round": 1,
            "table": 1,
            "entries": (2, 1),
            "by_you": False,
            "before": asdict(WON),
            "outcome": asdict(LOST),
        },
        {"what": "paired", "round": 2, "table": None, "entry": 1, "opponent": None},
    ]
    assert (await told(store, DIEGO))[2:] == [
        {"what": "paired", "round": 1, "table": 2, "entry": 4, "opponent": 3},
        {"what": "ended", "round": 1, "table": 2, "entries": (3, 4), "outcome": asdict(WON)},
        {
            "what": "replayed",
            "round": 1,
            "table": 2,
            "entries": (3, 4),
            "by_you": False,
            "before": asdict(WON),
        },
        {"what": "ended", "round": 1, "table": 2, "entries": (3, 4), "outcome": asdict(LOST)},
        {"what": "withdrawn", "by_you": False, "entry": 4, "why": "withdrew"},
        {"what": "came_back", "entry": 4},
        {"what": "withdrawn", "by_you": False, "entry": 4, "why": "removed"},
    ]
    assert (await told(store, ELSA))[1:] == [{"what": "withdrawn", "by_you": False, "entry": 5, "why": "absent"}]


async def test_who_ran_it_gets_what_they_decided(store: Stores) -> None:
    await keep(store, DAY)
    by = {"by_you": True, "name": "Olga"}
    assert await told(store, ORGANISER) == [
        {"what": "announced", "name": "Olga", "setup": asdict(Setup())},
        {"what": "set_up", "setup": asdict(KNOCKOUT)},
        {"what": "stage", **by, "stage": "check_in"},
        {"what": "replayed", "round": 1, "table": 2, "entries": (3, 4), **by, "before": asdict(WON)},
        {"what": "withdrawn", **by, "entry": 4, "why": "removed"},
    ]
    by["name"] = "Hugo"
    assert await told(store, HELPER) == [
        {"what": "stage", **by, "stage": "playing"},
        {
            "what": "corrected",
            "round": 1,
            "table": 1,
            "entries": (2, 1),
            **by,
            "before": asdict(WON),
            "outcome": asdict(LOST),
        },
    ]


async def test_both_of_a_pair_get_when_the_other_came_and_left_but_not_who_it_was(store: Stores) -> None:
    pairs = Setup(pairs=True)
    joined = (Entered((BORIS,)), Entered((ANNA,)), PartnerJoined(2, CARLA), CheckedIn(2))
    await keep(store, [Announced(ORGANISER, pairs), *joined, LeftEntry(ANNA.id), Withdrawn(2, Gone.NO_PARTNER)])
    assert await told(store, ANNA) == [
        {"what": "entered", "name": "P1", "entry": 2},
        {"what": "partner_joined", "entry": 2, "partner": True},
        {"what": "checked_in", "entry": 2},
        {"what": "left", "entry": 2, "partner": False},
    ]
    assert await told(store, CARLA) == [
        {"what": "partner_joined", "name": "P3", "entry": 2, "partner": False},
        {"what": "checked_in", "entry": 2},
        {"what": "left", "entry": 2, "partner": True},
        {"what": "withdrawn", "by_you": False, "entry": 2, "why": "no_partner"},
    ]
    assert [each["what"] for each in await told(store, BORIS)] == ["entered"]


async def test_after_a_damaged_row_only_what_names_a_person_is_theirs(store: Stores) -> None:
    await keep(store, DAY, damaged=DAY.index(CheckedIn(1)))
    assert await told(store, ANNA) == [
        {"what": "entered", "name": "P1", "entry": 1},
        {"unreadable": "CodecError"},
    ]
    decided = (await told(store, HELPER))[-1]
    assert (decided["what"], decided["entries"], decided["outcome"]) == ("corrected", (), asdict(LOST))


async def test_each_part_of_the_file_is_explained(store: Stores) -> None:
    data = await personal_data(store.personal_data, store.games, store.tournaments, ANNA.id, NOON)
    explained = data.pop("keys").keys()
    assert {name for name in explained if "." not in name} - {"times"} == data.keys() - {"made_at", "choices"}
    assert {name for name in explained if name.startswith("marks.")} == {f"marks.{part}" for part in data["marks"]}
