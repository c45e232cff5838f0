"""The editor of a server's seasons and rewards, and its results as a file, for those who may manage the server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, cast

from bot.club.seasons import SeasonLength
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.server.guild_settings import GuildSettings
from bot.ui.kit.ids.server import SeasonSetting
from bot.ui.kit.press import Handler, Press
from bot.ui.server.screens.season_settings import (
    PASSING,
    SEASON_NAMES,
    SeasonChoice,
    export_layout,
    export_text,
    season_settings_layout,
)
from bot.ui.transport.reward_roles import UnfitRole, unfit_roles
from bot.ui.transport.trouble import NETWORK
from bot.ui.words.club.export import ResultsFile
from bot.ui.words.refusals import refusal

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


async def _choose_season(press: Press) -> None:
    if press.value not in SEASON_NAMES:
        raise Refusal(RefusalCode.STALE)
    await _save(press, replace(await _settings_of(press), season=SeasonLength(press.value)))


async def _choose_winner(press: Press) -> None:
    role_id, refused = await _chosen_role(press)
    if refused is not None:
        await _show(press, refused=(SeasonSetting.WINNER, refused))
        return
    settings = await _settings_of(press)
    await _save(press, replace(settings, rewards=replace(settings.rewards, winner=role_id)))


async def _choose_podium(press: Press) -> None:
    role_id, refused = await _chosen_role(press)
    if refused is not None:
        await _show(press, refused=(SeasonSetting.PODIUM, refused))
        return
    settings = await _settings_of(press)
    await _save(press, replace(settings, rewards=replace(settings.rewards, podium=role_id)))


async def _pass_on(press: Press) -> None:
    if press.value not in PASSING:
        raise Refusal(RefusalCode.STALE)
    settings = await _settings_of(press)
    await _save(press, replace(settings, rewards=replace(settings.rewards, passes_on=press.value == "yes")))


async def _chosen_role(press: Press) -> tuple[int | None, UnfitRole | None]:
    """The chosen role, or None for no role, and the reason if it can't be a reward."""
    if not press.value:
        return None, None
    data = cast("dict[str, Any]", press.interaction.data or {})
    if press.value not in data.get("resolved", {}).get("roles", {}):  # Discord vouches for these
        raise Refusal(RefusalCode.STALE)
    role_id = int(press.value)
    return role_id, (await unfit_roles(press.interaction.client, press.guild_id, [role_id])).get(role_id)


async def _settings_of(press: Press) -> GuildSettings:
    return await press.host.guild_settings.get(press.guild_id)


async def _save(press: Press, settings: GuildSettings) -> None:
    note: str | None = None
    try:
        await press.host.guild_settings.save(press.guild_id, settings)
    except Refusal as error:
        note = f"⚠️ {refusal(error, press.t)}"
    await _show(press, note)


async def _show(
    press: Press, note: str | None = None, *, refused: tuple[SeasonSetting, UnfitRole] | None = None
) -> None:
    settings = await _settings_of(press)
    rewards = settings.rewards
    unfit: dict[int, UnfitRole] = {}
    if rewards:
        try:
            chosen = [role_id for role_id in (rewards.winner, rewards.podium) if role_id is not None]
            unfit = await unfit_roles(press.interaction.client, press.guild_id, chosen)
        except NETWORK as error:
            log.info("Could not find out whether roles can be given (%s)", type(error).__name__)
    choice = SeasonChoice(settings.season, rewards, tuple(unfit.items()), refused, note)
    await press.reply.update_private(season_settings_layout(choice, press.t))


async def _export(press: Press) -> None:
    """Send the results as a file: all of them, or the latest that fit into one."""
    press.host.throttle.exports.take_or_refuse(press.guild_id, RefusalCode.EXPORTED_JUST_NOW)
    # Answer at once: this may take long, and Discord may take no file after a deferral.
    await _show(press, "📄 " + press.t("I'm collecting the results. The file comes below."))
    rows = press.host.store.results
    ids, total = await rows.latest(press.guild_id, MOST_MATCHES)
    file = ResultsFile(MOST_BYTES)
    for chunk in (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE)):
        matches = [list(seats) for _, seats in groupby(await rows.of(chunk), attrgetter("result_id"))]
        if not all(file.add(total - file.matches, seats) for seats in matches):
            break
    text = export_text(file.matches, total, press.t)
    await press.reply.follow_up_with_file(export_layout(text, FILE_NAME), text, FILE_NAME, file.content())


HANDLERS: Final[Mapping[str, Handler]] = {
    SeasonSetting.OPEN: _open,
    SeasonSetting.SEASON: _choose_season,
    SeasonSetting.WINNER: _choose_winner,
    SeasonSetting.PODIUM: _choose_podium,
    SeasonSetting.PASSES_ON: _pass_on,
    SeasonSetting.EXPORT: _export,
}
