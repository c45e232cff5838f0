"""The logs of games as a judge reads them: the moves go to the tests' own referee, who knows each hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.engine.referee import Referee

if TYPE_CHECKING:
    from tests.simulation.disk import Disk

NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Secrets:
    """What is secret at a version of a game: each seat's hand without the cards that lie open, and the stock."""

    hands: tuple[frozenset[str], ...] = ()
    stock: frozenset[str] = NOTHING
    last_left: frozenset[str] = NOTHING
    """What was left on the table at the end of the latest round."""

    def hidden_from(self, seat: int | None) -> frozenset[str]:
        """The cards that the holder of a seat may not see; None: everybody else."""
        return self.stock.union(*(hand for number, hand in enumerate(self.hands) if number != seat))


@dataclass(slots=True)
class Book:
    """A game: who sits where, and what is secret at each version of its match."""

    game: int
    version: int = 0
    seats: list[int | None] = field(default_factory=list)
    """The people by seat; None for a robot."""
    left: dict[int, int] = field(default_factory=dict)
    """The seats whose people have left the match for good, each with the version of the match when they did."""
    config: dict[str, Any] = field(default_factory=dict)
    boards: tuple[int, ...] = ()
    """The numbers of its boards, if other tables play the same cards."""
    phase: str = ""
    """How it was closed, if its match wasn't played to the end."""
    referee: Referee | None = None
    at: list[Secrets] = field(default_factory=lambda: [Secrets()])
    """What is secret after so many events of the match, which is the version that its moves name."""
    decks: list[list[str]] = field(default_factory=list)
    """The cards of each round, in the order in which they are dealt."""
    piles: list[list[frozenset[str]]] = field(default_factory=list)
    """What each side had in each round that is over."""
    absent: set[int] = field(default_factory=set)
    """The seats that robots play for their people now."""
    late: int | None = None
    """The seat for which a robot makes this one move."""
    own: Counter[int] = field(default_factory=Counter)
    """How many cards each seat's person has played."""
    robots: Counter[int] = field(default_factory=Counter)
    """How many cards robots have played for each seat's person."""
    played_now: set[int] = field(default_factory=set)
    """The seats whose people have played a card in this round."""
    played: set[int] = field(default_factory=set)
    """Those whose people have played one in a round that was scored."""
    dealt_at: str = ""
    """When the latest round began, by the bot's clock."""

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Read on: version, kind, body and time of each event."""
        for version, kind, body, at in rows:
            assert version == self.version + 1, f"game {self.game} has no version {self.version + 1}"
            self.version = version
            if kind == "match":
                self._match(body, at)
                self.at.append(self._secrets())
            else:
                self._event(kind, json.loads(body))

    @property
    def over(self) -> bool:
        """Whether nothing more is played."""
        return bool(self.phase) or (self.referee is not None and self.referee.over)

    @property
    def known_decks(self) -> list[list[str]]:
        """The decks of the rounds that are over."""
        return self.decks[:-1] if self.referee is not None and self.referee.running else self.decks

    def _match(self, line: str, at: str) -> None:
        line = line.partition("#")[0].strip()  # a remark says that a move was forced
        if self.referee is None:
            self.referee = Referee(line)
            return
        if line.startswith("deal"):
            self.decks.append(line.split()[1:])
            self.dealt_at = at
        self._count(line)
        self.referee.do(line)
        if len(self.referee.scores) > len(self.piles):
            self.piles.append(list(map(frozenset, self.referee.piles)))
            self.played |= self.played_now
            self.played_now.clear()

    def _count(self, line: str) -> None:
        """Count a card for the person who sits there, or for the robot that has played it."""
        seat, *what = line.split()
        if not seat.isdecimal() or what[0] in ("sing", "claim") or what[-1] == "?" or self.seats[int(seat)] is None:
            return
        number = int(seat)
        if number in self.absent or number == self.late:
            self.robots[number] += 1
            self.late = None
        else:
            self.own[number] += 1
            self.played_now.add(number)

    def gains(self, seat: int) -> bool:
        """Whether the person of a seat may gain by the match: they have played it, and somebody on another side."""
        sides = self.referee.sides if self.referee is not None else len(self.seats)
        met = any(other % sides != seat % sides for other in self.played)
        return seat in self.played and met and self.own[seat] >= self.robots[seat]

    def _secrets(self) -> Secrets:
        referee, before = self.referee, self.at[-1]
        if referee is None or not referee.running:
            return Secrets(last_left=frozenset(referee.left)) if referee is not None and referee.scores else Secrets()
        hands = tuple(frozenset(hand - shown) for hand, shown in zip(referee.hands, referee.open, strict=True))
        stock = before.stock if len(before.stock) == len(referee.stock) else frozenset(referee.stock)
        return before if hands == before.hands and stock is before.stock else Secrets(hands, stock, before.last_left)

    def _has_won(self, seat: int) -> bool:
        """Whether all but this seat's side have left: then that has won, and loses nothing by leaving, too."""
        sides = self.referee.sides if self.referee is not None else len(self.seats)
        others = [number for number in range(len(self.seats)) if number % sides != seat % sides]
        return bool(others) and self.left.keys() >= set(others)

    def _event(self, kind: str, body: Any) -> None:
        seats = self.seats
        match kind:
            case "opened":
                self.seats = [body["opener"]["id"]]
                self.config = body["config"]
                self.boards = tuple((body.get("fixture") or {}).get("boards") or ())
            case "joined":
                seats.append(body["person"]["id"])
            case "left_lobby" | "taken_off":
                seats.remove(body["person_id"])
            case "computer_added" if body.get("instead_of") is not None:
                seats[body["instead_of"]] = None
            case "computer_added":
                seats.append(None)
            case "computer_removed":
                del seats[body["seat"]]
            case "swapped":
                one, other = body["first"], body["second"]
                seats[one], seats[other] = seats[other], seats[one]
            case "configured":
                self.config = body["config"]
            case "seat_taken":
                seats[body["seat"]] = body["person"]["id"]
                self.left.pop(body["seat"], None)
                self.absent.discard(body["seat"])
            case "turn_missed":
                self.late = body["seat"]
            case "presence":
                self._presence(body)
            case "closed":
                self.phase = body["phase"]
            case _:
                pass

    def _presence(self, body: Any) -> None:
        match body["presence"]:
            case "here":
                self.absent.discard(body["seat"])
            case presence:
                self.absent.add(body["seat"])
                if presence == "left" and not self._has_won(body["seat"]):
                    self.left[body["seat"]] = len(self.at) - 1


class Books:
    """The books of all games. They are read on from the database's file, which isn't written to."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._books: dict[int, Book] = {}

    def forget(self) -> None:
        """Read everything anew: what wasn't synced may be lost."""
        self._books.clear()

    def up_to_date(self, *games: int) -> list[Book]:
        """The books of games, as far as they are stored now; none for those that aren't."""
        for game in games:
            book = self._books.setdefault(game, Book(game))
            if not book.phase:
                book.add(self._disk.look(EVENTS, game, book.version))
        return [book for game in games if (book := self._books.get(game)) is not None and book.version]

    def open_in(self, channel_id: int) -> list[int]:
        """The games of a channel that aren't closed."""
        return [row[0] for row in self._disk.look(OPEN, channel_id)]

    def sealed(self, game: int) -> bool:
        """Whether a table still plays in the same round of the same tournament as a game."""
        return bool(self._disk.look(SEALED, game))


EVENTS: Final = "SELECT version, kind, body, at FROM events WHERE game_id = ? AND version > ? ORDER BY version"
OPEN: Final = "SELECT id FROM games WHERE channel_id = ? AND closed_at IS NULL"
SEALED: Final = """
SELECT other.id FROM games JOIN games AS other ON other.tournament_id = games.tournament_id
WHERE games.id = ? AND other.closed_at IS NULL
AND substr(other.fixture, 1, instr(other.fixture, '.')) = substr(games.fixture, 1, instr(games.fixture, '.'))
"""
