"""The pages of a server's settings about tables, for those who may manage the server."""

from typing import Final

from bot.club.rules.seasons import number_of
from bot.club.store.rule_sets import RuleSets
from bot.platform.kit.host import Host
from bot.platform.kit.screen import Press
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.pages import ServerPages, SettingPage
from bot.platform.settings.roles import MENTIONED, role_page
from bot.tables.live.own_rules import config_of, saved_rules
from bot.tables.screens.settings import (
    COMPUTER,
    DECK,
    HINTS,
    PICTURES,
    PLAYERS,
    PRESET,
    RATED,
    REACTIONS,
    TALK,
    TARGET,
    TURN,
    Current,
    how,
    preset_layout,
    value,
)
from bot.tables.settings import ServerOptions, TableSettings


async def _choose_preset(press: Press) -> None:
    """Keep the rule system, or the server's own rules, that new games begin with."""
    await ServerPages.keep(press, PRESET, _set_preset(press), _show_preset)


async def _set_preset(press: Press) -> None:
    if (number := number_of(press.value)) is None:
        await ServerPages.change(press, TableSettings, preset=PRESET.read(press.value), rule_set=None)
    else:
        config = config_of(await saved_rules(press.host.of(RuleSets), press.guild_id), press.value)
        # the target is that of the set, until another is chosen
        await ServerPages.change(press, TableSettings, preset=config.preset, rule_set=number, target=None)


async def _show_preset(press: Press, note: Note | None = None) -> None:
    layout = preset_layout(await current(press.host, press.guild_id), press.t, note)
    await press.reply.update_private(layout)


async def current(host: Host, guild_id: int) -> Current:
    """The settings as they stand.

    Raises:
        StoreError: if they can't be read.
    """
    settings = await host.of(GuildSettingsCache).of(guild_id, TableSettings)
    return Current(settings, host.of(ServerOptions).usual.pace, await saved_rules(host.of(RuleSets), guild_id))


def _page(choice: Choice) -> SettingPage:
    return ServerPages.menu_page(choice, TableSettings, value=value, read=current, how=how)


GAME_PAGES: Final = (
    SettingPage(
        choice=PRESET,
        show=_show_preset,
        kind=TableSettings,
        read=current,
        value=value,
        handlers={PRESET.field: _choose_preset},
    ),
    *map(_page, (TARGET, TURN, COMPUTER, RATED)),
)
"""The pages of what new tables start with."""
TABLE_PAGES: Final = (
    *map(_page, (DECK, PICTURES, HINTS, TALK, REACTIONS)),
    role_page(PLAYERS, TableSettings, MENTIONED),
)
"""The pages of how tables are shown and run."""
