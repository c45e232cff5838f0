"""How long a test waits for what must happen. This says nothing about speed: only a hang takes that long.

On a machine that does much else beside a soak, HANG_SECONDS=300 tells a hang from a process that isn't given the time.
"""

from __future__ import annotations

import os
from typing import Final

HANG_SECONDS: Final = float(os.environ.get("HANG_SECONDS") or 60)
