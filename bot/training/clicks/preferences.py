"""The page of a person's preferences about the daily puzzle."""

from typing import Final

from bot.platform.settings.pages import OwnPages
from bot.tables.clicks.preferences import digest_from
from bot.training.screens.preferences import DAY_NOTICE
from bot.training.settings import TrainingPreferences

PAGE: Final = OwnPages.menu_page(DAY_NOTICE, TrainingPreferences, along=digest_from)
