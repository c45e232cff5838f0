"""The proof of how a match was dealt, from which anybody can check its decks: see `docs/FAIRNESS.md`.

It holds the links that were opened, and no secret.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards import Card
from bot.engine.deals import LINKS, commitment_of, dealer, deck, from_text, leads_to, link_of, to_text
from bot.engine.errors import NotationError
from bot.engine.rules import Seating


class DealFault(StrEnum):
    """A fault that a check of a round can find. The value is what a command says about it."""

    UNOPENED = "its link hasn't been opened, so nothing can be said about its deck"
    LINK = "its link doesn't lead to the commitment"
    DECK = "its deck isn't the one that its link and the message's id give"
    DEALER = "the first dealer isn't the one that its link and the message's id give"


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault in a round."""

    round: int
    fault: DealFault

    def __str__(self) -> str:
        return f"round {self.round}: {self.fault.value}"


@dataclass(frozen=True, slots=True)
class Proof:
    """The evidence of how a match was dealt.

    Attributes:
        commitment: what the table's message showed before anything was dealt.
        message_id: the id that Discord gave this message.
        seating: how the players sat.
        links: the links opened so far, from round 1 on.
        posted: how often the table was posted before its first deal; the last of these messages counts.
        draws_dealer: whether the first dealer was drawn, too. In a tournament the pairing decides that.
    """

    commitment: str
    message_id: int
    seating: Seating
    links: tuple[str, ...] = ()
    posted: int = 1
    draws_dealer: bool = True

    def deck(self, round_number: int) -> tuple[Card, ...]:
        """The deck that a round must have had.

        Raises:
            NotationError: if the text of its link can't be read.
            IndexError: if its link hasn't been opened.
        """
        return deck(from_text(self.links[round_number - 1]), self.message_id, round_number, self.seating)

    def flaws(self, decks: Sequence[Sequence[Card]], first_dealer: int) -> list[Flaw]:
        """Find what is wrong with a match; nothing if its links and its message's id give these decks and this dealer.

        Args:
            decks: the decks of the rounds that are over, from the first on.
            first_dealer: the seat that dealt the first round.
        """
        return [Flaw(n, fault) for n, dealt in enumerate(decks, 1) for fault in self._faults(n, dealt, first_dealer)]

    def _faults(self, number: int, dealt: Sequence[Card], first_dealer: int) -> Iterator[DealFault]:
        if number > len(self.links):
            yield DealFault.UNOPENED
            return
        try:
            link, commitment = from_text(self.links[number - 1]), from_text(self.commitment)
        except NotationError:
            yield DealFault.LINK
            return
        if not leads_to(link, number, commitment):
            yield DealFault.LINK
        if tuple(dealt) != deck(link, self.message_id, number, self.seating):
            yield DealFault.DECK
        if number == 1 and self.draws_dealer and first_dealer != dealer(link, self.message_id, self.seating):
            yield DealFault.DEALER


def prove(
    seed: bytes,
    message_id: int,
    seating: Seating,
    rounds: int,
    *,
    commitment: str | None = None,
    posted: int = 1,
    draws_dealer: bool = True,
) -> Proof:
    """The proof of a match whose first `rounds` rounds are over: it opens their links, and no others.

    `commitment` is what was shown; by default, the seed's own. If it is another one, no link leads to it.
    """
    links = tuple(to_text(link_of(seed, number)) for number in range(1, min(rounds, LINKS) + 1))
    shown = to_text(commitment_of(seed)) if commitment is None else commitment
    return Proof(shown, message_id, seating, links, posted, draws_dealer)
