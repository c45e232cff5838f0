"""The end of a match on the screens: one for everybody, one for the winners, and a friendly one for the others."""

from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest

from bot.cards.pictures.canvas import WIDE
from bot.cards.pictures.deck.signs import can_write
from bot.club.rules.achievements import Achievement
from bot.club.store.achievements import Earned
from bot.club.store.career import Aftermath
from bot.engine.rules import Seating
from bot.platform.drawing.scenes import paint
from bot.platform.kit.colours import FELT, TURN
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.tables.live.view import TableView
from bot.tables.log.events import Fixture, Phase, Presence
from bot.tables.pictures.result import ResultScene, result_scene
from bot.tables.screens.score import result_layout
from bot.tables.screens.table import end_panel, public_layout
from bot.tables.words.scores import signed_tenths
from bot.tables.words.sweeps import decider_line
from tests.support.dose import thorough_but
from tests.support.engine import highlights_of, random_events
from tests.support.layouts import every_language, table_of, troubles
from tests.support.limits_components import walk
from tests.support.painted import paintings
from tests.support.store import NOON

EN = words("en")
PICTURES = Display(EN, pictures=True)
TEXT = Display(EN)
NAMES = ("Ana", "Bea", "Ciro", "Dora")


@cache
def won(seed: int, seating: Seating = Seating.TWO, target: int = 11) -> TableView:
    """A match that people called Ana, Bea, Ciro and Dora have played to its end."""
    states = [match for _, match in random_events("escoba", seating, Random(seed), target=target)]
    view = table_of(states[-1], seating.seats)
    seats = tuple(replace(seat, name=name) for seat, name in zip(view.seats, NAMES, strict=False))
    return replace(view, seats=seats, phase=Phase.FINISHED, highlights=highlights_of(states))


def seats_by_result(view: TableView) -> tuple[int, int]:
    """A seat of the winners, and one of the others."""
    assert view.match is not None
    winner = view.match.winner
    seats = range(view.match.seating.seats)
    return (
        next(seat for seat in seats if view.match.seating.side_of(seat) == winner),
        next(seat for seat in seats if view.match.seating.side_of(seat) != winner),
    )


def own(view: TableView, seat: int, display: Display, aftermath: Aftermath | None = None) -> Layout:
    """The end of a match on a player's panel."""
    person_id = view.seats[seat].person_id
    assert person_id is not None
    return end_panel(view, person_id, aftermath or Aftermath(), display)


def said(layout: Layout) -> str:
    return "\n".join(node["content"] for _, node in walk(list(layout.components)) if "content" in node)


def scene_of(layout: Layout) -> ResultScene:
    assert layout.drawing is not None
    assert isinstance(layout.drawing.scene, ResultScene)
    return layout.drawing.scene


def test_a_win_does_not_look_like_a_loss() -> None:
    view = won(1)
    winner, loser = seats_by_result(view)
    panels = [own(view, seat, PICTURES) for seat in (winner, loser)]
    assert "You won!" in said(panels[0])
    assert f"Well played, {NAMES[loser]}" in said(panels[1])
    assert f"{NAMES[winner]} wins this one." in said(panels[1])
    assert [panel.components[0]["accent_color"] for panel in panels] == [TURN, FELT]
    assert [panel.drawing for panel in panels] == [None, None], "the picture is on the public message"


def test_a_panel_has_the_score_and_what_can_be_done_next_and_the_table_the_rematch() -> None:
    view = won(1)  # Bea has won by 12 to 9
    panel, public = own(view, 0, PICTURES), result_layout(view, PICTURES)
    assert "Bea **12** · Ana **9**" in said(panel)
    for layout, verbs in ((panel, ["rematch", "review", "open"]), (public, ["rematch", "winner", "hand", "rounds"])):
        ids = [node["custom_id"] for _, node in walk(list(layout.components)) if "custom_id" in node]
        assert [each.split(":")[1] for each in ids] == verbs


def test_a_picture_shows_the_highlights_and_a_text_tells_them_once() -> None:
    view = won(1)
    public = result_layout(view, PICTURES)
    assert public.drawing is not None
    beside = said(replace(public, components=public.drawing.components))
    for highlight in ("Best capture", "Most escobas"):
        assert said(public).count(highlight) == 1
        assert highlight not in beside


def test_the_capture_that_decided_the_match_is_named_once_unless_it_is_decided_elsewhere() -> None:
    view = next(view for seed in range(40) if (view := won(seed)).story.decider is not None)
    line = decider_line(view, EN)
    assert line is not None
    for display in (PICTURES, TEXT):
        assert said(result_layout(view, display)).count(line) == 1
        assert line not in said(own(view, 0, display)), "the public message says it"
        assert line in said(own(replace(view, channel_id=None), 0, display)), "there is no public message"
    boards = replace(view, fixture=Fixture(7, 1, 2, (1, 2)), opened=True)
    assert decider_line(boards, EN) is None
    assert decider_line(replace(view, forfeits=frozenset({0}), best_left=None), EN) is None


def test_as_many_escobas_for_everybody_are_no_highlight_and_a_tie_of_some_joins_no_partners() -> None:
    view = won(1, Seating.THREE)
    assert view.highlights is not None
    level = replace(view, highlights=replace(view.highlights, escobas=(2, 2, 2)))
    assert "Most escobas" not in said(result_layout(level, TEXT))
    assert result_scene(level, EN).escobas is None
    shared = replace(view, highlights=replace(view.highlights, escobas=(2, 0, 2)))
    assert "🧹 Most escobas: **2**, Ana and Ciro" in said(result_layout(shared, TEXT))
    assert "Most escobas: Ana and Ciro, 2." in result_scene(shared, EN).alt(EN)


def test_a_tournaments_match_leads_back_to_the_tournament_and_has_no_rematch() -> None:
    view = replace(won(1), fixture=Fixture(7, 1, 2))
    for layout in (result_layout(view, TEXT), own(view, 0, TEXT)):
        ids = [node["custom_id"] for _, node in walk(layout.to_components()) if "custom_id" in node]
        assert ids[0] == "t:back:7"
        assert not any(each.startswith("e:rematch") for each in ids)


@pytest.mark.parametrize("seed", range(6))
def test_a_loser_reads_how_close_it_was_and_is_never_mocked(seed: int) -> None:
    view = won(seed)
    assert view.match is not None
    _, loser = seats_by_result(view)
    behind = max(view.match.totals) - min(view.match.totals)
    assert ("So close" in said(own(view, loser, TEXT))) == (behind <= 3)


def test_a_draw_has_no_winner_on_anybodys_screen() -> None:
    matches = (list(random_events("escoba", Seating.TWO, Random(seed), rounds=2))[-1][1] for seed in range(100))
    drawn = list(islice((match for match in matches if match.winner is None), 3))
    assert len(drawn) == 3
    for match in drawn:
        view = replace(table_of(match, 2), phase=Phase.FINISHED)
        for layout in (
            result_layout(view, PICTURES),
            *(own(view, seat, PICTURES) for seat in (0, 1)),
        ):
            assert layout.drawing is None
            assert "🤝 A tie" in said(layout)
            assert "🥇" not in said(layout)


def test_a_match_of_fixed_length_is_pictured_without_a_target_line() -> None:
    *_, (_, match) = next(
        events
        for seed in range(100)
        for events in [list(random_events("escoba", Seating.TWO, Random(seed), rounds=2))]
        if events[-1][1].winner is not None
    )
    scene = result_scene(replace(table_of(match, 2), phase=Phase.FINISHED), EN)
    assert scene.target == 0
    paint(scene)
    assert paint(replace(scene, target=21)).data != paint(scene).data


def test_partners_are_named_as_people() -> None:
    view = won(2, Seating.PAIRS)
    assert view.match is not None
    winner, loser = seats_by_result(view)
    partner = NAMES[(winner + 2) % 4]
    assert f"You and {partner} won!" in said(own(view, winner, TEXT))
    both = " & ".join(NAMES[seat] for seat in sorted((winner, (winner + 2) % 4)))
    assert f"{both} win this one." in said(own(view, loser, TEXT))
    assert f"🏆 {both} win!" in said(result_layout(view, TEXT))


def test_somebody_who_has_left_reads_who_won() -> None:
    view = won(1)
    left = replace(view, seats=(view.seats[0], replace(view.seats[1], presence=Presence.LEFT)))
    assert said(own(left, 1, TEXT)).startswith("## 🏆 Bea wins!")


@every_language
@pytest.mark.parametrize(
    "seating", thorough_but([Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS], Seating.FOUR, Seating.PAIRS)
)
def test_every_result_fits_and_its_alt_text_tells_all_that_the_picture_shows(t: Words, seating: Seating) -> None:
    for seed in range(4):
        view = won(seed, seating)
        assert view.match is not None
        winner, loser = seats_by_result(view)
        for layout in (
            result_layout(view, Display(t, pictures=True)),
            own(view, winner, Display(t, pictures=True)),
            own(view, loser, Display(t, pictures=True)),
        ):
            assert troubles(layout) == []
        scene = result_scene(view, t)
        text = scene.alt(t)
        assert not text.endswith("…")
        assert scene.best is not None
        assert scene.best.names[0] in text
        assert all(", ".join(map(str, course[1:])) in text for course in scene.course)


@pytest.mark.parametrize(("tenths", "shown"), [(0, "0.0"), (1, "+0.1"), (-1, "−0.1"), (120, "+12.0"), (-3, "−0.3")])
def test_a_part_is_shown_with_its_sign_and_one_decimal(tenths: int, shown: str) -> None:
    assert signed_tenths(tenths, EN) == shown
    assert can_write(shown)


@pytest.mark.parametrize("name", ["Ana", "Maximiliano", "María del Carmen de la Vega"])
def test_no_confetti_is_so_close_to_a_letter_that_it_looks_like_punctuation(name: str) -> None:
    scene = result_scene(won(1), EN)
    [(_, painting)] = paintings(replace(scene, sides=((name,), (name,))))
    [confetti] = [each for each in painting.laid if each.sprite.image.size == (WIDE, 92) and not each.colour]
    assert confetti.sprite.mask.getbbox() is not None
    for each in painting.written:
        left, upper, right, lower = each.box
        assert confetti.sprite.mask.crop((left - 8, upper - 8, right + 8, lower + 8)).getbbox() is None, each.words


@every_language
@pytest.mark.parametrize(
    "seating", thorough_but([Seating.TWO, Seating.THREE, Seating.FOUR, Seating.PAIRS], Seating.FOUR, Seating.PAIRS)
)
def test_every_result_fits(t: Words, seating: Seating) -> None:
    view = won(2, seating)
    long = tuple(replace(seat, name=f"Maximiliano-{seat.name}-de-la-Vega") for seat in view.seats)
    view = replace(view, seats=long)
    layout = result_layout(view, Display(t, pictures=True))
    assert [troubles(each) for each in (layout, own(view, 0, Display(t)))] == [[], []]
    assert not scene_of(layout).alt(t).endswith("…")
    assert paint(scene_of(layout)).data


def forfeited(*gone: int) -> TableView:
    """A tournament's match that the people in some seats have lost by not being there."""
    view = won(1)
    seats = [replace(seat, presence=Presence.LEFT) if at in gone else seat for at, seat in enumerate(view.seats)]
    return replace(view, seats=tuple(seats), phase=Phase.FORFEITED, fixture=Fixture(7, 1, 2))


def test_a_match_that_somebody_left_shows_each_player_what_it_brought():
    view = forfeited(1)
    ana = view.seats[0].person_id
    assert ana is not None
    earned = Aftermath(5, achievements=(Earned(ana, Achievement.FIRST_WIN, NOON),))
    assert "**Bea** ran out of time, so Ana wins." in said(public_layout(view, TEXT))
    assert ["🏅" in said(own(view, seat, TEXT, earned)) for seat in (0, 1)] == [True, False]
    friendly = replace(view, config=replace(view.config, rated=False))
    assert "🏅" not in said(own(friendly, 0, TEXT, earned))


def test_nobody_wins_a_match_to_which_nobody_came():
    text = said(public_layout(forfeited(0, 1), TEXT))
    assert text.startswith("⏳ Nobody came in time, so both sides lose.")
