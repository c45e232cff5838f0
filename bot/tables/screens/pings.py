"""The texts of the short messages that ping players. Notifications show them, so they are plain, the link last."""

from __future__ import annotations

from datetime import datetime

from discord.utils import format_dt

from bot.platform.language.texts import Words


def ping_text(person_id: int, deadline: datetime | None, url: str | None, t: Words, *, loses: bool = False) -> str:
    """Tells a player that it's their turn.

    Args:
        person_id: the player.
        deadline: when a computer takes over, if soon.
        url: of the table.
        t: the table's words.
        loses: the match is lost at the deadline, as in a tournament, and no computer plays.
    """
    person = f"<@{person_id}>"
    if deadline is None:
        text = t("{person}, it's your turn", person=person)
    else:
        time = format_dt(deadline, "R")
        text = t("⏰ {person}, it's your turn. A robot takes over {time}", person=person, time=time)
        if loses:
            text = t("⏰ {person}, it's your turn. Play, or the match is lost {time}", person=person, time=time)
    return _with_link(text, url, t)


def past_text(person_id: int, url: str | None, t: Words, *, over: bool, waiting: bool) -> str:
    """Tells a player who didn't click that it was their turn. `over`: the game has ended; `waiting`: it only waits."""
    person = f"<@{person_id}>"
    if over:
        return _with_link(t("{person}, it was your turn when the match ended", person=person), url, t)
    if waiting:
        return _with_link(t("{person}, you missed your turn, and the match is waiting for you", person=person), url, t)
    return _with_link(t("{person}, you missed your turn, so a robot played for you", person=person), url, t)


def unseen_text(channel_id: int | None, t: Words) -> str:
    """Tells a player where a match goes on while its channel takes no message."""
    channel = f"<#{channel_id}>"
    return t("I can't write in {channel} right now. Your match goes on: `/escoba games` shows it.", channel=channel)


def _with_link(text: str, url: str | None, t: Words) -> str:
    return text if url is None else f"{text} · " + t("[jump to the table]({url})", url=url)


def matches_waiting(count: int, t: Words) -> str | None:
    """Say how many matches wait for somebody's move; None if none does."""
    if not count:
        return None
    waiting = t.plural("{n} match is waiting for you.", "{n} matches are waiting for you.", count)
    return f"-# 👉 {waiting} " + t("`/escoba games` shows your matches.")
