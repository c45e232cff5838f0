"""What the buttons and menus of tournaments carry in their custom_ids: which tournament, and arguments.

``t:<verb>:<tournament>[:<argument>...]``, numbers in base 36. The public message's buttons name no state, so that they
stay the same while others press them. A tournament that isn't announced yet is only a draft, and the custom_ids hold
all of it: ``t:<verb>:<format>:<pairs>:<preset>:<target>:<rounds>:<boards>:<tells>``. The screen on which an announced
tournament is changed has the same, with the tournament's number at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.club.tournaments.tournament import BOARDS, ROUNDS, Format, Setup
from bot.engine.rules import PRESETS, TARGETS
from bot.ui.kit.ids.game import base36

KIND: Final = "t"
"""Begins the custom_ids."""
_LARGEST: Final = 2**63 - 1
_PART: Final = re.compile("[0-9a-z.]{1,13}")


class DraftVerb(StrEnum):
    """What a button or menu asks for on the private screen on which a tournament is set up, or changed."""

    FORMAT = "format"
    PAIRS = "pairs"
    PRESET = "preset"
    TARGET = "target"
    ROUNDS = "rounds"
    BOARDS = "boards"
    TELL = "tell"
    """Chooses whether the announcement mentions the server's role for people who want to play."""
    WHO = "who"
    """Lets everybody on the server organise, or stops letting them."""
    ANNOUNCE = "announce"
    SAVE = "save"
    """Changes an announced tournament."""


class TournamentVerb(StrEnum):
    """What a button or menu of a tournament asks for."""

    JOIN = "join"
    PARTNER = "partner"
    """Joins the person chosen in a menu, who is looking for a partner."""
    ALONE = "alone"
    """Enters as somebody who is looking for a partner."""
    LEAVE = "leave"
    HERE = "here"
    """Checks in."""
    MINE = "mine"
    """Shows the person where and against whom they play."""
    WITHDRAW = "out"
    CONFIRM_WITHDRAW = "outyes"
    STANDINGS = "table"
    """A page of the standings; the argument is its number."""
    SUMS = "sums"
    """Shows what an entry's figures are made of."""
    RULES = "rules"

    MANAGE = "manage"
    CHANGE = "change"
    """Shows the screen for changing what is played."""
    CHECK_IN = "checkin"
    BEGIN = "begin"
    CONFIRM_BEGIN = "beginyes"
    NEXT = "next"
    CANCEL = "cancel"
    CONFIRM_CANCEL = "cancelyes"
    REMOVE = "remove"
    """Shows the entries; with a value, asks about the chosen one."""
    CONFIRM_REMOVE = "removeyes"
    ADD = "add"
    """Enters the chosen member."""
    CORRECT = "fix"
    """Shows the rounds' tables; with a value, the chosen one: round.table."""
    ROUND = "fixr"
    """Shows the tables of another round."""
    OUTCOME = "fixo"
    """Replaces an outcome: round, table, and who won."""
    POINTS = "fixp"
    """Opens the form for a table's points, and submits it."""
    AGAIN = "again"
    """Has a pairing played again."""
    LOG = "log"
    KEEP = "keep"
    """The answer was no."""


@dataclass(frozen=True, slots=True)
class TournamentRef:
    """A tournament, and the arguments of an action in it."""

    id: int
    args: tuple[str, ...] = ()

    def custom_id(self, verb: TournamentVerb, *args: object) -> str:
        return ":".join((KIND, verb, base36(self.id), *map(str, args)))

    @classmethod
    def read(cls, parts: Sequence[str]) -> TournamentRef | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if not parts or not all(map(_PART.fullmatch, parts)) or "." in parts[0]:
            return None
        number = int(parts[0], 36)
        return cls(0) if number > _LARGEST else cls(number, tuple(parts[1:]))

    def number(self, index: int) -> int | None:
        """An argument that is a number; None if there is none at that place."""
        text = self.args[index] if index < len(self.args) else ""
        return int(text) if text.isascii() and text.isdigit() else None


@dataclass(frozen=True, slots=True)
class Draft:
    """Somebody's choices for a tournament.

    Attributes:
        tells: whether its announcement mentions the server's role for players.
        changes: the number of the announced tournament to be changed to this; None for a new one.
    """

    setup: Setup = field(default_factory=Setup)
    tells: bool = False
    changes: int | None = None

    def custom_id(self, verb: DraftVerb) -> str:
        setup = self.setup
        chosen = (setup.format, int(setup.pairs), setup.preset, setup.target, setup.rounds or 0, setup.boards)
        number = () if self.changes is None else (base36(self.changes),)
        return ":".join((KIND, verb, *map(str, chosen), str(int(self.tells)), *number))

    @classmethod
    def read(cls, parts: Sequence[str]) -> Draft | None:
        """Read the parts of a custom_id that follow its verb; None if they are malformed."""
        if len(parts) not in (7, 8):
            return None
        (format_, pairs, preset, target, rounds, boards, tells), number = parts[:7], parts[7:]
        changed = TournamentRef.read(number)
        known = (
            format_ in {each.value for each in Format}
            and pairs in ("0", "1")
            and preset in PRESETS
            and target in map(str, TARGETS)
            and rounds in ("0", *map(str, ROUNDS))
            and boards in map(str, BOARDS)
            and tells in ("0", "1")
            and (changed is not None or not number)
        )
        if not known:
            return None
        setup = Setup(Format(format_), pairs == "1", preset, int(target), int(rounds) or None, int(boards))
        return cls(setup, tells == "1", None if changed is None else changed.id)
