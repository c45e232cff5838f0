"""Compiled catalogues, which are read in a fraction of the time that it takes to parse what translators write.

They are made with the package, the image and `make`'s environment, and none is committed. Each lies beside its source,
and has that file's checksum in it, so one whose source has changed is never used.
"""

import gettext
import os
import zlib
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path


def read(source: Path) -> gettext.GNUTranslations:
    """Read a catalogue as it was compiled; where that hasn't been done, compile it in memory."""
    return gettext.GNUTranslations(BytesIO(_up_to_date(source) or _compile(source)))


def is_compiled(source: Path) -> bool:
    """Whether a catalogue needs no parsing."""
    return _up_to_date(source) is not None


def compile_all(folder: Path) -> None:
    """Compile all catalogues in a folder, and remove those whose source is gone."""
    for path in list(folder.glob("*/LC_MESSAGES/bot.mo")):
        if not path.with_suffix(".po").exists():
            path.unlink()
    for source in folder.glob("*/LC_MESSAGES/bot.po"):
        partial = source.with_suffix(f".{os.getpid()}.mo")
        partial.write_bytes(_compile(source))
        partial.replace(source.with_suffix(".mo"))  # another process may be reading the old one


def _up_to_date(source: Path) -> bytes | None:
    """Return the compiled catalogue unless there is none, or its source has changed; the package has no sources."""
    try:
        content = source.with_suffix(".mo").read_bytes()
    except FileNotFoundError:
        return None
    return content if not source.exists() or _mark(source.read_bytes()).encode() in content else None


def _mark(written: bytes) -> str:
    return f"crc32:{zlib.crc32(written):08x}"


def _compile(source: Path) -> bytes:
    # not above: a bot whose catalogues are compiled doesn't need them
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    written = source.read_bytes()
    catalogue = read_po(BytesIO(written), locale=source.parent.parent.name)
    for message in list(catalogue):
        if isinstance(message.string, tuple) and not all(message.string):  # written out, it would be in English
            catalogue.delete(message.id, message.context)
    catalogue.version = _mark(written)
    catalogue.creation_date = catalogue.revision_date = datetime.fromtimestamp(0, UTC)  # or else the current time
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


if __name__ == "__main__":
    compile_all(Path(__file__).parent / "locale")
