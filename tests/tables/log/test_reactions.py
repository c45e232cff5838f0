"""Reactions, which players gave to the moves of others up to 1.0: logs that have them still load."""

import pytest

from bot.tables.log.codec import LOG
from bot.tables.log.events import Reacted
from bot.tables.log.topics import Sign
from tests.support.tables.kit import ANA, BEA, act, lobby, move_of, play_to, playing


@pytest.mark.parametrize("sign", Sign)
def test_a_reaction_in_a_log_of_1_0_changes_nothing_but_its_length(sign: Sign):
    before = act(playing(ANA, BEA), move_of(playing(ANA, BEA)))
    after = play_to(before, Reacted(0, sign))
    assert after.version == before.version + 1
    assert (after.match, after.seats, after.move_version, after.turn_key) == (
        *(before.match, before.seats, before.move_version, before.turn_key),
    )


def test_a_reaction_in_a_log_without_a_match_changes_nothing():
    assert lobby(ANA, BEA).apply(Reacted(0, Sign.CLAP)).seats == lobby(ANA, BEA).seats


def test_reactions_are_read_from_the_text_that_1_0_wrote():
    assert LOG.decode("reacted", '{"seat":1,"sign":"luck"}') == Reacted(1, Sign.LUCK)
