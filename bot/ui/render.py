"""Which layout shows a table to everybody, and who it may ping."""

from __future__ import annotations

from discord import AllowedMentions, Object
from discord.ui import LayoutView

from bot.engine.match import Stage
from bot.store import Metric, Store, StoreError
from bot.tables.result import is_ranked
from bot.tables.state import Phase
from bot.tables.view import TableView
from bot.ui.board import board_layout
from bot.ui.lobby import lobby_layout
from bot.ui.names import safe
from bot.ui.score import ended_layout, result_layout, round_layout
from bot.ui.texts import Words, words


async def public_layout(view: TableView, store: Store) -> LayoutView:
    """The public message of a table as it stands."""
    t = words(view.locale)
    match view.phase:
        case Phase.LOBBY:
            return lobby_layout(view, t)
        case Phase.PLAYING:
            running = view.match is not None and view.match.stage is Stage.TO_PLAY
            return board_layout(view, t) if running else round_layout(view, t, paused=True)
        case Phase.FINISHED:
            return result_layout(view, await _standings(view, store, t), t)
        case _:
            return ended_layout(view, t)


def mentions(view: TableView) -> AllowedMentions:
    """Nobody but the player whose turn it is."""
    turn = None if view.match is None else view.match.turn
    person_id = None if turn is None or not view.seats[turn].human_here else view.seats[turn].person_id
    users = [] if person_id is None else [Object(person_id)]
    return AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def _standings(view: TableView, store: Store, t: Words) -> list[str]:
    """Where the match's people stand on the server now; nothing if it can't be read."""
    if view.match is None or not is_ranked(view.seats, view.match.seating):
        return ["-# " + t("Games against computers only don't count for the leaderboard.")]
    people = [seat for seat in view.seats if seat.person_id is not None]
    rows: list[tuple[int, str]] = []
    try:
        for seat in people:
            assert seat.person_id is not None
            row = await store.standing(view.guild_id, seat.person_id, Metric.WINS, since=None, min_matches=1)
            if row is not None:
                wins = t.plural("{n} win", "{n} wins", row.wins)
                matches = t.plural("{n} match", "{n} matches", row.matches)
                rows.append((row.rank, f"**{row.rank}.** {safe(seat.name)} · {wins} · {matches}"))
    except StoreError:
        return []
    lines = [line for _, line in sorted(rows)]
    return [t("**On this server's leaderboard**"), *lines] if lines else []
