"""Decks drawn from a sealed chain and a message's id: all equally likely, and each of them can be checked.

Sources for the figures: the quantiles of the chi-square distribution, at one in ten thousand.
"""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations
from random import Random

import pytest

from bot.engine import deals
from bot.engine.cards import DECK, FULL, Card, CardSet
from bot.engine.deals import LINKS
from bot.engine.errors import NotationError
from bot.engine.proofs import DealFault, Flaw, Proof, prove
from bot.engine.rules import Seating

SEED = bytes(range(32))
MESSAGE = 1_442_000_000_000_000_001


def decks(count: int) -> list[tuple[int, ...]]:
    """Decks as the indexes of their cards, each by a link of its own."""
    rng = Random(22)
    return [
        tuple(card.index for card in deals.deck(rng.randbytes(32), MESSAGE + n, 1, Seating.TWO)) for n in range(count)
    ]


# ------------------------------------------------------------------------------------------ the chain


def test_a_rounds_link_hashed_as_often_as_its_number_is_the_commitment() -> None:
    commitment = deals.commitment_of(SEED)
    for number in (1, 2, 17, LINKS):
        value = deals.link_of(SEED, number)
        for _ in range(number):
            value = hashlib.sha256(b"escoba link" + value).digest()
        assert value == commitment


def test_a_link_opens_those_before_it_and_none_after_it() -> None:
    links = [deals.link_of(SEED, number) for number in range(1, 8)]
    opened = links[4]
    for number in range(5, 0, -1):
        assert opened == links[number - 1]
        opened = hashlib.sha256(b"escoba link" + opened).digest()
    assert not set(links[5:]) & {hashlib.sha256(each).digest() for each in links[:5]}
    assert links[5] != links[4]


def test_the_last_link_is_the_seed_and_there_is_none_after_it() -> None:
    assert deals.link_of(SEED, LINKS) == SEED
    for number in (0, LINKS + 1):
        with pytest.raises(ValueError, match="links for rounds"):
            deals.link_of(SEED, number)
        assert not deals.leads_to(SEED, number, deals.commitment_of(SEED))


def test_a_link_leads_to_the_commitment_from_its_own_round_only() -> None:
    commitment, link = deals.commitment_of(SEED), deals.link_of(SEED, 3)
    assert [deals.leads_to(link, number, commitment) for number in range(1, 6)] == [False, False, True, False, False]
    assert not deals.leads_to(deals.link_of(bytes(32), 3), 3, commitment)


def test_links_survive_being_text_and_no_other_text_is_a_link() -> None:
    text = deals.to_text(SEED)
    assert deals.from_text(text) == SEED
    assert len(text) == 43
    for wrong in ("", text[:-1], text + "A", text + "=", "é" * 43, " " + text[1:], text[:-1] + "9", "*" + text):
        with pytest.raises(NotationError):
            deals.from_text(wrong)


# ------------------------------------------------------------------------------------------ decks and dealers


def test_the_deck_is_the_one_that_the_document_describes() -> None:
    """The scheme is written a second time here, from docs/FAIRNESS.md and without the module's help."""
    link = deals.link_of(SEED, 2)
    stream = b"".join(hmac.digest(link, f"deck|{MESSAGE}|2|2x2|{block}".encode(), "sha256") for block in range(9))
    cards, place = [f"{rank}{suit}" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12) for suit in "oceb"], 0
    for count in range(40, 1, -1):
        while stream[place] >= 256 // count * count:
            place += 1
        chosen = stream[place] % count
        place += 1
        cards[count - 1], cards[chosen] = cards[chosen], cards[count - 1]
    assert [str(card) for card in deals.deck(link, MESSAGE, 2, Seating.PAIRS)] == cards


def test_everything_a_deck_is_drawn_with_changes_it() -> None:
    link = deals.link_of(SEED, 1)
    others = [
        deals.deck(link, MESSAGE, 1, Seating.TWO),
        deals.deck(deals.link_of(SEED, 2), MESSAGE, 1, Seating.TWO),
        deals.deck(link, MESSAGE + 1, 1, Seating.TWO),
        deals.deck(link, MESSAGE, 2, Seating.TWO),
        deals.deck(link, MESSAGE, 1, Seating.PAIRS),
    ]
    assert len(set(others)) == len(others)
    assert all(CardSet.of(each) == FULL and len(each) == 40 for each in others)


def test_the_dealer_isnt_drawn_with_the_bytes_of_the_deck() -> None:
    def first_of(use: str) -> Counter[int]:
        return Counter(hmac.digest(SEED, f"{use}|{n}|1|2|0".encode(), "sha256")[0] for n in range(400))

    assert first_of("deck") != first_of("dealer")
    drawn = Counter(deals.dealer(SEED, n, Seating.THREE) for n in range(3_000))
    assert sum((drawn[seat] - 1_000) ** 2 / 1_000 for seat in range(3)) < 18.4


@pytest.mark.parametrize("count", [2, 3, 7, 25, 39, 40, 129, 256])
def test_of_all_bytes_each_number_is_drawn_equally_often(count: int) -> None:
    """Exact: of all bytes, taken once each, every number is drawn equally often, and only the excess is skipped."""
    stream, drawn = iter(range(256)), Counter[int]()
    try:
        while True:
            drawn[deals._below(count, stream)] += 1
    except (StopIteration, RuntimeError):
        pass
    assert set(drawn) == set(range(count))
    assert set(drawn.values()) == {256 // count}


def test_every_order_of_a_small_deck_is_drawn_once_by_every_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact: each sequence of the numbers that a shuffle draws gives another order, so all are equally likely."""
    monkeypatch.setattr(deals, "DECK", DECK[:4])
    found: list[object] = []
    for a in range(4):
        for b in range(3):
            for c in range(2):
                monkeypatch.setattr(deals, "_stream", lambda *_, drawn=(a, b, c): iter(drawn))
                found.append(deals.deck(SEED, 0, 1, Seating.TWO))
    assert sorted(map(str, found)) == sorted(map(str, permutations(DECK[:4])))


def test_each_card_lies_in_each_place_equally_often() -> None:
    places = [Counter(row) for row in zip(*decks(2_000), strict=True)]
    spread = sum((place[index] - 50) ** 2 / 50 for place in places for index in range(40))
    assert spread < 1_735, "1,521 is expected; more than 1,735 occurs in one of ten thousand cases"


def test_each_card_is_followed_by_each_other_equally_often() -> None:
    after = Counter(pair for row in decks(2_000) for pair in pairwise(row))
    assert sum((after[a, b] - 50) ** 2 / 50 for a in range(40) for b in range(40) if a != b) < 1_775


# ------------------------------------------------------------------------------------------ checking


@pytest.fixture
def proof() -> Proof:
    """The proof of a match after three rounds."""
    return prove(SEED, MESSAGE, Seating.THREE, 3)


def dealt(proof: Proof) -> tuple[list[tuple[Card, ...]], int]:
    """The decks and the dealer that a proof yields."""
    decks = [proof.deck(number) for number in range(1, len(proof.links) + 1)]
    return decks, deals.dealer(deals.from_text(proof.links[0]), proof.message_id, proof.seating)


def test_a_match_dealt_by_the_scheme_has_no_flaw(proof: Proof) -> None:
    decks, first = dealt(proof)
    assert proof.flaws(decks, first) == []
    assert proof.flaws([], first) == [], "nothing is over yet"


def test_a_proof_opens_only_the_links_of_rounds_that_are_over(proof: Proof) -> None:
    assert len(proof.links) == 3
    assert deals.to_text(deals.link_of(SEED, 4)) not in repr(proof)
    assert len(prove(SEED, MESSAGE, Seating.THREE, LINKS + 5).links) == LINKS


def test_each_flaw_is_found_and_says_what_it_is(proof: Proof) -> None:
    decks, first = dealt(proof)
    swapped = [decks[0], (decks[1][1], decks[1][0], *decks[1][2:]), decks[2]]
    assert proof.flaws(swapped, first) == [Flaw(2, DealFault.DECK)]
    assert proof.flaws(decks, (first + 1) % 3) == [Flaw(1, DealFault.DEALER)]
    assert proof.flaws([*decks, decks[0]], first) == [Flaw(4, DealFault.UNOPENED)]
    assert str(Flaw(2, DealFault.DECK)).startswith("round 2: its deck isn't the one")

    other = replace(proof, message_id=MESSAGE + 1)
    assert {flaw.round for flaw in other.flaws(decks, first) if flaw.fault is DealFault.DECK} == {1, 2, 3}

    exchanged = replace(proof, links=(proof.links[0], proof.links[2], proof.links[1]))
    assert {flaw.round for flaw in exchanged.flaws(decks, first) if flaw.fault is DealFault.LINK} == {2, 3}
    sealed_otherwise = replace(proof, commitment=deals.to_text(deals.commitment_of(bytes(32))))
    assert [flaw.fault for flaw in sealed_otherwise.flaws(decks, first)] == [DealFault.LINK] * 3
    damaged = replace(proof, links=("?", *proof.links[1:]))
    assert damaged.flaws(decks, first) == [Flaw(1, DealFault.LINK)]


def test_a_pairings_dealer_isnt_checked_because_it_isnt_drawn(proof: Proof) -> None:
    decks, first = dealt(proof)
    assert replace(proof, draws_dealer=False).flaws(decks, (first + 1) % 3) == []
