"""People of one name are told apart on every screen, by the same sign in text and picture."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest

from bot.cards.pictures.canvas import fitting
from bot.cards.pictures.deck.signs import can_write
from bot.club.ids.leaderboard import LeaderboardRef
from bot.club.screens.ranking import Listing, leaderboard_layout, podium_rows
from bot.club.store.standing import LeaderboardPage, Metric, Standing
from bot.engine.moves import Stage
from bot.engine.views import seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.platform.people import SIGNS, Person, names_apart
from bot.tables.log.events import Phase
from bot.tables.pictures.sides import sides_of
from bot.tables.screens.lobby import lobby_layout
from bot.tables.screens.panel import panel_layout
from bot.tables.screens.table import public_layout
from bot.tournaments.rules.tournament import Format
from tests.played.words.test_aloud import EVENINGS, states, view_of
from tests.support.club import RecordedTournament
from tests.support.layouts import table_of
from tests.support.limits_components import walk
from tests.tournaments.screens.test_tournament import screens

EN = words("en")
ALONE = re.compile(rf"(?<![{SIGNS}] )(?<!\w)ana(?!\w)", re.IGNORECASE)
"""A namesake's name without a sign."""


def said(layout: Layout) -> Iterator[str]:
    """Every text, label and description of a layout, with its picture and without."""
    drawn = () if layout.drawing is None else layout.drawing.components
    for _, node in walk([*layout.components, *drawn]):
        for each in (node, *(node.get("options") or ()), *(node.get("items") or ())):
            yield from (str(each[key]) for key in ("content", "label", "description") if each.get(key))


@pytest.mark.parametrize("name", EVENINGS)
def test_at_a_table_of_namesakes_each_name_has_its_sign_in_text_and_picture(name: str):
    evening = EVENINGS[name]
    display = Display(EN, evening.pictures)
    found = set[str]()
    for match in (None, *states(evening)):
        view = view_of(evening, match)
        first, *others = view.seats
        seats = (replace(first, name="Ana 🌸"), *(replace(each, name="ANA") for each in others))
        view = replace(view, seats=seats)
        layouts = [lobby_layout(view, EN)] if match is None else [public_layout(view, display)]
        if match is not None and match.stage is not Stage.OVER:
            layouts += [panel_layout(view, seat_view(match, seat), display) for seat in range(len(seats))]
        for text in (each for layout in layouts for each in said(layout)):
            assert not ALONE.search(text), text
            found |= set(re.findall(rf"[{SIGNS}](?= Ana)", text, re.IGNORECASE))
        if match is not None and view.match is not None and match.round is not None:
            names = [each for side in sides_of(view.match, view.seats) for each in side.names]
            assert sorted(names) == sorted(each.name for each in view.seats)
    assert found == set(SIGNS[: len(seats)])


def test_whose_turn_it_is_has_the_sign_too():
    match = next(each for each in states(EVENINGS["three"]) if each.turn is not None)
    view = view_of(EVENINGS["three"], match)
    view = replace(view, seats=tuple(replace(each, name="Ana") for each in view.seats))
    assert match.turn is not None
    text = "\n".join(said(public_layout(view, Display(EN))))
    assert f"👉 {SIGNS[match.turn]} <@{view.seats[match.turn].person_id}>'s turn" in text


@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
def test_in_a_tournament_of_namesakes_each_name_has_its_sign(pairs: bool):
    evening = RecordedTournament(Format.SWISS, pairs=pairs).start(4)
    evening.play_round(Random(1))
    state = evening.now
    entries = tuple(
        replace(each, people=tuple(Person(person.id, "Ana") for person in each.people)) for each in state.entries
    )
    named = replace(state, entries=entries, organiser=entries[0].people[0])
    for name, layout in screens(named, EN):
        for text in said(layout):
            assert not ALONE.search(text), (name, text)


def standing(user_id: int, name: str) -> Standing:
    return Standing(1, "all", user_id, name, matches=3, wins=2, rank=user_id, season_points=7)


def test_on_a_leaderboard_namesakes_are_told_apart_the_reader_among_them():
    page = LeaderboardPage((standing(1, "Ana"), standing(2, "Bea"), standing(3, "ana")), 9)
    ref = LeaderboardRef(Metric.WINS, "all")
    listing = Listing(ref, page, 7, standing(7, "Ana"), 1, datetime(2030, 1, 1, tzinfo=UTC))
    text = "\n".join(said(leaderboard_layout(listing, EN)))
    assert [each in text for each in ("**△ Ana**", "**Bea**", "**□ ana**", "__**○ Ana**__")] == [True] * 4
    among = replace(listing, user_id=3, own=standing(3, "ana"))
    text = "\n".join(said(leaderboard_layout(among, EN)))
    assert text.count("__**□ ana**__") == 1
    assert [each.name for each in podium_rows(page.rows)] == ["△ Ana", "Bea", "□ ana"]


def test_pictures_have_the_signs_even_where_they_lack_the_letters():
    assert can_write(SIGNS)
    assert fitting("△ Ana", 200, 20, "#1")[0] == "△ Ana"
    assert fitting("△ אבגד", 200, 20, "#1")[0] == "△"
    assert fitting("△ Maximiliana de la Fuente", 90, 20, "#1")[0].startswith("△ M")


FOREIGN = {
    "Hebrew": "דָּנָה",
    "Arabic": "محمد",
    "Chinese": "王小明",
    "Japanese": "さくら",
    "Korean": "김민수",
    "Thai": "สมชาย",
    "Hindi": "देवी",
    "Bengali": "বর্ষা",
    "Tamil": "தமிழ்",
    "Georgian": "ნინო",
    "Armenian": "Արամ",
    "Ethiopic": "ሰላም",
    "emojis": "🌸🎉",
}
"""Names that pictures can't write."""


@pytest.mark.parametrize("name", EVENINGS)
def test_where_a_picture_cannot_write_a_name_its_sign_explains_who_it_is(name: str):
    evening = EVENINGS[name]
    display = Display(EN, evening.pictures)
    names = deque(FOREIGN.values())
    for match in states(evening):
        names.rotate(-1)
        view = view_of(evening, match)
        view = replace(
            view, seats=tuple(replace(each, name=name) for each, name in zip(view.seats, names, strict=False))
        )
        text = re.sub("[\u200e\u2068\u2069]", "", "\n".join(said(public_layout(view, display))))
        for seat, sign in zip(view.seats, (*SIGNS, "△△"), strict=False):
            shown, bare = seat.name.split(" ")
            assert fitting(seat.name, 200, 20, "?")[0] == shown == sign
            assert not re.search(rf"(?<![{SIGNS}] ){bare}", text), text
            assert f"{sign} {bare}" in text


def test_signs_go_only_to_names_that_a_picture_would_lack():
    names = [*FOREIGN.values(), "Łukasz", "Ольга", "Ξένια", "O’Neil", "𝓔𝓶𝓶𝓪", "王 7"]
    told = names_apart(names, drawn=True)
    assert [each.partition(" ")[2] for each in told[: len(FOREIGN)]] == [*FOREIGN.values()]
    assert told[len(FOREIGN) :] == names[len(FOREIGN) :]
    assert len({fitting(each, 400, 20, "?")[0] for each in told}) == len(names)
    assert names_apart(told, drawn=True) == told
    assert names_apart(names) == names
    assert names_apart(["дана", "Дана", "דנה", "דנה"]) == ["△ дана", "□ Дана", "△ דנה", "□ דנה"]


def test_a_name_in_letters_of_another_alphabet_that_look_the_same_is_a_namesake():
    assert names_apart(["Xoce", "Хосе", "Χοсe"]) == ["△ Xoce", "□ Хосе", "○ Χοсe"]


def test_a_computer_is_told_from_a_person_of_its_name():
    view = table_of(None, 2, phase=Phase.LOBBY)
    view = replace(
        view, seats=(replace(view.seats[0], name="Nuria"), replace(view.seats[1], name="Nuria", person_id=None))
    )
    assert [each.name for each in view.seats] == ["△ Nuria", "□ Nuria"]
