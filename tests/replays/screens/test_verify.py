"""The check of a deal: Discord accepts all of its screens, and they promise nothing that won't come."""

from dataclasses import replace

import pytest

from bot.engine.cards import DECK
from bot.engine.deals import dealer, link_of, to_text
from bot.engine.proofs import prove
from bot.engine.rules import Seating
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.replays.live.proofs import Checked
from bot.replays.screens.verify import verify_layout
from bot.tables.store.rows import GameRow
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of
from tests.support.store import NOON

EN = words("en")
ROW = GameRow(LARGEST, LARGEST, LARGEST, 1, "en", NOON, None, LARGEST, NOON, "x" * 43, 3)


def checked(rounds: int, *, running: bool = False, broken_off: bool = False, commitment: str | None = None) -> Checked:
    """The check of a match of six."""
    proof = prove(bytes(32), LARGEST, Seating.TRIPLE_PAIRS, rounds, commitment=commitment, posted=99)
    decks = tuple(map(proof.deck, range(1, rounds + 1)))
    first = dealer(link_of(bytes(32), 1), LARGEST, proof.seating)
    flaws = tuple(proof.flaws(decks, first))
    return Checked(ROW, (NAME,) * 6, False, decks, first, rounds, running, broken_off, proof, flaws)


@every_language
@pytest.mark.parametrize("rounds", [0, 1, 40])
def test_discord_takes_every_check(t: Words, rounds: int) -> None:
    match = checked(rounds)
    wrong = replace(match, flaws=checked(rounds, commitment=to_text(bytes(32))).flaws)
    shuffled = replace(match, flaws=tuple(match.proof.flaws([DECK] * rounds, 0)) + wrong.flaws if match.proof else ())
    for each in (match, wrong, shuffled, replace(match, running=True), replace(match, broken_off=True)):
        assert troubles(verify_layout(each, t, number=rounds)) == []


def test_a_match_that_was_broken_off_waits_for_no_key() -> None:
    waiting = "The key to a deck is opened when its round is over"
    assert waiting in words_of(verify_layout(checked(0, running=True), EN))
    assert waiting not in words_of(verify_layout(checked(0, broken_off=True), EN))
    undealt = replace(checked(0, running=True), proof=None)
    assert waiting in words_of(verify_layout(undealt, EN)), "a pairing's table may wait for its message"
    boards = replace(undealt, boards=True)
    assert waiting not in words_of(verify_layout(boards, EN)), "boards have no keys"
    assert "its key stays closed" in words_of(verify_layout(checked(2, broken_off=True), EN))


def test_a_check_says_what_follows_and_how_often_the_table_was_posted() -> None:
    said = words_of(verify_layout(checked(1), EN))
    assert "follow from the seal" in said
    assert "posted 99 times" in said
    assert "thrown tables away" in said
    match = checked(1)
    assert match.proof is not None
    once = replace(match, proof=replace(match.proof, posted=1))
    assert "posted once before the first deal" in words_of(verify_layout(once, EN))
