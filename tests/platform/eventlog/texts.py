"""Records what this version writes, with what it means: `python -m tests.platform.eventlog.texts VERSION`.

Run it once with each release. It never overwrites a file.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from bot.club.rules.seasons import RuleSet
from bot.engine.rules import PRESETS, Rules
from bot.platform.people import Person
from bot.platform.settings.documents import Choices
from bot.players import Character, Level
from bot.tables.log import codec as tables
from bot.tables.log import events as table
from bot.tables.log.codec import VALUES
from bot.tables.log.events import Config, Fixture, Phase, Presence
from bot.tables.log.pace import Tempo
from bot.tables.log.topics import Sign, Topic
from bot.tournaments.live import codec as tournaments
from bot.tournaments.rules import log as tournament
from bot.tournaments.rules.setup import Start
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Pairing, Setup, TournamentStage, Winner
from tests.platform.settings.chosen import CHOICES, OwnChoices, ServerChoices

FOLDER: Final = Path(__file__).parent / "released"
GAMES: Final = Path(__file__).parents[2] / "tables/golden"
ANA: Final = Person(12, "Ana")
BEA: Final = Person(34, "Bea")
CONFIGS: Final = [
    *map(Config.of_preset, PRESETS),
    *(Config(tempo=each) for each in Tempo),
    Config(teams=True, capacity=6, rated=False, hints=True, threes=True, own=RuleSet(7, "Peña", Rules(target=15))),
]
TABLES: Final[Sequence[table.TableEvent]] = [
    *(table.Opened(ANA, config) for config in CONFIGS),
    table.Opened(ANA, Config(), (BEA, None), movable=True, fixture=Fixture(7, 1, 2, (3, 4), 2), challenge=True),
    *(table.GuestsChosen(each) for each in (None, table.Guests((BEA, None), (56,)))),
    table.TakenOff(34),
    table.Moved(5),
    table.Joined(BEA),
    table.LeftLobby(34),
    *(table.ComputerAdded(each.value, level, each) for each in Character for level in Level),
    table.ComputerAdded("Nuria", Level.HARD, Character.NURIA, 1),
    table.ComputerRemoved(1),
    table.Swapped(0, 1),
    table.Configured(CONFIGS[-1]),
    table.Configured(CONFIGS[-1], 0, 1_800_000_000),
    table.ChangeAccepted(1),
    *(table.PresenceChanged(1, each, by) for each in Presence for by in (None, 0)),
    table.TurnMissed(1),
    table.DaySpent(1),
    table.Nudged(0),
    *(table.Reacted(1, each) for each in Sign),
    table.QuestionAsked(1, 1_800_000_000),
    *(table.QuestionAnswered(0, each) for each in (True, False)),
    *(table.QuestionAsked(1, 1_800_000_000, each, 7, by) for each in Topic for by in (None, BEA)),
    table.QuestionLapsed(),
    table.Paused(1, 1_800_000_000, 1_800_086_400),
    table.Resumed(1, 1_800_000_001),
    table.SeatTaken(1, BEA),
    *(table.Closed(each, by) for each in Phase for by in (None, ANA)),
]
TOURNAMENTS: Final[Sequence[tournament.TournamentEvent]] = [
    *(tournament.Announced(ANA, Setup(each), 9) for each in Format),
    tournament.Announced(ANA, Setup(pairs=True, preset="quince", target=21, rounds=4, boards=6)),
    tournament.Announced(ANA, Setup(Format.KNOCKOUT, own=RuleSet(7, "Peña", Rules(target=15)), seeded=True)),
    tournament.Announced(ANA, Setup(title="Copa", start=Start(1_800_000_000, "Europe/Madrid"))),
    tournament.Announced(ANA, Setup(start=Start(1_800_000_000, "UTC", 0, event=True)), last=(Winner(1, (ANA, BEA)),)),
    *(tournament.RepeatSet(weekly, ANA) for weekly in (None, 10_079)),
    tournament.SetUp(Setup()),
    tournament.Asked(BEA, ANA),
    tournament.Entered((ANA, BEA)),
    tournament.PartnerJoined(1, BEA),
    tournament.LeftEntry(34),
    *(tournament.StageBegan(each, by) for each in TournamentStage for by in (None, ANA)),
    tournament.CheckedIn(1),
    *(tournament.Withdrawn(1, each, by) for each in Gone for by in (None, ANA)),
    tournament.CameBack(1),
    tournament.Seeded((3, 1, 2)),
    tournament.RoundPaired((Pairing(1, 2, 3),), (1,)),
    tournament.ByeTaken(Pairing(2, 4, 1)),
    tournament.TableEnded(1, Outcome((3, 5), 1, board_points=((3, 0), (0, 5)))),
    tournament.TableEnded(1, Outcome((0, 0), None, forfeit=True)),
    tournament.Corrected(1, 1, Outcome((5, 3), 0), ANA),
    tournament.Corrected(1, 1, Outcome((5, 3), 0), ANA, BEA),
    tournament.Replayed(1, ANA),
    tournament.Replayed(1, ANA, BEA),
    *(tournament.Proposed(1, 1, each, ANA) for each in (None, Outcome((5, 3), 0))),
    tournament.Declined(1, 1, BEA),
    tournament.Agreed(1, 1, BEA),
]
READERS: Final[dict[str, Callable[[str, str], Any]]] = {
    "table": tables.decode,
    "tournament": tournaments.decode,
    "rules": lambda _, body: VALUES.read(Config, body),
    "guild_settings": lambda _, body: ServerChoices.load(body),
    "preferences": lambda _, body: OwnChoices.load(body),
}
"""How the texts of each format are read: from a kind, which only logs have, and the text."""


def plain(value: Any) -> Any:
    """A value with all its fields, also those at their defaults, as JSON has it."""
    fields = value.model_dump() if isinstance(value, Choices) else asdict(value)
    return json.loads(json.dumps(fields, default=str))


def lines() -> Iterator[dict[str, Any]]:
    """What this version writes in each format, and what that means."""
    games = "".join(path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.jsonl")))
    moves = dict.fromkeys(row["body"] for row in map(json.loads, games.splitlines()) if row.get("kind") == tables.MATCH)
    written = [
        *(("table", *tables.encode(each)) for each in TABLES),
        *(("table", tables.MATCH, body) for body in moves),
        *(("tournament", *tournaments.encode(each)) for each in TOURNAMENTS),
        *(("rules", "", VALUES.write(replace(each, own=None))) for each in CONFIGS),
        *((form, "", each.dump() or "") for form, choices in CHOICES.items() for each in choices),
    ]
    for form, kind, body in written:
        yield {"format": form, "kind": kind, "text": body, "means": plain(READERS[form](kind, body))}


def difference(line: dict[str, Any]) -> str | None:
    """How a recorded text is read differently now; None if it isn't. Later versions may add fields."""
    then, now = line["means"], plain(READERS[line["format"]](line["kind"], line["text"]))
    return None if _contains(now, then) else f"{line['text']} meant {then} and means {now}"


def _contains(now: Any, then: Any) -> bool:
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and _contains(now[name], each) for name, each in then.items())
    if isinstance(then, list) and isinstance(now, list):
        return len(then) == len(now) and all(map(_contains, now, then))
    return now == then


def main() -> None:
    """Write the file of a version."""
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{sys.argv[1]}.jsonl").open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines())


if __name__ == "__main__":
    main()
