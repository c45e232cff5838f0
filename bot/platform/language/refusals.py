"""The reasons for refusals, for the person who asked. Each subject's words say what its own codes mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from bot.platform.language.texts import N_, Words
from bot.platform.refusal import CommonRefusal, Refusal

C = TypeVar("C", bound=StrEnum)
Said = str | Callable[[Refusal, Words], str]
"""The meaning of a code: a text, or a function that knows more of the refusal than its code."""

_TEXTS: Final[dict[CommonRefusal, str]] = {
    CommonRefusal.STALE: N_("The table has changed. Here's how it looks now."),
    CommonRefusal.NEEDS_SERVER: N_(
        "That needs a server that I'm on, where people sit down at a table in a channel. Here you can play against "
        "robots: `/escoba solo`."
    ),
    CommonRefusal.NOT_MANAGER: N_("Only someone with the Manage Server permission can change settings."),
    CommonRefusal.NOT_OWNER: N_("Sorry, that is only for the person who runs me."),
    CommonRefusal.MUTED: N_(
        "I can't post in this channel. Please allow me to view it and send messages, then try again."
    ),
    CommonRefusal.MUTED_IN_VOICE: N_(
        "I can't post in this voice channel's chat. Please allow me to view the channel, connect to it and send "
        "messages, then try again."
    ),
    CommonRefusal.TIMED_OUT: N_(
        "I am in time-out on this server, so I can't write here. A moderator can end that (right-click my name, Remove "
        "Timeout); then try again."
    ),
    CommonRefusal.LOCKED: N_("This thread is locked, so I can't write here. Once a moderator unlocks it, try again."),
    CommonRefusal.OUTSIDE_THREAD: N_(
        "I am not in this private thread, so I can't keep a table here. Mention me in a message, which brings me in, "
        "and try again."
    ),
    CommonRefusal.TOO_MANY_CHANGES: N_("You changed a lot in the last few minutes. Please wait a little."),
    CommonRefusal.SHOWN_JUST_NOW: N_(
        "Something was shown to everyone here less than a minute ago. Please wait a little before you show more."
    ),
    CommonRefusal.MAY_NOT_WRITE: N_("You can't write in this channel, so I won't show that to everyone here either."),
    CommonRefusal.ROLE_GONE: N_("That role no longer exists. Choose another in `/escoba settings`."),
    CommonRefusal.ROLE_CLOSED: N_(
        "I may not mention that role. In the server's settings, allow anyone to mention it, or give me the permission "
        "*Mention All Roles*."
    ),
    CommonRefusal.ROLE_OF_ALL: N_("Everyone has that role. Choose one that people take if they want to play."),
    CommonRefusal.TOO_FAST: N_("Not so fast, please: wait a few seconds."),
    CommonRefusal.UNAVAILABLE: N_("I can't save anything right now, so nothing changed. Please try again soon."),
    CommonRefusal.UNREADABLE: N_("I can't read my records right now. Please try again soon."),
    CommonRefusal.NEWER: N_("This was started by a newer version of me. It goes on when I'm up to date again."),
    CommonRefusal.FROM_NEWER: N_("I can't read this yet: it was saved by a newer version of me."),
    CommonRefusal.OUTDATED: N_("I was updated, and that command changed: reload Discord, and try again."),
    CommonRefusal.CLOSING: N_("I'm shutting down and can't take moves right now. Your match goes on when I'm back."),
}
_SAID: Final[dict[type[StrEnum], Mapping[Any, Said]]] = {CommonRefusal: _TEXTS}
"""By the codes' type, because two subjects may use the same value for a code of theirs."""


def declare(said: Mapping[C, Said]) -> None:
    """Declare what a subject's codes mean: all codes of one type."""
    [codes] = {type(code) for code in said}
    _SAID[codes] = said


def refusal(error: Refusal, t: Words) -> str:
    """Explain why something was refused, for the person who asked."""
    said = _SAID[type(error.code)][error.code]
    return t(said) if isinstance(said, str) else said(error, t)


def failed(t: Words, interaction_id: int) -> str:
    """Write what a person reads when something broke; the report number is logged too."""
    return t(
        "Something went wrong (report {number}). Nothing is lost. Please try again.",
        number=str(interaction_id),  # as it is in the log, without groups of digits
    )
