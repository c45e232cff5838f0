"""Commands as a text names them: clickable where Discord has told their ids, else as they are typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommandIds:
    """The ids of the commands that Discord knows, by their whole names in English, as "escoba play"."""

    ids: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, ids: Mapping[str, int]) -> CommandIds:
        """The ids of a mapping."""
        return cls(tuple(sorted(ids.items())))

    def dump(self) -> str:
        """The text that the store keeps."""
        return json.dumps(dict(self.ids))

    @classmethod
    def load(cls, text: str | None) -> CommandIds:
        """The ids of a stored text; none if it has no sense."""
        try:
            return cls.of({str(name): int(number) for name, number in json.loads(text or "{}").items()})
        except (ValueError, TypeError, AttributeError):
            return cls()

    def mentions(self, translated: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        """How a text names each command, its parts translated, and the mention to be put there."""
        for name, number in self.ids:
            typed = " ".join(map(translated, name.split(" ")))
            yield f"`/{typed}`", f"</{name}:{number}>"


NO_IDS = CommandIds()
