"""Whom a message about a table may ping."""

from __future__ import annotations

from discord import AllowedMentions, Object

from bot.tables.state import Phase
from bot.tables.view import TableView


def mentions(view: TableView) -> AllowedMentions:
    """Nobody but the player whose turn it is, and in a rematch's lobby those who are invited."""
    turn = None if view.match is None else view.match.turn
    person_id = None if turn is None or not view.seats[turn].human_here else view.seats[turn].person_id
    users = [] if person_id is None else [Object(person_id)]
    if view.phase is Phase.LOBBY:
        users = [Object(person.id) for person in view.missing]
    return AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)
