"""The page of a person's preferences about the daily puzzle."""

from __future__ import annotations

from typing import Final

from bot.platform.settings.pages import OwnPages
from bot.training.settings import TrainingPreferences
from bot.ui.tables.clicks.preferences import digest_from
from bot.ui.training.screens.preferences import DAY_NOTICE

PAGE: Final = OwnPages.menu_page(DAY_NOTICE, TrainingPreferences, along=digest_from)
