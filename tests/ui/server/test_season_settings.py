"""The editor of a server's seasons and rewards: what it shows, and why a role is refused."""

from __future__ import annotations

import pytest

from bot.club.seasons import SeasonLength
from bot.tables.server.guild_settings import GuildSettings
from bot.ui.server.screens.season_settings import PODIUM, WINNER, export_text, season_settings_layout, unfit_text
from bot.ui.transport.reward_roles import RoleFlaw, UnfitRole
from bot.ui.words.texts import Words, words
from tests.support.layouts import LARGEST, every_language, troubles, words_of
from tests.ui.server.test_settings import parts_of

EN = words("en")
WORST = UnfitRole(
    RoleFlaw.POWERFUL, ("administrator", "manage_guild", "mention_everyone", "view_creator_monetization_analytics")
)


def menus(settings: GuildSettings) -> list[str]:
    parts = [part for part in parts_of(season_settings_layout(settings, EN)) if isinstance(part, dict)]
    return [part["custom_id"] for part in parts]


@every_language
@pytest.mark.parametrize("length", SeasonLength)
def test_the_editor_fits(t: Words, length: SeasonLength) -> None:
    settings = GuildSettings(season=length, winner_role=LARGEST, podium_role=LARGEST - 1)
    note = (WINNER, unfit_text(WORST, t))
    unfit = {LARGEST: WORST, LARGEST - 1: WORST}
    assert troubles(season_settings_layout(settings, t, unfit=unfit, note=note, said="x" * 300)) == []
    assert troubles(season_settings_layout(GuildSettings(season=length), t)) == []


def test_without_seasons_there_are_no_rewards_to_choose() -> None:
    assert menus(GuildSettings(season=SeasonLength.NONE, winner_role=7)) == ["s:season", "s:export"]


def test_whether_a_role_passes_on_is_asked_once_one_is_chosen() -> None:
    assert "s:passes_on" not in menus(GuildSettings())
    assert "s:passes_on" in menus(GuildSettings(podium_role=7))


def test_a_refused_role_is_explained_below_its_menu() -> None:
    parts = parts_of(season_settings_layout(GuildSettings(), EN, note=(PODIUM, "No.")))
    cause = parts[parts.index("⚠️ No.") - 1]
    assert isinstance(cause, dict)
    assert cause["custom_id"] == "s:podium_role"


def test_a_role_that_can_no_longer_be_given_is_shown_with_the_reason() -> None:
    unfit = UnfitRole(RoleFlaw.TOO_HIGH)
    layout = season_settings_layout(GuildSettings(winner_role=7), EN, unfit={7: unfit})
    assert unfit_text(unfit, EN) in words_of(layout)


def test_a_role_that_allows_too_much_is_refused_with_the_names_of_its_permissions() -> None:
    text = unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members", "use_time_machine")), EN)
    assert "**Kick Members**, **Use Time Machine**" in text
    assert "**Expulsar a miembros**" in unfit_text(UnfitRole(RoleFlaw.POWERFUL, ("kick_members",)), words("es"))


def test_the_file_says_when_it_does_not_hold_everything() -> None:
    assert export_text(5, 5, EN) == "All 5 matches of this server."
    assert export_text(1, 1, EN) == "The one match of this server."
    assert "latest 5 matches of 9" in export_text(5, 9, EN)
    assert "/escoba play" in export_text(0, 0, EN)
