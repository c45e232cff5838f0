"""Limits on the people whom a message pings."""

from __future__ import annotations

from collections.abc import Iterable

from discord import AllowedMentions, Object


def only_role(role_id: int) -> AllowedMentions:
    """Allow pinging everybody who has a role."""
    return AllowedMentions(everyone=False, users=False, replied_user=False, roles=[Object(role_id)])


def everybody_of(people: Iterable[int]) -> AllowedMentions:
    """Allow pinging these people, and nobody else. Ask `Tools.willing` instead of whoever hasn't asked for it: some
    have chosen never to be pinged."""
    return AllowedMentions(everyone=False, roles=False, replied_user=False, users=[Object(each) for each in people])
