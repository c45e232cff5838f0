"""A person's preference about the daily puzzle."""

from enum import StrEnum

from bot.tables.settings import DigestPreferences


class DayNotice(StrEnum):
    """A person's wish to hear of each day's puzzle."""

    NEVER = "never"
    SERVER = "server"
    """A mention in the message of the servers where they solve it."""
    PRIVATE = "private"
    """A private message at an hour of theirs."""


def offered_key(guild_id: int) -> str:
    """The key under which is noted that a server's manager was asked whether to have the puzzle posted."""
    return f"day_offered:{guild_id}"


class TrainingPreferences(DigestPreferences):
    """A person's choices. The docstrings explain the fields to the person in the file with their data."""

    day_notice: DayNotice = DayNotice.NEVER
    """how you hear of the daily puzzle: never, server (a mention where you solve it), private (in a private message)"""
