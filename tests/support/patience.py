"""How long a test waits for something that must happen. This says nothing about speed: only a hang takes that long.

On a machine that is busy with other work during a soak, HANG_SECONDS=300 tells a hang from a process that gets no time.
"""

import os
from typing import Final

HANG_SECONDS: Final = float(os.environ.get("HANG_SECONDS") or 60)
