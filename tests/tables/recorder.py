"""Records random games as the store keeps them: `python -m tests.tables.recorder`. Only ever adds; see `test_golden`.

To add a game, add a line to `SCENES`; every preset has at least one. Existing files are left alone.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from bot.engine.notation import format_event
from bot.engine.rules import PRESETS, Prime, Seating
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import LogEvent, Phase, PresenceChanged
from bot.tables.log.state import TableState
from tests.support.tables.driver import Driver
from tests.support.tables.kit import config_of

FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to look for: its rules, what must happen in it, and how it ends."""

    name: str
    preset: str
    seating: Seating | None
    happens: str = ""
    phase: Phase = Phase.FINISHED
    rules: dict[str, Any] = field(default_factory=dict)
    most: int = 260
    wildness: float = 0.15


MUCH = "ComputerAdded away here"
SCENES = (
    Wanted("escoba-2", "escoba", Seating.TWO, "Laid away here"),
    Wanted("escoba-3", "escoba", Seating.THREE, f"{MUCH} Laid left"),
    Wanted("escoba-2x2", "escoba", Seating.PAIRS, f"{MUCH} Laid"),
    Wanted("juegon-4", "juegon", Seating.FOUR, f"{MUCH} Laid"),
    Wanted("juegon-2", "juegon", Seating.TWO, "Laid ComputerAdded Configured"),
    Wanted("quince-2x2", "quince", Seating.PAIRS, f"{MUCH} Claimed"),
    Wanted("quince-3x2", "quince", Seating.TRIPLE_PAIRS, f"{MUCH} Claimed left"),
    Wanted("clasica-2", "clasica", Seating.TWO, "away here"),
    Wanted("clasica-3x2", "clasica", Seating.TRIPLE_PAIRS, MUCH),
    Wanted("cientifica-2x2", "cientifica", Seating.PAIRS, MUCH),
    Wanted(
        "escoba-house-rules",
        "escoba",
        Seating.FOUR,
        "Laid",
        rules={"many_cards": True, "all_oros": True, "four_sevens": True, "most_sevens": True, "target": 15},
        most=500,
    ),
    Wanted("chorizo-2", "chorizo", Seating.TWO, f"{MUCH} Sang Laid", rules={"lead": 2}),
    Wanted("chorizo-2x2", "chorizo", Seating.PAIRS, f"{MUCH} Sang"),
    Wanted("escoba-5", "escoba", Seating.FIVE, "away here", rules={"prime": Prime.SUITS}, wildness=0.03),
    Wanted("juegon-2x3", "juegon", Seating.TRIPLES, "away here", rules={"prime": Prime.SEVENS}, wildness=0.03),
    Wanted("escoba-2-computers", "escoba", Seating.TWO, f"{MUCH} ComputerRemoved"),
    Wanted("escoba-cancelled", "escoba", None, "MatchStarted Closed", Phase.CANCELLED),
    Wanted("quince-abandoned", "quince", None, "MatchStarted left Closed", Phase.ABANDONED),
    Wanted("escoba-lobby-closed", "escoba", None, "Joined LeftLobby ComputerRemoved", Phase.CANCELLED, wildness=0.9),
)
OTHERS = PRESETS.keys() - {scene.preset for scene in SCENES}
WANTED = (*SCENES, *(Wanted(name, name, PRESETS[name].seatings[0]) for name in PRESETS if name in OTHERS))


def kinds_of(log: list[LogEvent]) -> set[str]:
    """The kinds of event in a log, with changes of presence by name."""
    return {event.presence.value if isinstance(event, PresenceChanged) else type(event).__name__ for event in log}


def expected(state: TableState) -> dict[str, Any]:
    """What a log must fold to, in plain values that no later version can read differently."""
    match = state.match
    found: dict[str, Any] = {
        "phase": state.phase.value,
        "version": state.version,
        "opener": state.opener_id,
        "preset": state.config.preset,
        "characters": [seat.character and seat.character.value for seat in state.seats],
        "seats": [[seat.name, seat.person_id, seat.level.value, seat.presence.value] for seat in state.seats],
    }
    if match is not None:
        now = match.round
        found |= {
            "move_version": state.move_version,
            "seating": match.seating.value,
            "target": match.rules.target,
            "totals": list(match.totals),
            "escobas": list(match.escobas),
            "winner": match.winner,
            "turn": match.turn,
            "rounds": [[[item.item.value, list(item.points)] for item in score.items] for score in match.scores],
            "left": [str(score.leftovers) for score in match.scores],
            "hands": [] if now is None else [str(hand) for hand in now.hands],
            "table": "" if now is None else str(now.table),
            "moves": [format_event(match.event_of(move)) for move in match.legal_moves()],
        }
    return found


def search(wanted: Wanted) -> list[LogEvent]:
    """The first random game in which everything wanted happens."""
    changes: dict[str, Any] = {"target": 5} | wanted.rules
    config = config_of(wanted.preset, **changes)
    if wanted.seating is not None:
        config = replace(
            config,
            capacity=max(config.capacity, wanted.seating.seats),
            threes=wanted.seating is Seating.TRIPLES,
        )
    for seed in range(4000):
        driver = Driver(
            Random(f"{wanted.name}/{seed}"), config, wildness=wanted.wildness, mortal="left" in wanted.happens.split()
        )
        driver.mortal |= wanted.phase is not Phase.FINISHED or "LeftLobby" in wanted.happens
        for _ in driver.run(600):
            pass
        state = driver.state
        fits = (
            state.phase is wanted.phase
            and (state.config.preset == wanted.preset or wanted.phase is not Phase.FINISHED)
            and (wanted.seating is None or (state.match is not None and state.match.seating is wanted.seating))
            and all(getattr(state.config.rules, name) == value for name, value in wanted.rules.items())
            and set(wanted.happens.split()) <= kinds_of(driver.log)
            and len(driver.log) <= wanted.most
        )
        if fits:
            return driver.log
    raise LookupError(f"nothing like {wanted.name} happened")


def write(path: Path, log: list[LogEvent]) -> None:
    """Write a log, one row per line, and what it folds to as the last line; never overwrites a file."""
    rows = [dict(zip(("kind", "body"), encode(event), strict=True)) for event in log]
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for row in [*rows, {"expected": expected(fold(log))}]:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    """Record the wanted games that aren't there yet."""
    FOLDER.mkdir(exist_ok=True)
    for wanted in WANTED:
        path = FOLDER / f"{wanted.name}.jsonl"
        if not path.exists():
            write(path, search(wanted))


if __name__ == "__main__":
    main()
