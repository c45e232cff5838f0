"""Commands in texts: clickable where their ids are known and their names are English, otherwise as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bot.platform.outside import read_json


@dataclass(frozen=True, slots=True)
class CommandIds:
    """The ids that Discord gave the commands, by their full names in English, such as "escoba play"."""

    ids: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, ids: Mapping[str, int]) -> CommandIds:
        return cls(tuple(sorted(ids.items())))

    def dump(self) -> str:
        return json.dumps(dict(self.ids))

    @classmethod
    def load(cls, text: str | None) -> CommandIds:
        """Read the ids of a stored text; none if it is invalid."""
        try:
            return cls.of({str(name): int(number) for name, number in read_json(text or "{}").items()})
        except (ValueError, TypeError, AttributeError):
            return cls()

    def mentions(self, translated: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        """Yield each command's name as a text writes it, and the mention that replaces it.

        Discord shows the name in a mention as it is, and takes none but the English one. So a command that has another
        name in a language stays in the words of that language's picker.
        """
        for name, number in self.ids:
            if all(translated(part) == part for part in name.split(" ")):
                yield f"`/{name}`", f"</{name}:{number}>"


NO_IDS = CommandIds()
