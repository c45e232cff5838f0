"""The themes of decisions, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.platform.language.texts import N_, NC_
from bot.training.rules.themes import Theme

THEMES: Final[Mapping[Theme, str]] = {
    Theme.ESCOBA: N_("making escobas"),
    Theme.LEFT_OPEN: N_("leaving no escoba open"),
    Theme.SEVENS: NC_("theme", "sevens"),
    Theme.OROS: NC_("theme", "oros"),
    Theme.CARDS: N_("number of cards"),
    Theme.CANTOS: NC_("theme", "singing"),
    Theme.COUNTING: N_("counting the rest"),
}
"""The names of themes in a list."""
CLUES: Final[Mapping[Theme, str]] = {
    Theme.ESCOBA: N_("Look for your own escoba, now or next time."),
    Theme.LEFT_OPEN: N_("Think of the escobas that the others could make after it."),
    Theme.SEVENS: N_("Think of the sevens."),
    Theme.OROS: N_("Think of the oros."),
    Theme.CARDS: N_("Think of how many cards you take, and of who takes last."),
    Theme.CANTOS: N_("Look at what your three cards are before you play one."),
    Theme.COUNTING: N_("You can know every card that is left: play the round out in your head."),
}
"""Clues to what to think of, without giving a move away."""
