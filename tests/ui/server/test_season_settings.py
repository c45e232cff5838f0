"""The editor of a server's seasons and rewards: what it shows, and why a role is refused."""

from __future__ import annotations

import pytest

from bot.club.seasons import SeasonLength
from bot.tables.server.guild_settings import Rewards
from bot.ui.kit.ids.server import SeasonSetting
from bot.ui.server.screens.season_settings import SeasonChoice, export_text, season_settings_layout, unfit_text
from bot.ui.transport.reward_roles import RoleFlaw, UnfitRole
from bot.ui.words.texts import Words, words
from tests.ui.layouts import LARGEST, every_language, troubles, words_of
from tests.ui.server.test_settings import parts_of

EN = words("en")
WORST = UnfitRole(
    RoleFlaw.POWERFUL, ("administrator", "manage_guild", "mention_everyone", "view_creator_monetization_analytics")
)


def menus(choice: SeasonChoice) -> list[str]:
    parts = [part for part in parts_of(season_settings_layout(choice, EN)) if isinstance(part, dict)]
    return [part["custom_id"] for part in parts]


@every_language
@pytest.mark.parametrize("length", SeasonLength)
def test_the_editor_fits(t: Words, length: SeasonLength) -> None:
    rewards = Rewards(LARGEST, LARGEST - 1)
    unfit = ((LARGEST, WORST), (LARGEST - 1, WORST))
    choice = SeasonChoice(length, rewards, unfit, (SeasonSetting.WINNER, WORST), "x" * 300)
    assert troubles(season_settings_layout(choice, t)) == []
    assert troubles(season_settings_layout(SeasonChoice(length, Rewards()), t)) == []


def test_without_seasons_there_are_no_rewards_to_choose() -> None:
    choice = SeasonChoice(SeasonLength.NONE, Rewards(winner=7))
    assert menus(choice) == ["s:season", "s:export"]


def test_whether_a_role_passes_on_is_asked_once_one_is_chosen() -> None:
    assert "s:passes" not in menus(SeasonChoice(SeasonLength.MONTH, Rewards()))
    assert "s:passes" in menus(SeasonChoice(SeasonLength.MONTH, Rewards(podium=7)))


def test_a_refused_role_is_explained_below_its_menu() -> None:
    choice = SeasonChoice(SeasonLength.MONTH, Rewards(), refused=(SeasonSetting.PODIUM, UnfitRole(RoleFlaw.MANAGED)))
    parts = parts_of(season_settings_layout(choice, EN))
    cause = parts[parts.index(f"⚠️ {unfit_text(UnfitRole(RoleFlaw.MANAGED), EN)}") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == "s:podium"


def test_a_role_that_can_no_longer_be_given_is_shown_with_the_reason() -> None:
    choice = SeasonChoice(SeasonLength.MONTH, Rewards(winner=7), unfit=((7, UnfitRole(RoleFlaw.TOO_HIGH)),))
    assert unfit_text(UnfitRole(RoleFlaw.TOO_HIGH), EN) in words_of(season_settings_layout(choice, EN))


def test_a_role_that_allows_too_much_is_refused_with_the_names_of_its_permissions() -> None:
    text = unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members", "use_time_machine")), EN)
    assert "**Kick Members**, **Use Time Machine**" in text
    assert "**Expulsar a miembros**" in unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members",)), words("es"))


def test_the_file_says_when_it_does_not_hold_everything() -> None:
    assert export_text(5, 5, EN) == "All 5 matches of this server."
    assert export_text(1, 1, EN) == "The one match of this server."
    assert "latest 5 matches of 9" in export_text(5, 9, EN)
    assert "/escoba play" in export_text(0, 0, EN)
