"""How long a test waits for what must happen. Nothing is said by it about speed: only a hang takes so long."""

from __future__ import annotations

from typing import Final

HANG_SECONDS: Final = 60.0
