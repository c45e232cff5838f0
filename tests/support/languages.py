"""Made-up catalogues of regions, beside the Spanish one, for the tests of how a locale is read."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from bot.ui.words import texts

CACHES = (texts.languages, texts._catalogue, texts._words)  # pyright: ignore[reportPrivateUsage] - no other way in
PORTUGUESE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8"

msgid "My hand"
msgstr "Minhas cartas"
"""


@pytest.fixture
def regional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Catalogues for Brazil, which has one text, and for Spanish in general and in Argentina."""
    spanish = texts.LOCALE_DIR / "es"
    for language in ("es", "es_AR", "pt_BR"):
        shutil.copytree(spanish, tmp_path / language)
    (tmp_path / "pt_BR" / "LC_MESSAGES" / "bot.po").write_text(PORTUGUESE, encoding="utf-8")
    monkeypatch.setattr(texts, "LOCALE_DIR", tmp_path)
    for each in CACHES:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in CACHES:
        each.cache_clear()
