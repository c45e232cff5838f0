"""Limits on the people pinged by a message about a table."""

from __future__ import annotations

from collections.abc import Iterable

from discord import AllowedMentions, Object

from bot.tables.view import TableView


def person_at_turn(view: TableView) -> int | None:
    """Find the person whose turn it is, if any; None if a computer plays."""
    turn = None if view.match is None else view.match.turn
    return None if turn is None or not view.seats[turn].human_here else view.seats[turn].person_id


def only_role(role_id: int) -> AllowedMentions:
    """Allow pinging everybody who has a role."""
    return AllowedMentions(everyone=False, users=False, replied_user=False, roles=[Object(role_id)])


def everybody_of(people: Iterable[int]) -> AllowedMentions:
    """Allow pinging these people, and nobody else. Ask `Tools.willing` instead of whoever hasn't asked for it: some
    have chosen never to be pinged."""
    return AllowedMentions(everyone=False, roles=False, replied_user=False, users=[Object(each) for each in people])
