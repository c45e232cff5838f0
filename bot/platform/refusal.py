"""Refusals, and the codes of those that any bot needs: about the store, pace, permissions and the process."""

from __future__ import annotations

from enum import StrEnum


class RefusalCode(StrEnum):
    """The base of every subject's codes. Each subject declares its own, and `words` says what they mean."""


Code = RefusalCode | StrEnum
"""A subject's code, or one of a room below, which knows nothing of refusals."""


class CommonRefusal(RefusalCode):
    """The reason why an action is refused that could be any bot's."""

    STALE = "stale"
    """The action was made for an older state: the person gets a fresh view."""
    NEEDS_SERVER = "needs_server"
    NOT_MANAGER = "not_manager"
    NOT_OWNER = "not_owner"
    MUTED = "muted"
    """The bot may not speak in the channel."""
    MUTED_IN_VOICE = "muted_in_voice"
    """The bot may not speak in the chat of a voice or stage channel."""
    TIMED_OUT = "timed_out"
    """A moderator has put the bot in time-out: it may write nowhere on the server."""
    LOCKED = "locked"
    """The thread is locked: only moderators can write there."""
    OUTSIDE_THREAD = "outside_thread"
    """The bot isn't a member of the private thread."""
    TOO_MANY_CHANGES = "too_many_changes"
    """The person has changed things again and again."""
    SHOWN_JUST_NOW = "shown_just_now"
    """Somebody showed something to everybody in the channel not long ago."""
    MAY_NOT_WRITE = "may_not_write"
    """The person may not send messages in the channel, so the bot doesn't send any for them."""
    ROLE_GONE = "role_gone"
    """The role has been deleted."""
    ROLE_CLOSED = "role_closed"
    """The bot may not mention that role."""
    ROLE_OF_ALL = "role_of_all"
    """Everybody on the server has that role."""
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"
    """The store can't write now."""
    UNREADABLE = "unreadable"
    """The store can't be read now."""
    NEWER = "newer"
    """A newer version has begun or continued a log: this one can't go on with it."""
    FROM_NEWER = "from_newer"
    """A newer version has stored what is asked for: this one can't read it, or change it."""
    OUTDATED = "outdated"
    """The command is from before an update."""
    CLOSING = "closing"
    """The bot is stopping, and takes nothing new."""


class Refusal(Exception):
    """An action that was refused; everything is as it was. `code` says why."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code
