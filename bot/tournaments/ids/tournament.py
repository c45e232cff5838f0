"""The custom_ids of tournaments and of travelling sheets.

The public message's buttons name no state, so that they stay the same while others press them. A tournament that isn't
announced yet is only a draft, and the custom_ids hold all of it. The screen on which an announced tournament is changed
has the same, with the tournament's number at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Annotated, ClassVar, Final

from bot.club.rules.seasons import KEY, RuleSet
from bot.engine.rules import PRESETS, TARGETS, PresetName
from bot.platform.kit.codec import PUBLIC, Number, OneOf, Reference, Several, Text, Verbs, written
from bot.platform.language.texts import Words
from bot.platform.layout import Component, button
from bot.tournaments.rules.setup import BOARDS, ROUNDS
from bot.tournaments.rules.tournament import Format, Setup

_KIND: Final = "t"


class DraftVerb(StrEnum):
    """An action on the private screen on which a tournament is set up, or changed."""

    EDIT = "edit"
    """Shows the menu of what is chosen to be changed; its values are the verbs of those menus."""
    FORMAT = "format"
    PAIRS = "pairs"
    PRESET = "preset"
    TARGET = "target"
    ROUNDS = "rounds"
    BOARDS = "boards"
    SEEDED = "seeded"
    """Chooses whether the places of a knockout are given by rating."""
    TELL = "tell"
    """Chooses whether the announcement mentions the server's role for people who want to play."""
    WHO = "who"
    """Lets everybody on the server organise, or stops letting them."""
    ANNOUNCE = "announce"
    WHEN = "dated"
    """Opens the form for a title and a time, and announces the tournament with them."""
    SAVE = "save"
    """Changes an announced tournament."""


class TournamentMark(Enum):
    """Something that holds for a verb of a tournament."""

    MANAGERS = auto()
    """It is for the organiser, and for those who may do all that the organiser may."""


MANAGERS: Final = TournamentMark.MANAGERS


class TournamentVerb(Verbs):
    """An action of a tournament's buttons and menus."""

    JOIN = "join", PUBLIC
    YES = "yes", PUBLIC
    """Somebody who was asked takes part."""
    PARTNER = "partner"
    """Joins the person chosen in a menu, who is looking for a partner."""
    ALONE = "alone"
    """Enters as somebody who is looking for a partner."""
    LEAVE = "leave", PUBLIC
    HERE = "here", PUBLIC
    """Checks in."""
    MINE = "mine", PUBLIC
    """Shows the person where and against whom they play."""
    BACK = "back", PUBLIC
    """Leads from one of its tables to where the person plays next, and to its message."""
    WITHDRAW = "out"
    CONFIRM_WITHDRAW = "outyes"
    STANDINGS = "table", PUBLIC
    """A page of the standings; the argument is its number."""
    SUMS = "sums"
    """Shows what an entry's figures are made of."""
    RULES = "rules", PUBLIC
    AGREE = "agree"
    """Agrees to what an opponent proposes for a match: round, table, and the proposal's number."""
    DECLINE = "decline"
    """Doesn't agree to it."""

    MANAGE = "manage", PUBLIC, MANAGERS
    MORE = "more", MANAGERS
    """Changes what is chosen in a menu: by its verb, and after a dot whether it is wished (1) or not (0)."""
    CHANGE = "change", MANAGERS
    """Shows the screen for changing what is played."""
    WHEN = "when", MANAGERS
    """Opens the form for the title and the time, and submits it."""
    WEEKLY = "weekly", MANAGERS
    """Has it held every week (1), or stops that (0)."""
    EVENT = "event", MANAGERS
    """Has Discord list it among the server's events (1), or stops that (0)."""
    CHECK_IN = "checkin", MANAGERS
    BEGIN = "begin", MANAGERS
    CONFIRM_BEGIN = "beginyes", MANAGERS
    NEXT = "next", MANAGERS
    CANCEL = "cancel", MANAGERS
    CONFIRM_CANCEL = "cancelyes", MANAGERS
    REMOVE = "remove", MANAGERS
    """Shows the entries; with a value, asks about the chosen one."""
    CONFIRM_REMOVE = "removeyes", MANAGERS
    DISQUALIFY = "disqualify", MANAGERS
    ADD = "add", MANAGERS
    """Asks the chosen member to take part."""
    CORRECT = "fix", MANAGERS
    """Shows the rounds' tables; with a value, the chosen one: round.table."""
    ROUND = "fixr", MANAGERS
    """Shows the tables of another round."""
    OUTCOME = "fixo", MANAGERS
    """Replaces an outcome: round, table, and who won."""
    POINTS = "fixp", MANAGERS
    """Opens the form for a table's points, and submits it."""
    AGAIN = "again", MANAGERS
    """Has a pairing played again."""
    LOG = "log", MANAGERS
    KEEP = "keep"
    """The answer was no."""


@dataclass(frozen=True, slots=True)
class TournamentRef(Reference[TournamentVerb]):
    """A tournament, and the arguments of an action in it."""

    kind: ClassVar = _KIND
    verbs: ClassVar = TournamentVerb

    id: int
    args: Annotated[tuple[int, ...], Several(Number(36**4 - 1), most=3)] = ()

    def custom_id(self, verb: TournamentVerb, *args: int) -> str:
        """Write a custom_id; `args` take the place of the reference's own."""
        return written(replace(self, args=args) if args else self, verb)

    def number(self, index: int) -> int | None:
        """An argument; None if there is none at that place."""
        return self.args[index] if index < len(self.args) else None


def tournament_button(tournament: int, t: Words) -> Component:
    """The button that leads from a table to its tournament."""
    return button(TournamentRef(tournament).custom_id(TournamentVerb.BACK), t("My tournament"), emoji="🏆")


@dataclass(frozen=True, slots=True)
class Draft(Reference[DraftVerb]):
    """Somebody's choices for a tournament.

    Attributes:
        preset: a rule system, or the key of the server's own rules.
        rounds: how many; 0: it depends on the number of entries.
        tells: whether its announcement mentions the server's role for players.
        seeded: whether the places of a knockout are given by rating.
        changes: the number of the announced tournament to be changed to this; None for a new one.

    The others are those of the set-up.
    """

    kind: ClassVar = _KIND
    verbs: ClassVar = DraftVerb

    format: Format
    pairs: bool
    preset: Annotated[str, Text("|".join((*PRESETS, KEY)), 13)]
    target: Annotated[int, OneOf.these(TARGETS)]
    rounds: Annotated[int, OneOf.these((0, *ROUNDS))]
    boards: Annotated[int, OneOf.these(BOARDS)]
    tells: bool = False
    seeded: bool = False
    changes: int | None = None

    @classmethod
    def of(cls, setup: Setup, *, tells: bool = False, changes: int | None = None) -> Draft:
        preset = setup.preset if setup.own is None else setup.own.key
        what = (setup.format, setup.pairs, preset, setup.target, setup.rounds or 0, setup.boards)
        return cls(*what, tells, setup.seeded, changes)

    def setup(self, preset: PresetName, own: RuleSet | None) -> Setup:
        """The set-up that was chosen, with the rules that `preset` names: a rule system, or own ones based on it."""
        rounds = self.rounds or None
        return Setup(self.format, self.pairs, preset, self.target, rounds, self.boards, own, self.seeded)

    def with_setup(self, setup: Setup) -> Draft:
        """The same choices for another set-up."""
        return Draft.of(setup, tells=self.tells, changes=self.changes)


class SheetVerb(Verbs):
    """An action of the travelling sheet's buttons and menus."""

    OPEN = "open", PUBLIC
    """Shows the sheet to the person alone, in a message of its own."""
    ROUND = "round"
    """Shows the round chosen in the menu."""
    CHOOSE = "choose"
    """Shows the board chosen in the menu."""
    BOARD = "board"
    """Shows a page of the tables' results on a board."""
    DEAL = "deal"
    """Shows how the board was dealt."""
    SHOW = "show"
    """Shows the page to everybody in the channel."""
    SHOW_DEAL = "showdeal"
    """Shows everybody how the board was dealt."""


@dataclass(frozen=True, slots=True)
class SheetRef(Reference[SheetVerb]):
    """A page of a board's sheet; round 0 is the latest one, and board 0 none in particular."""

    kind: ClassVar = "b"
    verbs: ClassVar = SheetVerb

    tournament: int
    round: int = 0
    board: int = 0
    page: int = 0


def boards_button(tournament: int, round_number: int, t: Words) -> Component:
    """The button that shows a person the boards that they have played, and who did what with them."""
    return button(
        SheetRef(tournament, round_number).custom_id(SheetVerb.OPEN), t.context("button", "Boards"), emoji="📋"
    )
