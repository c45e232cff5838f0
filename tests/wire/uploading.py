"""People play on while Discord has a bad day with files, though everything else works."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.support.wiretap import Request
from tests.wire.faults import CALLBACKS, EDITS, SENDS
from tests.wire.figures import Figures
from tests.wire.ledger import Ledger
from tests.wire.racing import TWICE
from tests.wire.table import tables
from tests.wire.world import Wire

BAD_DAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "server errors": {"status": 500},
    "unavailable": {"status": 503},
    "a proxy's errors": {"status": 502, "applied": True},
    "cut connections": {"drop": True},
    "cut connections after which all is there": {"drop": True, "applied": True},
    "slow": {"delay": 4.0},
    "slow to confirm": {"hang": 4.0},
    "webhooks unavailable": {"path": "/webhooks/*", "status": 503},
    "first answers unavailable": {"path": CALLBACKS, "status": 503},
    "edits in channels unavailable": {"method": "PATCH", "path": EDITS, "status": 503},
    "posts in channels unavailable": {"method": "POST", "path": SENDS, "status": 503},
}
"""What happens to each request with a file, or to those of one route."""


def is_upload(request: Request) -> bool:
    """Whether a request sends files."""
    return bool(request.files)


def begin_bad_day(w: Wire, fault: Mapping[str, Any]) -> None:
    """Make a fault happen to files from now on."""
    w.faults.add(**{"method": "*", "path": "*", "where": is_upload, **fault})


async def uploading(folder: Path, *, fault: Mapping[str, Any], clicks: int) -> Figures:
    """Play with pictures for some clicks while this happens to every file, and check what was sent and answered."""
    figures = Figures()
    async with tables(folder, pictures=True, check=False) as (w, [table]):
        party = table.party
        goal = party.clicks + clicks
        begin_bad_day(w, fault)
        await party.play(until=lambda: party.clicks >= goal)
        w.faults.clear()
        await w.settle()
        ledger = Ledger(w.database)
        figures.check(w, ledger, allow=TWICE)
        figures.gather(w, ledger, [party])
    return figures
