"""Which roles may be rewards: only those that allow nothing important, and that the bot can give."""

import discord
import pytest

from bot.platform.transport.reward_roles import HARMLESS, RoleFacts, RoleFlaw, UnfitRole, judge

NOTHING = discord.Permissions.none()


@pytest.mark.parametrize("name", discord.Permissions.VALID_FLAGS)
def test_a_role_with_any_permission_that_is_not_known_to_be_harmless_is_refused(name: str) -> None:
    unfit = judge(RoleFacts(discord.Permissions(**{name: True})), bot_may=True)
    if getattr(HARMLESS, name):
        assert unfit is None
    else:
        assert unfit is not None
        assert unfit.flaw is RoleFlaw.POWERFUL


@pytest.mark.parametrize(
    "name",
    [
        *("administrator", "manage_guild", "manage_roles", "manage_channels", "manage_messages", "manage_threads"),
        *("manage_webhooks", "manage_nicknames", "manage_events", "manage_expressions", "kick_members", "ban_members"),
        *("moderate_members", "mute_members", "deafen_members", "move_members", "mention_everyone", "view_audit_log"),
        *("create_instant_invite", "priority_speaker", "view_guild_insights", "use_external_apps"),
    ],
)
def test_what_gives_power_is_not_harmless(name: str) -> None:
    assert not getattr(HARMLESS, name)


def test_a_refusal_names_what_is_too_much() -> None:
    role = RoleFacts(discord.Permissions(view_channel=True, kick_members=True, ban_members=True))
    assert judge(role, bot_may=True) == UnfitRole(RoleFlaw.POWERFUL, ("kick_members", "ban_members"))


def test_a_permission_that_this_bot_does_not_know_yet_is_refused() -> None:
    unfit = judge(RoleFacts(discord.Permissions(1 << 62)), bot_may=True)
    assert unfit is not None
    assert unfit.flaw is RoleFlaw.POWERFUL
    assert unfit.powers


@pytest.mark.parametrize(
    ("role", "bot_may", "flaw"),
    [
        (None, True, RoleFlaw.GONE),
        (RoleFacts(NOTHING, everyone=True), True, RoleFlaw.EVERYONE),
        (RoleFacts(NOTHING, managed=True), True, RoleFlaw.MANAGED),
        (RoleFacts(NOTHING), False, RoleFlaw.NOT_ALLOWED),
        (RoleFacts(NOTHING, choosers=False), True, RoleFlaw.NOT_YOURS),
        (RoleFacts(NOTHING, below_bot=False), True, RoleFlaw.TOO_HIGH),
    ],
)
def test_a_role_that_the_bot_cannot_give_is_refused_with_the_reason(
    role: RoleFacts | None, bot_may: bool, flaw: RoleFlaw
) -> None:
    assert judge(role, bot_may=bot_may) == UnfitRole(flaw)


def test_a_role_that_opens_hidden_channels_is_refused_with_their_names() -> None:
    role = RoleFacts(discord.Permissions(view_channel=True), opens=(7, 8))
    assert judge(role, bot_may=True) == UnfitRole(RoleFlaw.OPENING, channels=(7, 8))
