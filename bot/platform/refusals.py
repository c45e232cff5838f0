"""Refusals, and the reasons for those that any bot needs: about the store, pace, permissions and the process."""

from enum import StrEnum

from bot.platform.language.texts import N_, Words


class RefusalCode(StrEnum):
    """The base of every subject's reasons. A reason's value is what the person reads who asked, in English."""

    def reason(self, t: Words) -> str:
        """Say it to the person who asked."""
        return t(self.value)


class CommonRefusal(RefusalCode):
    """The reason why an action is refused that could be any bot's."""

    STALE = N_("The table has changed. Here's how it looks now.")
    """The action was made for an older state: the person gets a fresh view."""
    NEEDS_SERVER = N_(
        "That needs a server that I'm on, where people sit down at a table in a channel. Here you can play against "
        "robots: `/escoba solo`."
    )
    NOT_MANAGER = N_("Only someone with the Manage Server permission can change settings.")
    NOT_OWNER = N_("Sorry, that is only for the person who runs me.")
    MUTED = N_("I can't post in this channel. Please allow me to view it and send messages, then try again.")
    MUTED_IN_VOICE = N_(
        "I can't post in this voice channel's chat. Please allow me to view the channel, connect to it and send "
        "messages, then try again."
    )
    """The bot may not speak in the chat of a voice or stage channel."""
    TIMED_OUT = N_(
        "I am in time-out on this server, so I can't write here. A moderator can end that (right-click my name, Remove "
        "Timeout); then try again."
    )
    LOCKED = N_("This thread is locked, so I can't write here. Once a moderator unlocks it, try again.")
    OUTSIDE_THREAD = N_(
        "I am not in this private thread, so I can't keep a table here. Mention me in a message, which brings me in, "
        "and try again."
    )
    TOO_MANY_CHANGES = N_("You changed a lot in the last few minutes. Please wait a little.")
    """The person has changed things again and again."""
    SHOWN_JUST_NOW = N_(
        "Something was shown to everyone here less than a minute ago. Please wait a little before you show more."
    )
    MAY_NOT_WRITE = N_("You can't write in this channel, so I won't show that to everyone here either.")
    ROLE_GONE = N_("That role no longer exists. Choose another in `/escoba settings`.")
    ROLE_CLOSED = N_(
        "I may not mention that role. In the server's settings, allow anyone to mention it, or give me the permission "
        "*Mention All Roles*."
    )
    ROLE_OF_ALL = N_("Everyone has that role. Choose one that people take if they want to play.")
    """Everybody on the server has that role."""
    TOO_FAST = N_("Not so fast, please: wait a few seconds.")
    UNAVAILABLE = N_("I can't save anything right now, so nothing changed. Please try again soon.")
    UNREADABLE = N_("I can't read my records right now. Please try again soon.")
    NEWER = N_("This was started by a newer version of me. It goes on when I'm up to date again.")
    FROM_NEWER = N_("I can't read this yet: it was saved by a newer version of me.")
    OUTDATED = N_("I was updated, and that command changed: reload Discord, and try again.")
    CLOSING = N_("I'm shutting down and can't take moves right now. Your match goes on when I'm back.")


class Refusal(Exception):
    """An action that was refused; everything is as it was. `code` says why."""

    def __init__(self, code: RefusalCode) -> None:
        super().__init__(code.name.lower())
        self.code = code

    def reason(self, t: Words) -> str:
        """Explain why, for the person who asked."""
        return self.code.reason(t)


def failed(t: Words, interaction_id: int) -> str:
    """Write what a person reads when something broke; the report number is logged too."""
    return t(
        "Something went wrong (report {number}). Nothing is lost. Please try again.",
        number=str(interaction_id),  # as it is in the log, without groups of digits
    )
