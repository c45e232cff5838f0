"""The actions that people can ask of a table. Each action names its person, and a move the version it was made for."""

from dataclasses import dataclass

from bot.engine.cards import Card
from bot.engine.moves import Move
from bot.platform.people import Person
from bot.players import Level
from bot.tables.log.events import Config, Guests
from bot.tables.log.topics import Topic


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person asks for."""

    person: Person


@dataclass(frozen=True, slots=True)
class VersionedAction(Action):
    """An action that is only valid for the version of the table or match that it was made for."""

    version: int


@dataclass(frozen=True, slots=True)
class Join(Action):
    """Take a seat in the lobby.

    Attributes:
        friendly: the match was a friendly one when the person decided to.
        seen: the number of the latest change that they had seen then; None for all.
        roles: the roles that they have on the server.
    """

    friendly: bool = False
    seen: int | None = None
    roles: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """Turn a challenge down."""


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """Give up a seat: in the lobby it becomes free, in a match a computer plays it to the end.

    Attributes:
        lobby_only: it was asked for in the lobby. If the match has begun since, it must not forfeit the match.
        for_good: the person's data is about to be erased: a rated match that others have won by this ends at once, so
            that its result is rated.
    """

    lobby_only: bool = False
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class AddComputer(VersionedAction):
    """Seat a computer player of a level."""

    level: Level = Level.NORMAL


@dataclass(frozen=True, slots=True)
class ChangeComputer(VersionedAction):
    """Seat one of another level in place of a computer player, or remove it; `level` is None then."""

    seat: int
    level: Level | None


@dataclass(frozen=True, slots=True)
class ChoosePartner(VersionedAction):
    """Take the holder of a seat as one's partner in the lobby."""

    seat: int


@dataclass(frozen=True, slots=True)
class MoveToThread(Action):
    """Go on with the lobby in a thread that was opened for it.

    `moderator`: the person may manage messages in the channel.
    """

    thread_id: int
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class ChooseGuests(Action):
    """Have only some people sit down, or all again. `moderator`: the person may manage messages in the channel."""

    guests: Guests | None
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class TakeOff(VersionedAction):
    """Take the holder of a seat off the lobby. `moderator`: the person may manage messages in the channel."""

    seat: int
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class Configure(VersionedAction):
    """Agree on other rules, target or teams."""

    config: Config


@dataclass(frozen=True, slots=True)
class SetRated(Action):
    """Agree on a rated match, or on a friendly one. `moderator`: the person may manage messages in the channel."""

    rated: bool
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class SetHints(Action):
    """Agree on hints in a friendly match, or on none."""

    hints: bool


@dataclass(frozen=True, slots=True)
class Start(VersionedAction):
    """Begin the match with those who are seated."""


@dataclass(frozen=True, slots=True)
class PlayMove(VersionedAction):
    """Play a card, or claim a capture."""

    move: Move


@dataclass(frozen=True, slots=True)
class LayCard(VersionedAction):
    """Play a card that has several captures; one of them is chosen next. The card stays played."""

    card: Card


@dataclass(frozen=True, slots=True)
class LetComputerPlay(VersionedAction):
    """Have a computer play for the current player, who has kept the others waiting too long, until they click."""


@dataclass(frozen=True, slots=True)
class Nudge(VersionedAction):
    """Have the current player of a slow match told that others wait, once in a turn."""


@dataclass(frozen=True, slots=True)
class NextRound(VersionedAction):
    """Want the next round: once all people who are here do, it is dealt without waiting for the pause to end."""


@dataclass(frozen=True, slots=True)
class Cancel(Action):
    """End the table without a result. `moderator`: the person may manage messages in the channel."""

    moderator: bool = False


@dataclass(frozen=True, slots=True)
class TakeOut(Action):
    """Take a rated match out of its channel, as somebody who may manage messages there; it goes on without."""


@dataclass(frozen=True, slots=True)
class EndFixture(Action):
    """End a tournament's table whose result was decided without it: by this person, who may sit there."""


@dataclass(frozen=True, slots=True)
class Ask(Action):
    """Ask the others whether a rated match is to end without a result, or a slow one to pause for some days."""

    topic: Topic = Topic.END
    days: int = 0


@dataclass(frozen=True, slots=True)
class TakeSeat(Action):
    """Ask those who play for the seat of somebody who has left."""

    seat: int


@dataclass(frozen=True, slots=True)
class Answer(Action):
    """Answer a question, or take back one's own. `question` is its number; in a lobby, that of the latest change."""

    question: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Resume(Action):
    """End the pause early."""


@dataclass(frozen=True, slots=True)
class TakeWin(Action):
    """End a rated match that one's side has won because everybody else has left."""


@dataclass(frozen=True, slots=True)
class ClaimMatch(VersionedAction):
    """Have the current player of a rated match without deadlines lose it, because they have kept the others waiting
    for as long as the lobby had announced."""


@dataclass(frozen=True, slots=True)
class Touch(Action):
    """Any other sign of life: a person who was away takes their seat back."""
