"""How long the long tests run: briefly by default, in full with WIRE_DOSE=soak and by `python -m tests.wire.soak`.

Each figure can be set separately, as with WIRE_KILLS=50.
"""

import os
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Dose:
    """`kills`: SIGKILLs. `kill_tables`, `race_tables`: tables that play at the same time. `races`: rounds of racing
    clicks. `fleet_kills`: SIGKILLs of one of two processes. `stops`: SIGSTOPs of a process that serves, and of one that
    stands by for its shards. `updates`: updates of a process with `update_shards` shards while people play. `removals`:
    how often a server removes the bot and invites it again. `storms`: rounds of faults. `uploads`: clicks while files
    fail. `presets`: rule systems that are played and searched for
    secrets. `hangs`: the longest of the hangs of each kind of database, in seconds. `restores`: restored backups.
    `reads`: SIGKILLs after backups and every command that reads the database. `jumps`: rounds of jumps of the machine's
    clock. `seed`: for everything random.
    """

    kills: int = 4
    kill_tables: int = 4
    race_tables: int = 4
    races: int = 2
    fleet_kills: int = 2
    stops: int = 1
    updates: int = 2
    removals: int = 3
    update_shards: int = 2
    storms: int = 1
    uploads: int = 10
    presets: int = 2
    hangs: int = 3
    restores: int = 1
    reads: int = 1
    jumps: int = 1
    seed: int = 1


SOAK = Dose(
    kills=200,
    fleet_kills=100,
    stops=20,
    updates=20,
    removals=60,
    update_shards=25,
    kill_tables=6,
    race_tables=50,
    races=10,
    storms=5,
    uploads=60,
    presets=9,
    hangs=60,
    restores=5,
    reads=20,
    jumps=5,
)


def dose() -> Dose:
    """The dose that the environment variables set."""
    base = SOAK if os.environ.get("WIRE_DOSE", "").lower() == "soak" else Dose()
    asked = {each.name: os.environ.get(f"WIRE_{each.name.upper()}") for each in fields(Dose)}
    return replace(base, **{name: int(value) for name, value in asked.items() if value})
