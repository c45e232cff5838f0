"""The editor of a server's seasons and rewards, and its results as a file, for those who may manage the server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, cast

from bot.tables.broken_off import broken_off
from bot.tables.errors import Refusal, RefusalCode
from bot.ui.kit.choices import Note
from bot.ui.kit.ids.server import SeasonSetting
from bot.ui.kit.press import Handler, Press
from bot.ui.server.clicks.choosing import change_settings, handlers_of, keep
from bot.ui.server.screens.broken_off import broken_off_layout
from bot.ui.server.screens.season_settings import (
    PASSES_ON,
    PODIUM,
    SEASON,
    WINNER,
    export_layout,
    export_text,
    season_settings_layout,
    unfit_text,
)
from bot.ui.transport.reward_roles import UnfitRole, unfit_roles
from bot.ui.transport.trouble import NETWORK
from bot.ui.words.club.export import ResultsFile

log = logging.getLogger(__name__)

FILE_NAME: Final = "escoba-results.csv"
MOST_BYTES: Final = 8 * 1024 * 1024
"""Discord takes files of 10 MiB."""
MOST_MATCHES: Final = 100_000
"""More than fit into a file."""
AT_ONCE: Final = 250
"""Matches that are read and written at a time, which takes some milliseconds."""


async def _open(press: Press) -> None:
    """Show the editor as it stands, and whether the chosen roles can still be given."""
    await _show(press)


async def _choose_role(which: str, press: Press) -> None:
    """Make the chosen role, or none, a reward, unless it can't be one."""
    role_id: int | None = None
    if press.value:
        data = cast("dict[str, Any]", press.interaction.data or {})
        if press.value not in data.get("resolved", {}).get("roles", {}):  # Discord vouches for these
            raise Refusal(RefusalCode.STALE)
        role_id = int(press.value)
        unfit = await unfit_roles(press.interaction.client, press.guild_id, [role_id], press.interaction.user.id)
        refused = unfit.get(role_id)
        if refused is not None:
            await _show(press, (which, unfit_text(refused, press.t)))
            return
    await keep(press, which, change_settings(press, **{which: role_id}), _show)


async def _show(press: Press, note: Note | None = None, *, said: str | None = None) -> None:
    settings = await press.host.guild_settings.get(press.guild_id)
    unfit: dict[int, UnfitRole] = {}
    if settings.reward_roles:
        try:
            unfit = await unfit_roles(press.interaction.client, press.guild_id, settings.reward_roles)
        except NETWORK as error:
            log.info("Could not find out whether roles can be given (%s)", type(error).__name__)
    layout = season_settings_layout(settings, press.t, unfit=unfit, note=note, said=said)
    await press.reply.update_private(layout)


async def _export(press: Press) -> None:
    """Send the results as a file: all of them, or the latest that fit into one."""
    press.host.throttle.exports.take_or_refuse(press.guild_id, RefusalCode.EXPORTED_JUST_NOW)
    # Answer at once: this may take long, and Discord may take no file after a deferral.
    await _show(press, said="📄 " + press.t("I'm collecting the results. The file comes below."))
    rows = press.host.store.results
    ids, total = await rows.latest(press.guild_id, MOST_MATCHES)
    file = ResultsFile(MOST_BYTES)
    for chunk in (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE)):
        matches = [list(seats) for _, seats in groupby(await rows.of(chunk), attrgetter("result_id"))]
        if not all(file.add(total - file.matches, seats) for seats in matches):
            break
    text = export_text(file.matches, total, press.t)
    await press.reply.follow_up_with_file(export_layout(text, FILE_NAME), text, FILE_NAME, file.content())


async def _list_ended_early(press: Press) -> None:
    """List the rated matches that ended early, and how."""
    matches = await broken_off(press.host.store, press.guild_id)
    await press.reply.update_private(broken_off_layout(matches, press.t))


HANDLERS: Final[Mapping[str, Handler]] = {
    SeasonSetting.OPEN: _open,
    WINNER: partial(_choose_role, WINNER),
    PODIUM: partial(_choose_role, PODIUM),
    **handlers_of((SEASON, PASSES_ON), change_settings, _show),
    SeasonSetting.EXPORT: _export,
    SeasonSetting.ENDED_EARLY: _list_ended_early,
}
