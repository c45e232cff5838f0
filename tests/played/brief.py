"""Decks with which a match to five points is over after one round if `Room.finish` plays it."""

from tests.support.escoba import Decks

TWO, THREE, PAIRS = Decks(7), Decks(6), Decks(7)
"""For two people, three, and two pairs."""
