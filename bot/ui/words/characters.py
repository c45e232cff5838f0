"""What the computer players' characters say when a table has been swept.

The choice of words depends only on the game and the move: everybody reads the same, also after a restart, and it
reveals nothing of a hand. The Spanish should suit everybody from Cádiz to Montevideo.
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
    (Character.INES, 0): N_("All in good time."),
    (Character.INES, 1): N_("I was waiting for that one."),
    (Character.INES, 2): N_("Clean as a kitchen on Sunday."),
    (Character.INES, 3): N_("No hurry, and no crumbs."),
    (Character.CURRO, 0): N_("Who dares, sweeps!"),
    (Character.CURRO, 1): N_("All of it! Why take half?"),
    (Character.CURRO, 2): N_("Now it gets interesting."),
    (Character.CURRO, 3): N_("Without blinking!"),
    (Character.NURIA, 0): N_("The sum works out."),
    (Character.NURIA, 1): N_("Every card in its place."),
    (Character.NURIA, 2): N_("Nothing left over."),
    (Character.NURIA, 3): N_("Counting helps."),
    (Character.BRAULIO, 0): N_("Swept, and with interest."),
    (Character.BRAULIO, 1): N_("One more for the ledger."),
    (Character.BRAULIO, 2): N_("Little by little the chest fills up."),
    (Character.BRAULIO, 3): N_("A tidy sum."),
    (Character.BETO, 0): N_("And that is how you leave a table!"),
    (Character.BETO, 1): N_("Another broom, please: this one is worn out!"),
    (Character.BETO, 2): N_("They will talk about this one at the bar!"),
    (Character.BETO, 3): N_("My grandmother would be proud!"),
    (Character.BETO, 4): N_("It's not luck, it's practice. Well, a bit of luck too."),
    (Character.DELFINA, 0): N_("Who, me?"),
    (Character.DELFINA, 1): N_("Quietly does it."),
    (Character.DELFINA, 2): N_("Nobody was looking."),
    (Character.DELFINA, 3): N_("Oh, was that everything?"),
}
"""What each may say about an escoba of their own."""
OTHERS: Final[Mapping[int, str]] = {
    0: N_("What an escoba! Hats off."),
    1: N_("That one hurt, but it was a beauty."),
    2: N_("I didn't see a thing."),
    3: N_("And there goes the table."),
}
"""What talkative characters may say about somebody else's escoba."""
_OF: Final = 12
"""A persona says how many times out of twelve it talks."""


def swept_by(facts: Sequence[Fact]) -> int | None:
    """The seat that swept the table in these facts, if one did."""
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
    """What a computer says about the escoba just made; None if there was none, or if they keep quiet."""
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
