"""What servers and people may have chosen: each field is set, and each value of its menu occurs."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from pydantic import create_model

from bot.club.rules.seasons import SeasonLength
from bot.club.settings import ClubSettings
from bot.engine.rules import PRESETS
from bot.platform.settings.documents import Choices
from bot.platform.settings.language import LanguageSettings
from bot.process.setting_pages import OWN_PAGES
from bot.tables.settings import TableSettings
from bot.tournaments.settings import TournamentSettings
from tests.support.settings_pages import with_menus


class ServerChoices(TableSettings, ClubSettings, LanguageSettings, TournamentSettings):
    """All that a server can choose."""


OwnChoices: Final[Any] = create_model("OwnChoices", __base__=OWN_PAGES.kinds)
"""All that a person can choose."""


_SETTINGS: Final = ServerChoices(target=31, turn=0, computer=0.5, language="es", deck="french", rule_set=3).changed(
    **dict.fromkeys(("hints", "pictures", "talk", "reactions", "passes_on", "rated"), False),
    **dict.fromkeys(("winner_role", "podium_role", "players_role"), 2**63 - 1),
    all_organise=True,
    zone="America/Argentina/Buenos_Aires",
)
CHOICES: Final[Mapping[str, Sequence[Choices]]] = {
    "guild_settings": [
        *(_SETTINGS.changed(season=length) for length in SeasonLength),
        *(_SETTINGS.changed(preset=preset) for preset in PRESETS),
    ],
    "preferences": [
        *(
            OwnChoices().changed(**{each.field: value})
            for each in (page.choice for page in with_menus(OWN_PAGES))
            for value in each.options
            if value != getattr(OwnChoices(), each.field)
        ),
        OwnChoices(holidays=((date(2026, 8, 3), date(2026, 8, 10)),)),
        OwnChoices(digest_hour=7, digest_zone="Europe/Madrid", digest_locale="es", digest_refused=True),
        OwnChoices(digest_hour=8, digest_channel="614807913302851594", zone="Europe/Lisbon"),
        OwnChoices(express_on=("614807913302851594",)),
    ],
}
