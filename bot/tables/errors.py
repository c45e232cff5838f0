"""What a table refuses, each with a code that `bot.ui` puts into words."""

from __future__ import annotations

from enum import StrEnum

from bot.engine.errors import RuleCode
from bot.engine.rules import Conflict


class RefusalCode(StrEnum):
    """Why a table or the manager refuses an action."""

    STALE = "stale"
    """The action names a state that is over: the person gets a fresh view."""
    CHANNEL_BUSY = "channel_busy"
    NO_GAME = "no_game"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    LOBBY_FULL = "lobby_full"
    LOBBY_OVER = "lobby_over"
    NOT_STARTED = "not_started"
    GAME_OVER = "game_over"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NO_SEATING = "no_seating"
    NO_COMPUTER = "no_computer"
    NOT_ALLOWED = "not_allowed"
    NOT_MANAGER = "not_manager"
    NOT_OWNER = "not_owner"
    CONFLICT = "conflict"
    MUTED = "muted"
    """The bot may not speak in the channel."""
    LOCKED = "locked"
    """The thread is locked: only moderators write there."""
    OUTSIDE_THREAD = "outside_thread"
    """The bot isn't in the private thread."""
    NOT_FORGOTTEN = "not_forgotten"
    """The game isn't one that nobody has moved in for long."""
    TOO_MANY_LOBBIES = "too_many_lobbies"
    NO_HINTS = "no_hints"
    """The match counts, or its server wants no hints."""
    NO_ADVICE = "no_advice"
    """Nobody can say now what the moves come to."""
    NO_REVIEWS = "no_reviews"
    """This bot has nobody who could look back at matches."""
    NO_REVIEW = "no_review"
    """There is no match of this person to look back at, or its log isn't kept any more."""
    REVIEWING = "reviewing"
    """A review of this person is being made already."""
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"
    """The store can't write now."""
    UNREADABLE = "unreadable"
    """The store can't be read now."""
    NOT_ERASED = "not_erased"
    """A person's data couldn't be erased; they have left their games by then, maybe."""
    DATA_BUSY = "data_busy"
    """A request of this person about their data is under way."""
    OUTDATED = "outdated"
    """The command is as it was before an update."""
    CLOSING = "closing"
    """The bot is stopping and takes no new moves."""


class Refusal(Exception):
    """An action that was refused; the game is as it was.

    `code` says why; `conflicts` are the rules that don't go together, for `CONFLICT`.
    """

    def __init__(self, code: RefusalCode | RuleCode, *, conflicts: tuple[Conflict, ...] = ()) -> None:
        super().__init__(code.value)
        self.code = code
        self.conflicts = conflicts


class Returned(Refusal):
    """A refused action of somebody who was away: the click did nothing, but they are back at `seat`."""

    def __init__(self, code: RefusalCode | RuleCode, seat: int) -> None:
        super().__init__(code)
        self.seat = seat
