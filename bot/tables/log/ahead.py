"""A card that somebody has named ahead, while others play: it plays itself when their turn comes."""

from dataclasses import dataclass

from bot.engine.cards import EMPTY, Card, CardSet


@dataclass(frozen=True, slots=True)
class Ahead:
    """A card named ahead. As secret as the hand: nobody but its person ever sees it.

    Attributes:
        turn: the turn that it is for, as `turn_of` writes it.
        card: the card.
        captured: what it would take by then; it takes nothing else.
        untaken: whether it is played only if the other player takes nothing before.
    """

    turn: str
    card: Card
    captured: CardSet = EMPTY
    untaken: bool = False

    def as_values(self) -> dict[str, str | bool]:
        """The card for the file with its person's data."""
        return {"card": str(self.card), "takes": str(self.captured), "untaken": self.untaken}


def turn_of(round_number: int, deal: int, in_hand: int) -> str:
    """Name a player's next turn, which is over once they hold fewer cards."""
    return f"{round_number}.{deal}.{in_hand}"
