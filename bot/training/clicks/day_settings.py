"""The screen of whether, where and when a server gets the day's position, for those who may manage the server."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final, cast

from discord import Permissions

from bot.platform.kit.host import Host
from bot.platform.kit.screen import Press, private_locale
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.pages import SettingPage
from bot.platform.transport.permissions import MissingPermission, lacking, lacking_in
from bot.platform.transport.trouble import NETWORK
from bot.tables.live.manager import TableManager
from bot.training.ids.lesson import DaySetting
from bot.training.parts import TrainingParts
from bot.training.screens.day_settings import DAY, DayChoice, day_settings_layout, day_value
from bot.training.store.days import DayChannel

log = logging.getLogger(__name__)


async def _choose_channel(press: Press) -> None:
    if press.value not in _channels_of(press):  # Discord vouches for these: they are on this server
        raise Refusal(CommonRefusal.STALE)
    await _change(press, channel_id=int(press.value))


def _channels_of(press: Press) -> Mapping[str, Any]:
    """The chosen channels by their ids, as Discord describes them."""
    data = cast("dict[str, Any]", press.interaction.data or {})
    return data.get("resolved", {}).get("channels", {})


async def _choose_hour(press: Press) -> None:
    if press.value not in map(str, range(24)):
        raise Refusal(CommonRefusal.STALE)
    await _change(press, hour=int(press.value))


async def _change(press: Press, *, channel_id: int | None = None, hour: int | None = None) -> None:
    note: str | None = None
    try:
        await press.host.of(TrainingParts).day_boards.choose(
            press.guild_id, private_locale(press.interaction), channel_id=channel_id, hour=hour
        )
    except Refusal as error:
        note = error.reason(press.t)
    await _show_settings(press, note)


async def _post_now(press: Press) -> None:
    posted = await press.host.of(TrainingParts).day_boards.post_now(press.guild_id)
    await _show_settings(press, None if posted else press.t("It couldn't be posted there right now."))


async def _turn_off(press: Press) -> None:
    note: str | None = None
    try:
        await press.host.of(TrainingParts).day_boards.turn_off(press.guild_id)
    except Refusal as error:
        note = error.reason(press.t)
    await _show_settings(press, note)


async def _show_settings(press: Press, note: str | None = None) -> None:
    """Show the screen as it stands, and what the bot may not do in the channel."""
    boards = press.host.of(TrainingParts).day_boards
    row = boards.row_of(press.guild_id)
    missing: list[MissingPermission] = []
    if row is not None and row.stopped is None:
        chosen = _channels_of(press).get(str(row.channel_id), {})
        try:
            if "app_permissions" in chosen:
                missing = lacking(Permissions(int(chosen["app_permissions"])))
            else:
                missing = await lacking_in(press.interaction.client, row.guild_id, row.channel_id)
        except NETWORK as error:
            log.info("Could not find out what is allowed in a channel (%s)", type(error).__name__)
    midnight = datetime.combine(press.host.of(TableManager).now().date(), time(), UTC) + timedelta(days=1)
    choice = DayChoice(
        row=row,
        next_at=None if row is None or row.stopped is not None else boards.next_at(row),
        changes_at=midnight,
        zone=press.host.of(GuildSettingsCache).cached(press.guild_id, LanguageSettings).zone,
        posted=row is not None and boards.posted_today(row),
        lacking=missing,
        note=note,
    )
    await press.reply.update_private(day_settings_layout(choice, press.t))


async def _row(host: Host, guild_id: int) -> DayChannel | None:
    return host.of(TrainingParts).day_boards.row_of(guild_id)


PAGE: Final = SettingPage(
    choice=DAY,
    show=_show_settings,
    read=_row,
    value=day_value,
    handlers={
        DaySetting.CHANNEL: _choose_channel,
        DaySetting.HOUR: _choose_hour,
        DaySetting.NOW: _post_now,
        DaySetting.OFF: _turn_off,
    },
)
