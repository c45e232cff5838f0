"""Remarks by the computer players' characters about an escoba, or about a move that shows their habit.

The choice of words depends only on the game and its moves: everybody reads the same, even after a restart, and it
reveals nothing about a hand. The Spanish should suit everybody from Cádiz to Montevideo.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from zlib import crc32

from bot.engine.facts import CaptureClaimed, CardPlayed, Fact, OpeningTaken
from bot.platform.language.texts import N_, Words
from bot.players import PERSONAS, Character
from bot.players.characters import Occasion
from bot.tables.live.view import TableView

OWN: Final[Mapping[Character, tuple[str, ...]]] = {
    Character.CURRO: (
        N_("Who dares, sweeps!"),
        N_("All of it! Why take half?"),
        N_("Now it gets interesting."),
        N_("Without blinking!"),
    ),
    Character.BETO: (
        N_("And that is how you leave a table!"),
        N_("Another broom, please: this one is worn out!"),
        N_("They will talk about this one at the bar!"),
        N_("My grandmother would be proud!"),
        N_("It's not luck, it's practice. Well, a bit of luck too."),
    ),
    Character.LUCIA: (
        N_("Oh! I took my time, and there it was."),
        N_("Slowly, slowly… and it worked!"),
        N_("Did I do that right?"),
    ),
    Character.PIPO: (
        N_("It really adds up!"),
        N_("I counted on my fingers, and it came out!"),
        N_("Can I do that again?"),
    ),
    Character.NICO: (
        N_("Look how clean that is!"),
        N_("Finders, keepers!"),
        N_("I'm saving these up."),
    ),
    Character.TITO: (
        N_("I nearly missed it."),
        N_("Even a tortoise gets there."),
        N_("Was that me?"),
    ),
    Character.INES: (
        N_("All in good time."),
        N_("I was waiting for that one."),
        N_("Clean as a kitchen on Sunday."),
        N_("No hurry, and no crumbs."),
    ),
    Character.BRAULIO: (
        N_("Swept, and with interest."),
        N_("One more for the ledger."),
        N_("Little by little the chest fills up."),
        N_("A tidy sum."),
    ),
    Character.CHELO: (
        N_("Stand back, it's hot in here!"),
        N_("I saw it and I took it."),
        N_("Leave some for later? What for?"),
    ),
    Character.MARTIN: (
        N_("I read about this one."),
        N_("Turn the page."),
        N_("Chapter one: the broom."),
    ),
    Character.ROSAURA: (
        N_("Applause, please!"),
        N_("One sweep, and a bow."),
        N_("That deserved music."),
    ),
    Character.ANSELMO: (
        N_("Good harvest today."),
        N_("You reap what others sow."),
        N_("The field is clear."),
    ),
    Character.NURIA: (
        N_("The sum works out."),
        N_("Every card in its place."),
        N_("Nothing left over."),
        N_("Counting helps."),
    ),
    Character.DELFINA: (
        N_("Who, me?"),
        N_("Quietly does it."),
        N_("Nobody was looking."),
        N_("Oh, was that everything?"),
    ),
    Character.FERMIN: (
        N_("I never forget a card."),
        N_("Three moves ago I was already here."),
        N_("Patience takes every table."),
    ),
    Character.MARGA: (
        N_("Too slow."),
        N_("Blink and it's gone."),
        N_("I had that one ready."),
    ),
    Character.PURA: (
        N_("Thank you, you shouldn't have."),
        N_("I only take what shines."),
        N_("That goes straight into the safe."),
    ),
    Character.RAMIRO: (
        N_("At a gallop!"),
        N_("The reins are mine now."),
        N_("From up here you see the whole table."),
    ),
}
"""Remarks that each may make about an escoba of their own."""
HABITS: Final[Mapping[Character, tuple[str, ...]]] = {
    Character.CURRO: (
        N_("Double or nothing."),
        N_("There is its twin. Now what?"),
        N_("Two alike. Who dares?"),
    ),
    Character.BETO: (
        N_("The gentry before the rest."),
        N_("I like to open with somebody important."),
        N_("Figures first, my uncle used to say. He lost a lot."),
    ),
    Character.LUCIA: (
        N_("Just the one, thank you."),
        N_("Little by little."),
        N_("One now, and the others can wait."),
    ),
    Character.PIPO: (
        N_("A seven. My favourite."),
        N_("Sevens first, that's what I learned."),
        N_("Come along, little seven."),
    ),
    Character.NICO: (
        N_("Gold, how nice."),
        N_("A shiny one for my collection."),
        N_("The oros come with me."),
    ),
    Character.TITO: (
        N_("A small one to begin with."),
        N_("Low and slow."),
        N_("I don't start with the heavy ones."),
    ),
    Character.INES: (
        N_("One is plenty."),
        N_("I don't need more than that."),
        N_("The rest will keep."),
    ),
    Character.BRAULIO: (
        N_("Gold in the bank."),
        N_("Oros keep their value."),
        N_("Straight into the vault."),
    ),
    Character.CHELO: (
        N_("One is never enough."),
        N_("I like them in twos."),
        N_("More fuel for the fire."),
    ),
    Character.MARTIN: (
        N_("Sevens are the best chapter."),
        N_("Every book says so: take the sevens."),
        N_("I underline the sevens."),
    ),
    Character.ROSAURA: (
        N_("Enter the stars."),
        N_("Figures like the spotlight."),
        N_("A grand entrance."),
    ),
    Character.ANSELMO: (
        N_("First the seed."),
        N_("I sow the small ones early."),
        N_("Great oaks from little acorns."),
    ),
    Character.NURIA: (
        N_("A seven. I was counting on it."),
        N_("Sevens don't get past me."),
        N_("I keep an eye on the sevens."),
    ),
    Character.DELFINA: (
        N_("Just a little one."),
        N_("Nothing to see down here."),
        N_("I start small. So they say."),
    ),
    Character.FERMIN: (
        N_("One card. I won't forget it."),
        N_("The others aren't going anywhere."),
        N_("Small steps, long memory."),
    ),
    Character.MARGA: (
        N_("Two alike. Quick, choose."),
        N_("Double, and on we go."),
        N_("A twin for that one."),
    ),
    Character.PURA: (
        N_("Oros suit me."),
        N_("Gold goes with everything I wear."),
        N_("One can never have enough gold."),
    ),
    Character.RAMIRO: (
        N_("Figures to the front."),
        N_("I never begin at a walk."),
        N_("The cavalry goes ahead."),
    ),
}
"""Remarks that each may make about a move that shows their habit: a card laid beside its twin, a deal begun with a
figure or with a low card, a capture of a single card, a seven taken, oros taken."""
OTHERS: Final[Mapping[int, str]] = {
    0: N_("What an escoba! Hats off."),
    1: N_("That one hurt, but it was a beauty."),
    2: N_("I didn't see a thing."),
    3: N_("And there goes the table."),
}
"""Remarks that talkative characters may make about somebody else's escoba."""


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
    """Choose what a character says about the latest move; None if they keep quiet.

    None of their lines for an occasion comes again in a match before all of them have been used.
    """
    said = view.remark
    if said is None or (character := view.seats[said.seat].character) is None:
        return None
    match said.occasion:
        case Occasion.ESCOBA:
            lines = [t(line) for line in OWN.get(character, ())]
        case Occasion.HABIT:
            lines = [t(line) for line in HABITS.get(character, ())]
        case Occasion.OTHERS:
            lines = [t(line) for line in OTHERS.values()]
    first = crc32(f"{view.id}/{said.occasion}".encode())
    words = lines[(first + said.number) % len(lines)]
    return t("{face} “{words}”", face=PERSONAS[character].face, words=words)
