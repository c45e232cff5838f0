"""Blind players can play: a whole match in every preset from alt texts, texts and labels alone."""

import re
from itertools import combinations

import pytest

from bot.engine.rules import PRESETS, Capture
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.people import Person, alt_texts_of, text_of

RANKS = ("ace", "sota", "caballo", "rey")
SUITS = {"oros": "🪙", "copas": "🏆", "espadas": "🗡️", "bastos": "🪵"}
SPOKEN = re.compile(rf"(\d+|{'|'.join(RANKS)}) of ({'|'.join(SUITS)})(?: \((\d+)\))?")
NAMES = re.compile(r"(Your hand|On the table): ([^.]*)\.")
FIFTEEN = 15
Cards = dict[str, int]
"""The names of cards on buttons, with the cards' values."""


def heard(alt: str) -> dict[str, Cards]:
    """The hand and the table as a screen reader reads them out."""
    return {
        where: {
            (f"{rank} {SUITS[suit]} ({worth})" if worth else f"{_number(rank)}{SUITS[suit]}"): int(
                worth or _number(rank)
            )
            for rank, suit, worth in SPOKEN.findall(cards)
        }
        for where, cards in NAMES.findall(alt)
    }


def _number(rank: str) -> str:
    """The rank as shown on a button that gives no value in brackets."""
    return "1" if rank == "ace" else rank


class Blind:
    """Plays by what a screen reader says: the panel's text, its picture's alt text and its buttons' labels.

    It knows the preset's way of capturing: by sums of fifteen or by equal values.
    """

    def __init__(self, here: Room, person: Person, capture: Capture) -> None:
        self._here = here
        self._person = person
        self._fifteens = capture is Capture.FIFTEEN
        self.takings = 0

    @property
    def labels(self) -> list[str]:
        """The labels of the enabled buttons."""
        panel = self._person.panel(self._here.channel)
        return [button.label for button in self._person.buttons(panel) if not button.disabled]

    async def press(self, label: str) -> None:
        panel = self._person.panel(self._here.channel)
        await self._person.press(panel, label=f"^{re.escape(label)}$")

    async def play(self) -> None:
        """Play the match to its end."""
        for _ in range(600):
            labels = self.labels
            if "Rematch" in labels:
                return
            numbered = [label for label in labels if re.match("[①-⑳] ", label)]
            telling = [label for label in labels if " · " in label]
            if "Next round" in labels:
                await self.press("Next round")
            elif numbered:
                await self.press(numbered[-1])
            elif telling:
                takes = [label for label in telling if "to the table" not in label]
                self.takings += bool(takes)
                await self.press((takes or telling)[0])
            elif "Your turn" in text_of(self._person.panel(self._here.channel)):
                await self.find_and_take()
            else:
                await self._here.wait(0.1)
        raise AssertionError(f"the match doesn't end: {text_of(self._person.panel(self._here.channel))}")

    async def find_and_take(self) -> None:
        """For manual captures: find one by adding up the values read out, or lay a card if there is none."""
        [alt] = alt_texts_of(self._person.panel(self._here.channel))
        cards = heard(alt)
        hand, table = cards["Your hand"], cards.get("On the table", {})
        chosen = next(self.captures(hand, table), None)
        card, group = chosen or (next(iter(hand)), ())
        for each in group:
            await self.press(each)
        await self.press(card)
        if table and not group:
            await self.press("To the table")
        self.takings += bool(group)

    def captures(self, hand: Cards, table: Cards):
        """Cards in the hand, each with what it takes, smallest captures first."""
        for size in range(1, len(table) + 1):
            for group in combinations(table, size):
                total = sum(table[each] for each in group)
                for card, worth in hand.items():
                    if (worth + total == FIFTEEN) if self._fifteens else (worth == total):
                        yield card, group


@pytest.mark.parametrize("preset", thorough_but(sorted(PRESETS), "quince"))
async def test_a_match_can_be_played_by_ear_in_every_preset(room_of: RoomOf, preset: str):
    async with room_of(1, pictures=True, chance=Decks(preset)) as here:
        ana = here.people[0]
        await ana.slash(here.channel, "escoba play", variant=preset, target=5)
        computers = min(seating.seats for seating in PRESETS[preset].seatings) - 1
        for seat in range(1, computers + 1):
            await ana.press(here.channel, label="^Add a robot$")
            await here.choose_option(ana, "comp", "easy", seat=seat)
        await ana.press(here.channel, label="^Start$")
        blind = Blind(here, ana, PRESETS[preset].rules.capture)
        await blind.play()
        assert blind.takings > 3
        assert "won with" in alt_texts_of(here.shown)[0]
