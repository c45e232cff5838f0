"""The story of a match in words."""

from dataclasses import replace

import pytest

from bot.engine.cards import Canto, CardSet
from bot.engine.highlights import Song
from bot.engine.story import Course, Story
from bot.platform.language.catalogues import words
from bot.tables.log.seats import Seat
from bot.tables.words.telling import story_lines

SEATS = (Seat("Ana", 1), Seat("Bea", 2))
STORY = Story(0, ((0, 31), (0, 4)), Course.AT_ONCE, 1, 0, (), 0, None)


@pytest.mark.spanish
def test_the_best_canto_is_mentioned_where_somebody_sang() -> None:
    sung = Song(1, 1, CardSet.of("3o 3c 3e"), (Canto.TRES_DE_NUEVE, Canto.CHORIZO))
    story = replace(STORY, song=sung)
    assert story_lines(story, SEATS, words("en"))[1:] == ["🎵 Best canto: Bea, tres de nueve + chorizo"]
    assert story_lines(story, SEATS, words("es"))[1:] == ["🎵 Mejor canto: Bea, tres de nueve + chorizo"]
    assert len(story_lines(STORY, SEATS, words("en"))) == 1
