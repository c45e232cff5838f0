"""Computers' fixed ratings follow from the shares of matches they win."""

import pytest

from bot.club.rules.rating import Rating
from bot.engine.rules import PRESETS
from bot.players import Level
from bot.players.characters import NORMAL, POINT_OF_SKILL, rating_of

EASY_AND_HARD = {
    "escoba": (220, 1190),
    "juegon": (220, 1190),
    "quince": (200, 1190),
    "clasica": (200, 1470),
    "cientifica": (200, 1300),
    "chorizo": (410, 1130),
}


@pytest.mark.parametrize("preset", EASY_AND_HARD)
def test_a_levels_rating_follows_from_the_matches_it_wins(preset: str):
    assert (rating_of(preset, Level.EASY), rating_of(preset, Level.HARD)) == EASY_AND_HARD[preset]


def test_the_scale_is_that_of_peoples_ratings():
    assert Rating().shown == NORMAL
    assert Rating(26.0).shown - Rating(25.0).shown == POINT_OF_SKILL


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_system_has_a_rating_for_each_level(preset: str):
    easy, normal, hard = (rating_of(preset, level) for level in Level)
    assert easy < normal == NORMAL < hard
