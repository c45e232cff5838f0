"""Computers' fixed ratings are those that the document derives from the shares of matches they win."""

from __future__ import annotations

import re
from math import log, sqrt
from pathlib import Path

import pytest

from bot.club.rating import Rating
from bot.engine.rules import PRESETS, Seating
from bot.players import Level
from bot.players.strength import rating_of

TEXT = (Path(__file__).parents[2] / "docs/PLAYERS.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\w+), (\w+) \| (\d+) % \| ([\d,]+) \| (\d+) % \| ([\d,]+) \|$", TEXT, re.MULTILINE)
A_POINT_OF_MU = Rating(26.0).shown - Rating(25.0).shown
BETA = 25 / 6
"""How much a person's play varies from match to match, according to the model."""


def derived(share: str, seating: Seating) -> int:
    """The rating of a player who wins this share of matches, in percent, against a rating of 1,000."""
    partners = seating.seats // seating.sides
    p = max(float(share), 0.1) / 100
    apart = A_POINT_OF_MU * sqrt(2) * BETA * log(p / (1 - p)) / partners
    return max(200, round((1000 + apart) / 10) * 10)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_levels_rating_follows_from_the_matches_it_wins(row: tuple[str, ...]):
    preset, seating, hard, hard_rating, easy, easy_rating = row
    for level, share, said in ((Level.HARD, hard, hard_rating), (Level.EASY, easy, easy_rating)):
        assert rating_of(preset, level) == int(said.replace(",", ""))
        assert rating_of(preset, level) == derived(share, Seating(seating))


def test_every_rule_system_has_a_rating_for_each_level():
    assert [row[0] for row in ROWS] == list(PRESETS)
    for preset in PRESETS:
        easy, normal, hard = (rating_of(preset, level) for level in Level)
        assert easy < normal == Rating().shown < hard
