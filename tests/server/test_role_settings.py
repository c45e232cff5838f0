"""The screens of roles and of the results: why a role is refused, and what the file holds."""

import pytest

from bot.club.screens.settings import PODIUM, WINNER
from bot.club.settings import ClubSettings
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.settings.choices import Choice
from bot.platform.settings.role_screen import role_layout, unfit_text
from bot.platform.transport.reward_roles import RoleFlaw, UnfitRole
from bot.server.screens.results import export_text, results_layout
from tests.server.test_settings import parts_of
from tests.support.layouts import LARGEST, every_language, troubles

ROLES = (WINNER, PODIUM)
EN = words("en")
WORST = UnfitRole(
    RoleFlaw.POWERFUL, ("administrator", "manage_guild", "mention_everyone", "view_creator_monetization_analytics")
)


@every_language
@pytest.mark.parametrize("which", ROLES, ids=lambda which: which.field)
def test_the_screens_fit(t: Words, which: Choice) -> None:
    for settings in (ClubSettings(), ClubSettings().changed(**{which.field: LARGEST})):
        assert troubles(role_layout(which, settings, t, (which.field, unfit_text(WORST, t)))) == []
    assert troubles(results_layout([], t, said="x" * 300)) == []


@pytest.mark.parametrize("which", ROLES, ids=lambda which: which.field)
def test_a_refused_role_is_explained_below_its_menu(which: Choice) -> None:
    parts = parts_of(role_layout(which, ClubSettings(), EN, (which.field, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == f"s:{which.field}"


@pytest.mark.spanish
def test_a_role_that_allows_too_much_is_refused_with_the_names_of_its_permissions() -> None:
    text = unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members", "use_time_machine")), EN)
    assert "**Kick Members**, **Use Time Machine**" in text
    assert "**Expulsar a miembros**" in unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members",)), words("es"))


def test_the_file_says_when_it_does_not_hold_everything() -> None:
    assert export_text(5, 5, EN) == "All 5 matches of this server."
    assert export_text(1, 1, EN) == "The one match of this server."
    assert "latest 5 matches of 9" in export_text(5, 9, EN)
    assert "/escoba play" in export_text(0, 0, EN)
