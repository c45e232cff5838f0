"""The lists of a server's settings and of a person's preferences, put together from the subjects' pages, in order."""

from typing import Final

from bot.club.clicks import settings as club
from bot.platform.settings import languages, zones
from bot.platform.settings.pages import OwnPages, ServerPages
from bot.privacy.screens.privacy import privacy_row
from bot.server.clicks import results
from bot.server.screens.headings import own_heading, settings_heading
from bot.tables.clicks import own_rules
from bot.tables.clicks import preferences as own_tables
from bot.tables.clicks import settings as tables
from bot.training.clicks import day_settings
from bot.training.clicks import preferences as own_training

SERVER_PAGES: Final = ServerPages(
    settings_heading,
    (
        languages.PAGE,
        *tables.TABLE_PAGES,
        *club.PAGES,
        day_settings.PAGE,
        zones.PAGE,
        own_rules.PAGE,
        results.PAGE,
    ),
    above=tables.GAME_PAGES,
)
OWN_PAGES: Final = OwnPages(
    own_heading,
    (
        own_tables.TURN_NOTICE_PAGE,
        own_tables.SLOW_NOTICE_PAGE,
        own_training.PAGE,
        own_tables.HOUR_PAGE,
        own_tables.QUIET_PAGE,
        own_tables.ZONE_PAGE,
        languages.OWN_PAGE,
        *own_tables.SHOWN_PAGES,
        own_tables.HOLIDAYS_PAGE,
    ),
    privacy_row,
)
