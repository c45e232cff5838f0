"""The events of a table, one per version, and the values that events are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.club.rules.seasons import RuleSet
from bot.engine.cards import SUNG_CARDS
from bot.engine.events import Event as MatchEvent
from bot.engine.rules import PRESETS, Conflict, PresetName, Rules, Seating
from bot.platform.people import Person
from bot.players import Character, Level
from bot.tables.log.pace import Tempo
from bot.tables.log.topics import (
    DaySpent,
    Nudged,
    Paused,
    QuestionAnswered,
    QuestionAsked,
    QuestionLapsed,
    Resumed,
    SeatTaken,
    Sign,
)

DEFAULT_PRESET = "escoba"
USUAL_CAPACITY = Seating.PAIRS.seats
FIVE_SEATS = Seating.FIVE.seats
LARGEST_CAPACITY = Seating.TRIPLE_PAIRS.seats


class Presence(StrEnum):
    """Whether a person plays their seat."""

    HERE = "here"
    AWAY = "away"
    """A deadline passed, or the others have waited long enough: a computer plays until the person clicks."""
    LEFT = "left"
    """They left for good: a computer plays to the end."""


@dataclass(frozen=True, slots=True)
class Config:
    """The agreements of a lobby.

    Attributes:
        preset: the rule system that the rules are based on.
        rules: what is played.
        teams: whether four play in pairs.
        capacity: how many may sit down.
        rated: whether the match counts for the leaderboard and ratings; otherwise it is friendly.
        hints: whether players of a friendly match may ask for advice.
        threes: whether six play in two sides of three, and not in three pairs.
        own: the server's own rules that the rules are based on, if any; `preset` is what those are based on.
        tempo: how long a turn may take.
        forced: whether, in a slow match, a card is played at once where there is no choice.
        aimed: whether somebody has chosen the target, although it is the usual one: it doesn't follow the pace then.
        best_of_three: whether it is one of up to three matches, of which one side is to win two.
    """

    preset: PresetName = DEFAULT_PRESET
    rules: Rules = PRESETS[DEFAULT_PRESET].rules
    teams: bool = False
    capacity: int = USUAL_CAPACITY
    rated: bool = True
    hints: bool = False
    threes: bool = False
    own: RuleSet | None = None
    tempo: Tempo = Tempo.USUAL
    forced: bool = True
    aimed: bool = False
    best_of_three: bool = False

    @classmethod
    def of_preset(cls, name: str, *, target: int | None = None) -> Config:
        """The preset as its source plays it, with another target if one is given."""
        preset = PRESETS[name]
        rules = preset.rules if target is None else replace(preset.rules, target=target)
        most = max(seating.seats for seating in preset.seatings)
        return cls(preset=name, rules=rules, teams=preset.seatings[0].in_teams, capacity=most)

    @property
    def rule_set(self) -> RuleSet | None:
        """The server's own rules that a match would be played by; None once any of them has been changed."""
        return self.own if self.own is not None and self.own.agrees_with(self.rules) else None

    def conflicts(self) -> tuple[Conflict, ...]:
        """Find why these rules are impossible: they fit no number of players, or not the largest that may sit down."""
        possible = [seating for n in range(2, self.capacity + 1) if (seating := self.seating(n)) is not None]
        if self.capacity > USUAL_CAPACITY and (found := self.conflicts_with(possible[-1])):
            return found
        found = [self.conflicts_with(seating) for seating in possible]
        return () if not all(found) else found[-1]

    def conflicts_with(self, seating: Seating) -> tuple[Conflict, ...]:
        """Find why a match can't begin with a seating; scopone is for four (decision 18)."""
        four = not self.rules.conflicts(Seating.PAIRS)
        if self.rules.hand > SUNG_CARDS and seating.seats != Seating.PAIRS.seats and four:
            return (Conflict.SCOPONE_IS_FOR_FOUR,)
        return self.rules.conflicts(seating)

    def needs_ok(self, agreed: Config) -> bool:
        """Whether somebody who has agreed to another configuration has to be asked about this one."""
        own, theirs = ((each.preset, each.rules, each.own, each.tempo, each.forced) for each in (self, agreed))
        return own != theirs or (self.rated and not agreed.rated)

    def seating(self, players: int) -> Seating | None:
        """The seating for this many players; None if that many can't play."""
        return {
            2: Seating.TWO,
            3: Seating.THREE,
            4: Seating.PAIRS if self.teams else Seating.FOUR,
            5: Seating.FIVE,
            6: Seating.TRIPLES if self.threes else Seating.TRIPLE_PAIRS,
        }.get(players)


@dataclass(frozen=True, slots=True)
class Fixture:
    """The pairing that a table was opened for.

    Attributes:
        tournament: its number.
        round: the round, from 1.
        table: the table in that round, from 1.
        boards: with duplicate the numbers of the boards that are played, in order; else none.
        attempt: 1, or more if the organiser has had it played again.
        lot: the tournament's.
    """

    tournament: int
    round: int
    table: int
    boards: tuple[int, ...] = ()
    attempt: int = 1
    lot: int = 0

    @property
    def shuffle(self) -> int:
        """The number that its boards are dealt by: another tournament of the same number has other boards."""
        return self.lot << 63 | self.tournament

    @property
    def key(self) -> str:
        """Its name within the tournament."""
        return f"{self.round}.{self.table}" + (f".{self.attempt}" if self.attempt > 1 else "")


class Phase(StrEnum):
    """The point that a table has reached: its lobby, its match, or one of its ends."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    """The opener or a moderator ended it."""
    ABANDONED = "abandoned"
    """Nobody was left."""
    GONE = "gone"
    """Nobody could see it any more: its channel, thread or server is gone for the bot, or closed to it."""
    EXPIRED = "expired"
    """Nothing happened in the lobby for too long."""
    IDLE = "idle"
    """Nobody moved for a very long time."""
    DECLINED = "declined"
    """The person who was challenged doesn't want to play."""
    FORFEITED = "forfeited"
    """Somebody has left a rated match or a tournament's, or let its time pass, and has lost. It isn't played to its
    end."""
    AGREED = "agreed"
    """Everybody who played a rated match agreed to end it without a result."""

    def __init__(self, value: str) -> None:
        self.open: Final = value in ("lobby", "playing")
        """Whether something can still happen."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The lobby opens, with its opener in the first seat.

    `invited`: the people of the match that this is the rematch of, by seat; None where a computer sat. `movable`: it
    may go on in a thread. `fixture`: the pairing it was opened for, if any. `challenge`: the opener challenges the
    other invited person. `dealer`: the seat that deals first if those invited sit where they did; None to draw it.
    """

    opener: Person
    config: Config
    invited: tuple[Person | None, ...] = ()
    movable: bool = False
    fixture: Fixture | None = None
    challenge: bool = False
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class Guests:
    """The people, and the roles whose holders, may sit down at a table that isn't open to all.

    `invited` has None in the place of somebody whose data was erased.
    """

    invited: tuple[Person | None, ...] = ()
    roles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GuestsChosen:
    """The lobby is for some people only; for all again if `guests` is None."""

    guests: Guests | None


@dataclass(frozen=True, slots=True)
class TakenOff:
    """The opener took a person's seat in the lobby from them."""

    person_id: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The lobby went on in a thread that was opened for it; below 0, the match goes on without a channel."""

    thread_id: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took the next free seat."""

    person: Person


@dataclass(frozen=True, slots=True)
class LeftLobby:
    """A person gave up their seat before the match."""

    person_id: int


@dataclass(frozen=True, slots=True)
class ComputerAdded:
    """A computer player took a seat: the next free one, or that of another computer player."""

    name: str
    level: Level
    character: Character
    instead_of: int | None = None


@dataclass(frozen=True, slots=True)
class ComputerRemoved:
    """The computer player of a seat left."""

    seat: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two seats were swapped in the lobby."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Configured:
    """Somebody changed the lobby's configuration.

    `until`: the match waits until then for the OK of everybody else who sits there, in seconds since 1970; None if
    nobody had to be asked. `by`: the seat of the person who changed it, if they are one of those.
    """

    config: Config
    by: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class ChangeAccepted:
    """The person of a seat agrees to what has changed in the lobby."""

    seat: int


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Somebody is away, has come back, or has left for good.

    `by` is the seat of the person who let a computer play for them or, if they have LEFT, has claimed the match because
    of their silence; None where a deadline passed, or they have left by themselves.
    """

    seat: int
    presence: Presence
    by: int | None = None


@dataclass(frozen=True, slots=True)
class TurnMissed:
    """A person let the deadline of a slow turn pass. A computer makes that one move for them."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reacted:
    """A player gave a sign for the latest move of somebody else, up to 1.0. Nothing shows it any more."""

    seat: int
    sign: Sign


@dataclass(frozen=True, slots=True)
class Closed:
    """The table ends before its match does. `by` is the person who ended it; with IDLE, because it was forgotten."""

    phase: Phase
    by: Person | None = None


TableEvent = (
    Opened
    | GuestsChosen
    | TakenOff
    | Moved
    | Joined
    | LeftLobby
    | ComputerAdded
    | ComputerRemoved
    | Swapped
    | Configured
    | ChangeAccepted
    | PresenceChanged
    | TurnMissed
    | DaySpent
    | Nudged
    | Reacted
    | QuestionAsked
    | QuestionAnswered
    | QuestionLapsed
    | Paused
    | Resumed
    | SeatTaken
    | Closed
)
LogEvent = TableEvent | MatchEvent
