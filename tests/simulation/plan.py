"""How large a simulation is."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, fields
from typing import Any, Final, Self

ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Plan:
    """When a simulation begins, and how large it is. It ends after so many days or presses, whichever comes first.

    `begin`: the time at which it begins, in UTC; "" leaves that to the seed.
    `evenings`: how often a day people meet; 0 leaves that to the seed. `often`: how many faults begin from one evening
    to the next, if all may happen. `faults`: the names of those that may, with commas between them; "all", or "none".
    `kind`: "weeks" for people who play slow matches and come when they are told, see `weeks.py`; "duplicate", "friends"
    or "lobbies" for people who meet for one thing, see `meetings.py`; "" for people who do what they like.
    """

    seed: int
    begin: str = ""
    days: float = 30.0
    people: int = 8
    presses: int = 1_500
    evenings: float = 0.0
    often: float = 6.0
    faults: str = ALL
    kind: str = ""

    def __str__(self) -> str:
        """The options that `read` reads; those that are as usual are left out."""
        usual = Plan(self.seed)
        given = [(each.name, getattr(self, each.name)) for each in fields(self)]
        return " ".join(
            f"--{name} {shlex.quote(str(value))}"
            for name, value in given
            if name == "seed" or value != getattr(usual, name)
        )

    @staticmethod
    def options(parser: ArgumentParser, *, seed: int | None = None) -> None:
        """Add the options of a plan to a parser."""
        parser.add_argument("--seed", type=int, default=seed, required=False)
        for name, kind in (
            ("begin", str),
            ("days", float),
            ("people", int),
            ("presses", int),
            ("evenings", float),
            ("often", float),
            ("faults", str),
            ("kind", str),
        ):
            parser.add_argument(f"--{name}", type=kind, default=getattr(Plan(0), name))

    @classmethod
    def of(cls, given: Namespace, **changed: Any) -> Self:
        """The plan that was asked for."""
        return cls(**{**{each.name: getattr(given, each.name) for each in fields(cls)}, **changed})

    @classmethod
    def read(cls, line: str) -> Self:
        """The plan in a line of options; what follows a # is a remark."""
        parser = ArgumentParser()
        cls.options(parser)
        return cls.of(parser.parse_args(shlex.split(line, comments=True)))
