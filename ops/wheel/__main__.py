"""The commands `escoba` and `escoba-discord` of the installed package, where `bot` and `cogs` lie beside this file.

They can't be installed at the top level: other people's packages have these names, too.
"""

import sys
from pathlib import Path


def main() -> int:
    """Run the command line, with the package's own `bot` and `cogs` before any others."""
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        from bot.__main__ import main
    except KeyboardInterrupt:  # this takes a moment
        return 130

    return main(program="escoba")


if __name__ == "__main__":
    sys.exit(main())
