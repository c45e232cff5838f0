"""The pages of a server's settings about its seasons, for those who may manage the server."""

from typing import Final

from bot.club.screens.settings import PASSES_ON, PODIUM, SEASON, WINNER, passes_on_value, role_value
from bot.club.settings import ClubSettings
from bot.platform.settings.pages import ServerPages
from bot.platform.settings.roles import REWARD, role_page

PAGES: Final = (
    ServerPages.menu_page(SEASON, ClubSettings),
    role_page(WINNER, ClubSettings, REWARD, role_value),
    role_page(PODIUM, ClubSettings, REWARD, role_value),
    ServerPages.menu_page(PASSES_ON, ClubSettings, value=passes_on_value),
)
