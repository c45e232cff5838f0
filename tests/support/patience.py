"""How long a test waits for what must happen. This says nothing about speed: only a hang takes that long."""

from __future__ import annotations

from typing import Final

HANG_SECONDS: Final = 60.0
