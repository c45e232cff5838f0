"""Made-up languages for tests: catalogues of regions, and the longest translation of every text."""

import gettext
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.platform.language import catalogues
from bot.platform.language.faces import PLAIN, CardFaces
from bot.platform.language.texts import Words

CACHES = (
    *(catalogues.languages, catalogues.language_of, catalogues.catalogues_digest),
    *(catalogues._catalogue, catalogues._words),  # pyright: ignore[reportPrivateUsage] - no other way in
)
MADE_UP = {
    "pt_BR": [("My hand", "Minhas cartas")],
    "es_419": [("My hand", "Mis naipes"), ("A month", "Un mes de acá"), ("A quarter", "")],
    "es_AR": [("My hand", "Mis cartas, che"), ("A month", "")],
}
"""The texts of regions' catalogues; one without a translation is left to the next language."""
HEADER = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=(n != 1);"

msgid "{n} win"
msgid_plural "{n} wins"
msgstr[0] ""
msgstr[1] ""
"""


class Longest(gettext.NullTranslations):
    """A catalogue that takes each text from the language that needs most room for it."""

    def __init__(self) -> None:
        super().__init__()
        self._all = [catalogues._catalogue(each) for each in catalogues.languages()]  # pyright: ignore[reportPrivateUsage]

    def gettext(self, message: str) -> str:
        return max((each.gettext(message).rpartition("\x04")[2] for each in self._all), key=len)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return max((each.ngettext(msgid1, msgid2, n) for each in self._all), key=len)


def longest_words(faces: CardFaces = PLAIN) -> Words:
    """The words of the language in which everything is longest; numbers and dates are in Spanish."""
    return Words("es", Longest(), faces=faces)


def everything_said(language: str) -> str:
    """All translations of a language as one text."""
    path = catalogues.LOCALE_DIR / language / "LC_MESSAGES" / "bot.po"
    with path.open("rb") as file:
        said = [each.string for each in read_po(file) if each.id]
    return "\n".join("\n".join(each) if isinstance(each, tuple) else str(each or "") for each in said)


@pytest.fixture
def regional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """The Spanish catalogue, and made-up ones for Brazil, Latin America and Argentina."""
    shutil.copytree(catalogues.LOCALE_DIR / "es", tmp_path / "es")
    for language, said in MADE_UP.items():
        catalogue = tmp_path / language / "LC_MESSAGES" / "bot.po"
        catalogue.parent.mkdir(parents=True)
        messages = [f'\nmsgid "{text}"\nmsgstr "{translated}"\n' for text, translated in said]
        catalogue.write_text(HEADER + "".join(messages), encoding="utf-8")
    monkeypatch.setattr(catalogues, "LOCALE_DIR", tmp_path)
    for each in CACHES:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in CACHES:
        each.cache_clear()
