"""The podium: the picture at a tournament's end, with pairs, ties, and names of any alphabet."""

import re
from dataclasses import replace
from random import Random

import pytest

from bot.cards.pictures.canvas import WIDE
from bot.platform.drawing.scenes import paint
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.people import Person
from bot.tournaments.pictures.podium import HIGH, PodiumEntry, PodiumScene, PodiumStep
from bot.tournaments.rules.standings import standings
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Tournament
from bot.tournaments.screens.standings import end_layout
from tests.support.club import RecordedTournament
from tests.support.layouts import every_language, troubles, words_of
from tests.tournaments.screens.test_tournament import view_of

EN = words("en")
BADGE = (98, 60)
"""The lower left corner that Discord covers with its badge for an alt text."""
NAMES = ("Ana", "Maximiliano Fernández de la Torre", "Łukasz", "Иван", "さくら", "محمد", "𝓔𝓶𝓶𝓪", "W" * 32)


def scene_of(state: Tournament) -> PodiumScene:
    drawing = end_layout(view_of(state), Display(EN, pictures=True)).drawing
    assert drawing is not None
    assert isinstance(drawing.scene, PodiumScene)
    return drawing.scene


def shared(place: int, count: int, *, pairs: bool = False) -> PodiumStep:
    """A place that some share, with names of all alphabets."""
    names = [NAMES[number % len(NAMES)] for number in range(count + 1)]
    entries = [PodiumEntry(n, tuple(names[n : n + 1 + pairs])) for n in range(count)]
    return PodiumStep(place, tuple(entries), "3 points")


def test_the_first_three_stand_on_it_with_what_they_reached():
    state = RecordedTournament().start(8).play_on(Random(3)).now
    scene, first = scene_of(state), standings(state)[0]
    assert [step.place for step in scene.steps] == [1, 2, 3]
    assert scene.alt(EN).startswith(f"Gold: P{first.entry}; {first.score} points. Silver: P")


def test_a_knockouts_third_place_is_shared_and_partners_are_joined():
    state = RecordedTournament(Format.KNOCKOUT, pairs=True).start(8).play_on(Random(3)).now
    alt = scene_of(state).alt(EN)
    third = alt.partition("Bronze: ")[2]
    assert third.count(" & ") == 2
    assert third.count(", ") == 1


def test_nobody_stands_on_the_highest_step_if_both_lost_the_final():
    evening = RecordedTournament(Format.KNOCKOUT).start(4)
    evening.play_round(Random(1))
    evening.next_round()
    evening.report(1, Outcome((0, 0), None, forfeit=True))
    scene = scene_of(evening.now)
    assert "Gold" not in scene.alt(EN)
    assert paint(scene).data


def disqualified(state: Tournament, *numbers: int) -> Tournament:
    entries = (replace(each, gone=Gone.DISQUALIFIED) if each.number in numbers else each for each in state.entries)
    return replace(state, entries=tuple(entries))


def test_one_entry_stands_there_alone_once_all_others_are_disqualified():
    state = RecordedTournament().start(4).play_on(Random(3)).now
    assert scene_of(disqualified(state, 2, 3, 4)).alt(EN).startswith("Gold: P1; ")
    layout = end_layout(view_of(disqualified(state, 1, 2, 3, 4)), Display(EN, pictures=True))
    assert layout.drawing is None, "there is nobody left to show"
    assert list(troubles(layout)) == []


@every_language
def test_without_pictures_and_for_screen_readers_the_podium_is_text(t: Words):
    state = RecordedTournament(pairs=True).start(8).play_on(Random(3)).now
    text = words_of(end_layout(view_of(state), Display(t)))
    for medal, each in zip("🥇🥈🥉", standings(state), strict=False):
        names = f"P{each.entry} & P{100 + each.entry}"
        assert f"{medal} **{names}**" in text
        assert names in scene_of(state).alt(t)


def test_it_names_nobody_so_that_discord_would_notify_them():
    evening = RecordedTournament().start(4)
    entries = tuple(replace(each, people=(Person(each.number, f"<@{each.number}>"),)) for each in evening.now.entries)
    state = replace(evening.play_on(Random(3)).now, entries=entries)
    assert re.findall(r"(?<!\\)<@", words_of(end_layout(view_of(state), Display(EN)))) == []


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("counts", [(1, 1, 1), (2, 0, 1), (1, 0, 9), (7, 0, 0), (0, 2, 0), (1, 1, 2)])
def test_whoever_shares_a_step_the_corner_below_a_phones_badge_says_nothing(counts: tuple[int, ...], pairs: bool):
    scene = PodiumScene(tuple(shared(place, n, pairs=pairs) for place, n in enumerate(counts, 1) if n))
    image = scene.draw().shrunk(WIDE)
    assert image.size == (WIDE, HIGH)
    corner = image.crop((0, HIGH - BADGE[1], BADGE[0], HIGH))
    colours = corner.getcolors()
    assert colours is not None
    assert len(colours) <= 2, "the felt, and a step"


@pytest.mark.parametrize("count", range(1, 9))
def test_names_on_the_highest_step_stay_below_the_wreath(count: int):
    without = PodiumScene((PodiumStep(1, (PodiumEntry(1, (" ",)),)),))
    top = (0, 0, WIDE, 80)
    shown = PodiumScene((shared(1, count, pairs=True),)).draw().shrunk(WIDE).crop(top)
    assert shown.tobytes() == without.draw().shrunk(WIDE).crop(top).tobytes()
