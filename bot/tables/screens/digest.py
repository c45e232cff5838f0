"""The private message about somebody's matches: plain text, since a notification shows nothing else, with buttons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from discord import ButtonStyle
from discord.utils import format_dt

from bot.platform.kit.links import channel_url
from bot.platform.language.calendar import written_date, zone_named
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.platform.layout import IN_A_ROW, Component, button, menu, option, row
from bot.platform.people import plain
from bot.tables.ids.game import Ref, Verb
from bot.tables.live.running import RunningMatch
from bot.tables.live.view import ROBOT, TableView, holder_name
from bot.tables.screens.score import ending_text

ROOM: Final = 1_800
"""The characters that all lists may have: a message has 2,000."""
_IN_MENU: Final = 25
_NAMED: Final = 3
"""The others of a match who are named, the last of whom stands for the rest."""
_ROOM_BESIDES: Final = 900
"""The part of them that turns leave to the other lists."""


@dataclass(frozen=True, slots=True)
class Digest:
    """The news for somebody.

    Attributes:
        turns: the matches in which it's their turn, the most urgent first.
        played_for: those in which a robot plays for them, and since when, if the log tells.
        invitations: the lobbies that wait for their answer.
        ended: the matches that have ended lately.
        puzzle: whether the daily puzzle waits for them.
    """

    turns: Sequence[RunningMatch] = ()
    played_for: Sequence[tuple[RunningMatch, datetime | None]] = ()
    invitations: Sequence[RunningMatch] = ()
    ended: Sequence[TableView] = ()
    puzzle: bool = False

    def __bool__(self) -> bool:
        return bool(self.turns or self.played_for or self.invitations or self.ended or self.puzzle)


def digest_text(digest: Digest, t: Words) -> str:
    """List what is new, with a link to each table."""
    turns = [_line(match, t, _left(match)) for match in digest.turns]
    played_for = [_line(match, t, _since(since, t), sign=ROBOT) for match, since in digest.played_for]
    invitations = [_line(match, t, t("you're invited"), sign="📨") for match in digest.invitations]
    ended = [_ended_line(view, t) for view in digest.ended]
    besides = _fitting([*played_for, *invitations, *ended], _ROOM_BESIDES if turns else ROOM, t)
    heading = t.plural("It's your turn in {n} match.", "It's your turn in {n} matches.", len(turns))
    mine = [f"**{heading}**", *_fitting(turns, ROOM - sum(map(len, besides)), t)] if turns else []
    today = ["**" + t("🧩 You haven't solved today's puzzle yet: `/escoba today`") + "**"] if digest.puzzle else []
    how = t("You asked for this in `/escoba me`.")
    return "\n".join((*mine, *besides, *today, f"-# {how}"))


def digest_rows(digest: Digest, zone: str, t: Words, all_matches: Component) -> list[Component]:
    """The buttons below the text, for the most urgent turn and for each seat that can be taken back, and a menu of
    other turns, with their deadlines in somebody's zone. `all_matches`: the button of the list, for the rest."""
    first, others = digest.turns[:1], digest.turns[1:]
    play = [
        button(Ref(match.game_id).custom_id(Verb.HAND), t.context("button", "Play"), style=ButtonStyle.success)
        for match in first
    ]
    several = len(digest.played_for) > 1
    back = [
        button(
            Ref(match.game_id).custom_id(Verb.HAND),
            " · ".join([t("I'm back"), *([_names(match, t, plain)] if several else [])]),
            style=ButtonStyle.success,
        )
        for match, _ in digest.played_for[: IN_A_ROW - 2]
    ]
    buttons = [*play, *back, *([all_matches] if len(others) > _IN_MENU else [])]
    options = [_option(match, zone, t) for match in others[:_IN_MENU]]
    choose = menu(Ref(0).custom_id(Verb.OPEN_GAME), options, placeholder=t("Choose a match"))
    return [*([row(*buttons)] if buttons else []), *([row(choose)] if options else [])]


def _option(match: RunningMatch, zone: str, t: Words) -> Component:
    names = t("against {names}", names=_names(match, t, plain))
    until = None
    if match.deadline is not None:
        local = match.deadline.astimezone(zone_named(zone))
        until = f"⏳ {written_date('MMMd', local.date(), t)} {local:%H:%M}"
    return option(capital(names), str(match.game_id), chosen=False, description=until)


def _fitting(lines: Sequence[str], room: int, t: Words) -> list[str]:
    """The lines for which there is room, and how many there are besides."""
    fitting = 0
    for line in lines:
        room -= len(line) + 1
        fitting += room >= 0
    more = len(lines) - fitting
    return [*lines[:fitting], *([t.plural("… and {n} more", "… and {n} more", more)] if more else [])]


def _line(match: RunningMatch, t: Words, news: str | None, *, sign: str | None = None) -> str:
    against = t("against {names}", names=_names(match, t))
    assert match.guild_id is not None, "people play it on a server"
    url = channel_url(match.guild_id, match.channel_id or -1, match.message_id)
    link = t("[jump to the table]({url})", url=url)
    start = against if sign is None else f"{sign} {against}"
    return "- " + " · ".join(each for each in (start, news, link) if each)


def _names(match: RunningMatch, t: Words, written: Callable[[str], str] | None = None) -> str:
    names = [holder_name(seat) if written is None else written(seat.name) for seat in match.others]
    return t.listed(names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"+{len(names) - _NAMED + 1}"])


def _left(match: RunningMatch) -> str | None:
    return None if match.deadline is None else f"⏳ {format_dt(match.deadline, 'R')}"


def _since(since: datetime | None, t: Words) -> str:
    if since is None:
        return t("a robot is playing for you")
    return t("a robot has played for you since {time}", time=format_dt(since, "f"))


def _ended_line(view: TableView, t: Words) -> str:
    assert view.guild_id is not None, "people played it on a server"
    assert view.channel_id is not None, "likewise"
    link = t("[jump to the table]({url})", url=channel_url(view.guild_id, view.channel_id))
    return f"- {ending_text(view, t)} · {link}"
