"""Computer players are told from people by what precedes their names."""

from bot.players import PERSONAS, Character
from bot.tables.live.view import holder_name
from bot.tables.log.seats import Seat


def test_a_robot_or_a_characters_face_precedes_a_computers_name():
    assert holder_name(Seat("Lola")) == "🤖 Lola"
    who = next(iter(Character))
    assert holder_name(Seat("Lola", character=who)) == f"{PERSONAS[who].face} Lola"
    assert holder_name(Seat("Lola", 1)) == "Lola"
