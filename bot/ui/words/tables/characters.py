"""Remarks by the computer players' characters when a table has been swept.

The choice of words depends only on the game and the move: everybody reads the same, even after a restart, and it
reveals nothing about a hand. The Spanish should suit everybody from Cádiz to Montevideo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from zlib import crc32

from bot.engine.facts import CaptureClaimed, CardPlayed, Fact, OpeningTaken
from bot.players import PERSONAS, Character
from bot.tables.view import TableView
from bot.ui.words.texts import N_, Words

OWN: Final[Mapping[tuple[Character, int], str]] = {
    (Character.CURRO, 0): N_("Who dares, sweeps!"),
    (Character.CURRO, 1): N_("All of it! Why take half?"),
    (Character.CURRO, 2): N_("Now it gets interesting."),
    (Character.CURRO, 3): N_("Without blinking!"),
    (Character.BETO, 0): N_("And that is how you leave a table!"),
    (Character.BETO, 1): N_("Another broom, please: this one is worn out!"),
    (Character.BETO, 2): N_("They will talk about this one at the bar!"),
    (Character.BETO, 3): N_("My grandmother would be proud!"),
    (Character.BETO, 4): N_("It's not luck, it's practice. Well, a bit of luck too."),
    (Character.LUCIA, 0): N_("Oh! I took my time, and there it was."),
    (Character.LUCIA, 1): N_("Slowly, slowly… and it worked!"),
    (Character.LUCIA, 2): N_("Did I do that right?"),
    (Character.PIPO, 0): N_("It really adds up!"),
    (Character.PIPO, 1): N_("I counted on my fingers, and it came out!"),
    (Character.PIPO, 2): N_("Can I do that again?"),
    (Character.NICO, 0): N_("Look how clean that is!"),
    (Character.NICO, 1): N_("Finders, keepers!"),
    (Character.NICO, 2): N_("I'm saving these up."),
    (Character.TITO, 0): N_("I nearly missed it."),
    (Character.TITO, 1): N_("Even a tortoise gets there."),
    (Character.TITO, 2): N_("Was that me?"),
    (Character.INES, 0): N_("All in good time."),
    (Character.INES, 1): N_("I was waiting for that one."),
    (Character.INES, 2): N_("Clean as a kitchen on Sunday."),
    (Character.INES, 3): N_("No hurry, and no crumbs."),
    (Character.BRAULIO, 0): N_("Swept, and with interest."),
    (Character.BRAULIO, 1): N_("One more for the ledger."),
    (Character.BRAULIO, 2): N_("Little by little the chest fills up."),
    (Character.BRAULIO, 3): N_("A tidy sum."),
    (Character.CHELO, 0): N_("Stand back, it's hot in here!"),
    (Character.CHELO, 1): N_("I saw it and I took it."),
    (Character.CHELO, 2): N_("Leave some for later? What for?"),
    (Character.MARTIN, 0): N_("I read about this one."),
    (Character.MARTIN, 1): N_("Turn the page."),
    (Character.MARTIN, 2): N_("Chapter one: the broom."),
    (Character.ROSAURA, 0): N_("Applause, please!"),
    (Character.ROSAURA, 1): N_("One sweep, and a bow."),
    (Character.ROSAURA, 2): N_("That deserved music."),
    (Character.ANSELMO, 0): N_("Good harvest today."),
    (Character.ANSELMO, 1): N_("You reap what others sow."),
    (Character.ANSELMO, 2): N_("The field is clear."),
    (Character.NURIA, 0): N_("The sum works out."),
    (Character.NURIA, 1): N_("Every card in its place."),
    (Character.NURIA, 2): N_("Nothing left over."),
    (Character.NURIA, 3): N_("Counting helps."),
    (Character.DELFINA, 0): N_("Who, me?"),
    (Character.DELFINA, 1): N_("Quietly does it."),
    (Character.DELFINA, 2): N_("Nobody was looking."),
    (Character.DELFINA, 3): N_("Oh, was that everything?"),
    (Character.FERMIN, 0): N_("I never forget a card."),
    (Character.FERMIN, 1): N_("Three moves ago I was already here."),
    (Character.FERMIN, 2): N_("Patience takes every table."),
    (Character.MARGA, 0): N_("Too slow."),
    (Character.MARGA, 1): N_("Blink and it's gone."),
    (Character.MARGA, 2): N_("I had that one ready."),
    (Character.PURA, 0): N_("Thank you, you shouldn't have."),
    (Character.PURA, 1): N_("I only take what shines."),
    (Character.PURA, 2): N_("That goes straight into the safe."),
    (Character.RAMIRO, 0): N_("At a gallop!"),
    (Character.RAMIRO, 1): N_("The reins are mine now."),
    (Character.RAMIRO, 2): N_("From up here you see the whole table."),
}
"""Remarks that each may make about an escoba of their own."""
OTHERS: Final[Mapping[int, str]] = {
    0: N_("What an escoba! Hats off."),
    1: N_("That one hurt, but it was a beauty."),
    2: N_("I didn't see a thing."),
    3: N_("And there goes the table."),
}
"""Remarks that talkative characters may make about somebody else's escoba."""
_OF: Final = 12
"""The total of which a persona's `talks` and `comments` are parts."""


def swept_by(facts: Sequence[Fact]) -> int | None:
    """Find the seat that swept the table in these facts, if one did."""
    for fact in facts:
        match fact:
            case CardPlayed(seat, escoba=True) | CaptureClaimed(seat, escoba=True):
                return seat
            case OpeningTaken(seat, escobas=number) if number:
                return seat
            case _:
                pass
    return None


def remark(view: TableView, t: Words) -> str | None:
    """Choose what a computer says about the escoba just made; None if there was none, or if they keep quiet."""
    if not view.talk or view.match is None or (swept := swept_by(view.match.facts)) is None:
        return None
    lot = crc32(f"{view.id}/{view.match.round_number}/{view.version}".encode())
    times, which = lot % _OF, lot // _OF
    own = view.seats[swept].character
    if own is not None:
        lines = sum(character is own for character, _ in OWN)
        return _said(own, t(OWN[own, which % lines]), t) if times < PERSONAS[own].talks else None
    for seat in view.seats:
        if seat.character is not None and times < PERSONAS[seat.character].comments:
            return _said(seat.character, t(OTHERS[which % len(OTHERS)]), t)
    return None


def _said(character: Character, words: str, t: Words) -> str:
    return t("{face} “{words}”", face=PERSONAS[character].face, words=words)
