"""Statistics as a card: the picture, its alt text and the text shown without pictures all say the same."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.club.ids.leaderboard import StatsPage, StatsRef, StatsVerb
from bot.club.pictures.duel import duel_scene
from bot.club.pictures.overview import stats_scene
from bot.club.rules.achievements import Achievement
from bot.club.rules.rating import Rating
from bot.club.screens.stats import shown_stats, stats_layout
from bot.club.screens.stats_pages import Stats
from bot.club.store.achievements import Earned
from bot.club.store.career import Career, Duel
from bot.club.store.ratings import RatingPoint
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import Standing, record_of
from bot.club.words.honours import achievement_name
from bot.coach.luck import Luck
from bot.platform.drawing.scenes import paint
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.training.live.progress import LUCK_MATCHES, Progress
from bot.training.store.rows import Judgement, ReviewRow
from bot.training.words.progress import own_lines
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of
from tests.support.limits_components import walk
from tests.support.painted import paintings
from tests.support.store import NOON

EN = words("en")
ANA, BEA = 42, 2
STANDING = Standing(
    1,
    "all",
    ANA,
    "Ana",
    matches=148,
    wins=83,
    points=2718,
    escobas=341,
    streak=2,
    best_streak=9,
    last_at=NOON,
    rank=12,
    top_points=record_of(31, 5),
    top_escobas=record_of(7, 4),
    rated=3,
    mu=25.0,
    sigma=2.9,
    rated_at=NOON,
    sources='{"cards":500,"escobas":1218,"oros":250,"prime":300,"seven_of_oros":450}',
)
CAREER = Career(
    STANDING,
    (Rivalry(ANA, BEA, "Bea", 33, 19, 14), Rivalry(ANA, 3, "Ciro", 20, 5, 15)),
    (True, False, True),
    (
        replace(STANDING, preset="escoba", matches=120, wins=72),
        replace(STANDING, preset="juegon", matches=28, wins=11),
    ),
    (Earned(ANA, Achievement.SEVENS, NOON), Earned(ANA, Achievement.COMEBACK, NOON)),
)
BEAS = replace(STANDING, user_id=BEA, name="Bea", matches=70, wins=21, escobas=100, best_streak=4, mu=24.0, sigma=3.5)
DUEL = Duel(Rivalry(ANA, BEA, "Bea", 33, 19, 14), BEAS, (0, 1, None, 0))
HISTORY = tuple(
    RatingPoint(NOON + timedelta(days=10 * number - 20), Rating(mu, sigma))
    for number, (mu, sigma) in enumerate(((24.0, 3.5), (26.0, 3.2), (25.0, 2.9)))
)
STATS = Stats("Ana", CAREER, NOON)
REVIEWS = [ReviewRow(1, Judgement(620, 5400, 3, 20, NOON))]
OVERVIEW = StatsRef(ANA)
PAGES = [
    (OVERVIEW, STATS),
    (StatsRef(ANA, StatsPage.RATING), replace(STATS, history=HISTORY)),
    (StatsRef(ANA, StatsPage.SOURCES), STATS),
    (StatsRef(ANA, StatsPage.ACHIEVEMENTS), STATS),
    (StatsRef(ANA, StatsPage.DUEL, BEA), replace(STATS, duel=DUEL)),
]


def custom_ids(layout: Layout) -> list[str]:
    return [node["custom_id"] for _, node in walk(layout.to_components()) if "custom_id" in node]


def said_by(ref: StatsRef, stats: Stats, t: Words) -> tuple[str, str]:
    """A page in words, and the alt text of its picture."""
    layout = stats_layout(ref, stats, Display(t, pictures=True))
    assert layout.drawing is not None
    scene = layout.drawing.scene
    assert paint(scene).data
    return words_of(stats_layout(ref, stats, Display(t))).replace("*", ""), scene.alt(t)


def tells(ref: StatsRef, stats: Stats, t: Words, shown: Sequence[str]) -> None:
    for said in said_by(ref, stats, t):
        assert [each for each in shown if each not in said.replace("\N{NO-BREAK SPACE}", " ")] == []


@every_language
def test_text_and_alt_text_carry_all_that_the_picture_shows(t: Words) -> None:
    figures = ("148", "83", t.number(2718), "341", "12", "9", "31", "7", "Bea", "19 – 14", "Ciro", "5 – 15", "56")
    tells(OVERVIEW, STATS, t, figures)
    won, lost = t.context("result", "won"), t.context("result", "lost")
    assert f"{won}, {lost}, {won}" in stats_scene("Ana", CAREER, NOON, t).alt(t)


def test_each_page_shows_its_figures_in_its_picture_and_in_words() -> None:
    rating, sources, _, duel = PAGES[1:]
    tells(*rating, EN, ("1,061", "3", "Feb 22, 2026", "Mar 14, 2026"))
    tells(*sources, EN, ("Escobas", "1,218 · 45%", "Seven of oros", "72 of 120 · 60%", "Juegón's escoba", "11 of 28"))
    tells(
        *duel, EN, ("Ana", "19 – 14", "Bea", "33", "1,061", "984?", "148", "70", "56%", "30%", "9", "4", "2.3", "1.4")
    )


MANY = replace(
    STANDING,
    matches=9148,
    wins=8083,
    escobas=3410,
    best_streak=1009,
    rank=1012,
    practice_matches=1234,
    practice_wins=1233,
    rated=1003,
)
AT_LENGTH = Career(
    MANY,
    (Rivalry(ANA, BEA, "Bea", 3300, 1900, 1400),),
    (True,),
    tuple(replace(each, matches=1200, wins=1100) for each in CAREER.presets),
    CAREER.achievements,
)


@pytest.mark.parametrize(("ref", "stats"), [each for each in PAGES if each[0].page is not StatsPage.ACHIEVEMENTS])
@every_language
def test_numbers_of_four_digits_are_grouped_in_words_and_in_the_picture(t: Words, ref: StatsRef, stats: Stats) -> None:
    duel = Duel(Rivalry(ANA, BEA, "Bea", 3300, 1900, 1400), replace(MANY, name="Bea"), (0,))
    stats = replace(stats, career=AT_LENGTH, duel=stats.duel and duel)
    drawing = stats_layout(ref, stats, Display(t, pictures=True)).drawing
    assert drawing is not None
    drawn = [each.words for _, painting in paintings(drawing.scene) for each in painting.written]
    said = "\n".join((words_of(stats_layout(ref, stats, Display(t))), drawing.scene.alt(t), *drawn))
    assert re.findall(r"(?<!\d|:)(?!20[0-3]\d)\d{4}", said) == []  # but years and timestamps
    assert re.search(r"\b[1-9]\D\d{3}\b", said)


def test_the_winners_in_a_duel_differ_in_shape_and_place_and_not_only_in_colour() -> None:
    scene = duel_scene("Ana", STANDING, replace(DUEL, form=(0, 1, None)), NOON, EN)
    [(_, painting)] = paintings(scene)
    *names, first, second, other = [each for each in painting.laid if not each.colour]
    assert len({each.sprite.mask.tobytes() for each in (first, second, other)}) == 3
    assert len({each.box[1] for each in (first, second, other)}) == 3
    assert [each.sprite.mask.tobytes() for each in names] == [each.sprite.mask.tobytes() for each in (first, second)]


def test_decimals_and_percents_are_written_as_the_language_does() -> None:
    tells(*PAGES[4], words("es"), ("2,3", "1,4", "56 %"))


@every_language
@pytest.mark.parametrize("deck", Deck)
def test_no_page_is_more_than_discord_takes_whatever_the_names(t: Words, deck: Deck) -> None:
    shown = words(t.language, faces=CardFaces(deck))
    rows = tuple(Earned(LARGEST, each, NOON) for each in Achievement)
    for pictures in (False, True):
        display = Display(shown, pictures=pictures)
        for ref, stats in PAGES:
            for earned in (rows, ()):
                career = replace(stats.career, achievements=earned)
                duel = stats.duel and replace(stats.duel, rival=replace(BEAS, name=NAME))
                worst = replace(stats, name=NAME, career=career, duel=duel)
                largest = replace(ref, person_id=LARGEST, rival_id=ref.rival_id and LARGEST)
                own = own_lines(Progress(REVIEWS, [Luck(-9, -320, 52)] * LUCK_MATCHES), shown)
                assert troubles(stats_layout(largest, worst, display, own)) == []
                assert troubles(shown_stats(largest, worst, NAME, display)) == []


def test_names_in_other_scripts_leave_the_pictures_whole() -> None:
    for name in ("محمد بن عبد الله", "🎴🎴🎴", "李小龙", "Maximiliano Fernández de la Cruz"):
        for ref, stats in PAGES:
            duel = stats.duel and replace(stats.duel, rival=replace(BEAS, name=name))
            layout = stats_layout(ref, replace(stats, name=name, duel=duel), Display(EN, pictures=True))
            if layout.drawing is not None:
                assert paint(layout.drawing.scene).data
                assert name in layout.drawing.scene.alt(EN)


def test_it_can_be_shown_to_everybody_without_what_only_its_owner_may_see() -> None:
    private = stats_layout(OVERVIEW, STATS, Display(EN), own_lines(Progress(REVIEWS), EN))
    assert "**62 out of 100** · points given away a round: 1.8" in words_of(private)
    assert OVERVIEW.custom_id(StatsVerb.SHOW) in custom_ids(private)
    public = shown_stats(OVERVIEW, STATS, "Bea", Display(EN))
    assert "out of 100" not in words_of(public)
    assert "Shown by Bea" in words_of(public)
    assert custom_ids(public) == []
    for ref, stats in PAGES[1:]:
        assert "out of 100" not in words_of(stats_layout(ref, stats, Display(EN), own_lines(Progress(REVIEWS), EN)))


@pytest.mark.spanish
def test_luck_is_added_up_over_the_latest_matches_for_its_owner_alone_with_what_chance_explains() -> None:
    def told(matches: int, language: str = "en") -> str:
        t = words(language)
        own = own_lines(Progress(luck=[Luck(40, 23, 50)] * matches), t)
        return words_of(stats_layout(OVERVIEW, STATS, Display(t), own))

    assert "🎲 Your last 16 matches: **+36.8 ± 20.0** points beyond your cards" in told(16)
    assert "🎲 Tus últimas 16 partidas: **+36,8 ± 20,0** puntos más de lo que daban tus cartas" in told(16, "es")
    assert "🎲" not in told(4), "a few matches say nothing but chance"


def test_every_page_leads_to_all_others_and_shows_itself() -> None:
    turns = {StatsRef(ANA, page).custom_id(StatsVerb.PAGE) for page in StatsPage if page is not StatsPage.DUEL}
    for ref, stats in PAGES:
        found = custom_ids(stats_layout(ref, stats, Display(EN)))
        how = {ref.custom_id(StatsVerb.HOW)} if ref.page is StatsPage.ACHIEVEMENTS else set[str]()
        assert set(found) == turns | how | {OVERVIEW.custom_id(StatsVerb.AGAINST), ref.custom_id(StatsVerb.SHOW)}


def test_without_a_match_that_counts_there_is_nothing_to_draw_or_to_show() -> None:
    empty = Stats("Ana", Career(Standing(1, "all", ANA)), NOON)
    for ref, _ in PAGES:
        nothing = stats_layout(ref, empty, Display(EN, pictures=True))
        assert nothing.drawing is None
        assert custom_ids(nothing) == []
        assert "No ranked matches yet" in words_of(nothing)


def test_the_rating_explains_its_uncertainty_and_where_it_starts() -> None:
    ref, stats = PAGES[1]
    said = words_of(stats_layout(ref, stats, Display(EN, pictures=True)))
    assert "about 30 matches" in said
    assert "Everyone starts at 1,000." in said
    never = replace(STATS, career=replace(CAREER, standing=replace(STANDING, mu=None, rated=0)))
    assert "No rating yet" in words_of(stats_layout(ref, never, Display(EN, pictures=True)))


def test_achievements_are_named_the_earned_ones_first_and_a_menu_says_how_each_is_earned() -> None:
    ref, stats = PAGES[3]
    layout = stats_layout(ref, stats, Display(EN))
    _, earned, missing = words_of(layout).splitlines()[-4:-1]
    assert earned == "🏅 **The four sevens** · **Comeback**"
    for each in set(Achievement) - {Achievement.SEVENS, Achievement.COMEBACK}:
        assert achievement_name(each, EN) in missing
    [menu] = [node for _, node in walk(layout.to_components()) if node.get("custom_id") == ref.custom_id(StatsVerb.HOW)]
    assert [each["value"] for each in menu["options"]] == list(Achievement)
    assert menu["options"][1]["description"] == "All four sevens in one round"
    for asked, told in (
        (Achievement.SEVENS, "🏅 **The four sevens**: all four sevens in one round · <t:"),
        (Achievement.ROUT, "▫️ **Rout**: a match won in which"),
    ):
        assert told in words_of(stats_layout(ref, replace(stats, asked=asked), Display(EN)))


def test_a_duel_needs_two_who_have_met() -> None:
    alone = StatsRef(ANA, StatsPage.DUEL, ANA)
    assert "It takes two" in words_of(stats_layout(alone, STATS, Display(EN, pictures=True)))
    never = stats_layout(StatsRef(ANA, StatsPage.DUEL, 77), STATS, Display(EN, pictures=True))
    assert "never met" in words_of(never)
    assert never.drawing is None


def test_a_reference_is_read_as_it_was_written() -> None:
    for ref in (
        StatsRef(LARGEST),
        StatsRef(1, StatsPage.RATING),
        StatsRef(1, StatsPage.ACHIEVEMENTS),
        StatsRef(1, StatsPage.DUEL, 2),
    ):
        kind, verb, *parts = ref.custom_id(StatsVerb.SHOW).split(":")
        assert (kind, verb, StatsRef.read(parts)) == ("c", "show", ref)
    wrong = (["!"], ["-1"], [], ["9" * 30], ["1", ""], ["1", "x"], ["1", "duel"], ["1", "duel", "!"])
    assert [StatsRef.read(each) for each in (*wrong, ["1", "rating", "2"], ["1", "duel", "2", "3"])] == [None] * 10
