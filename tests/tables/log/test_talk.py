"""Characters' remarks fit what has just happened, and are made in another way the next time."""

from collections import Counter, defaultdict

import pytest

from bot.engine.facts import CaptureClaimed, CardPlayed, OpeningTaken
from bot.platform.people import Person
from bot.players import PERSONAS, Character, Level
from bot.players.characters import Occasion
from bot.tables.log.codec import LOG
from bot.tables.log.events import ComputerAdded, Config, LogEvent, Opened
from bot.tables.log.state import TableState
from bot.tables.words.characters import HABITS, OTHERS, OWN, remark
from tests.support.phrases import EN
from tests.support.recorded import match_events
from tests.support.tables.bare import bare_table

TARGET = 60
LINES = {Occasion.ESCOBA: OWN, Occasion.HABIT: HABITS, Occasion.OTHERS: defaultdict(OTHERS.values)}


def events_with(who: Character) -> list[LogEvent]:
    """A long match of a person against a character."""
    persona = PERSONAS[who]
    return [
        Opened(Person(1, "Ana"), Config.of_preset("escoba", target=TARGET)),
        ComputerAdded(persona.name, persona.level, who),
        *match_events("escoba", Level.EASY, target=TARGET),
    ]


def states_with(who: Character) -> list[TableState]:
    """The states of such a match, after each event."""
    begun, *rest = events_with(who)
    found = [LOG.fold([begun])]
    for event in rest:
        found.append(found[-1].apply(event))
    return found


@pytest.mark.parametrize("who", [Character.BETO, Character.NURIA, Character.TITO, Character.BRAULIO])
def test_no_line_comes_again_before_all_others_have_been_used(who: Character) -> None:
    said: dict[Occasion, list[str]] = defaultdict(list)
    for state in states_with(who):
        if state.talk.remark is not None:
            text = remark(bare_table(state).view(), EN)
            assert text is not None
            said[state.talk.remark.occasion].append(text)
    assert len(said[Occasion.HABIT]) > len(HABITS[who])
    for occasion, texts in said.items():
        number = len(LINES[occasion][who])
        for first in range(0, len(texts), number):
            assert set(Counter(texts[first : first + number]).values()) == {1}, occasion


def test_a_talkative_character_says_something_at_each_escoba_of_its_own_and_at_some_of_others() -> None:
    for state in states_with(Character.BETO):
        facts = () if state.match is None else state.match.facts
        swept = {fact.seat for fact in facts if isinstance(fact, CardPlayed | CaptureClaimed) and fact.escoba}
        swept |= {fact.seat for fact in facts if isinstance(fact, OpeningTaken) and fact.escobas}
        occasion = state.talk.remark and state.talk.remark.occasion
        if swept == {1}:
            assert occasion is Occasion.ESCOBA
        elif swept == {0}:
            assert occasion in (Occasion.OTHERS, None)
        else:
            assert occasion in (Occasion.HABIT, None)


def test_a_remark_about_a_habit_comes_only_after_a_move_that_shows_it() -> None:
    remarks = 0
    for state in states_with(Character.BETO):
        if state.talk.remark is not None and state.talk.remark.occasion is Occasion.HABIT:
            assert state.match is not None
            [fact, *_] = state.match.facts
            assert isinstance(fact, CardPlayed)
            assert fact.card.worth >= 8
            assert fact.seat == 1
            remarks += 1
    assert remarks


def test_what_is_said_is_the_same_whether_a_log_is_read_at_once_or_as_it_grows() -> None:
    read, grown = LOG.fold(events_with(Character.BETO)), states_with(Character.BETO)[-1]
    assert grown.talk == read.talk
    assert len(read.talk.said) > 10
