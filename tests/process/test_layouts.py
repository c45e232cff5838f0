"""Every layout stays within Discord's limits, with the longest possible names, tables, hands and scores."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.club.clicks.ranking import listing_of
from bot.club.ids.leaderboard import LeaderboardRef, StatsRef
from bot.club.rules.gains import stakes_of
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import MAX_RULE_SETS, RuleSet, SeasonLength
from bot.club.screens.ranking import MENUS, METRICS, PAGE, choosing_layout, leaderboard_layout
from bot.club.screens.stats import stats_layout
from bot.club.screens.stats_pages import Stats
from bot.club.settings import ClubSettings
from bot.club.store.career import Career
from bot.club.store.rule_sets import RuleSetRow
from bot.club.store.standing import LeaderboardPage, Metric, Standing
from bot.engine.cards import DECK, FULL, Card, CardSet
from bot.engine.highlights import Highlights
from bot.engine.match import Match
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Capture, Prime, Seating
from bot.engine.views import public_view, seat_view
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.language.spelling import directed
from bot.platform.language.texts import Words
from bot.platform.layout import button
from bot.platform.people import Person, safe
from bot.process.setting_pages import SERVER_PAGES
from bot.tables.ids.game import RULE_MENUS, Ref
from bot.tables.live.own_rules import SavedRules
from bot.tables.live.view import TableView
from bot.tables.log.events import Config, Phase
from bot.tables.log.pace import Pace
from bot.tables.log.seats import Question, Seat
from bot.tables.screens.board import board_layout, choice_rows, moved_layout
from bot.tables.screens.guide import guide_layout
from bot.tables.screens.lobby import LONGEST_THREAD_NAME, arrival_layout, lobby_layout, thread_name
from bot.tables.screens.options import challenge_layout, options_layout
from bot.tables.screens.own_rules import RULES_OF_SETS, delete_question, one_layout, own_rule_layout, own_rules_layout
from bot.tables.screens.panel import panel_layout, stale_layout
from bot.tables.screens.picking import MENU, Picking
from bot.tables.screens.rules_editor import Saving, editor_layout, rule_layout
from bot.tables.screens.score import ended_layout, result_layout, round_layout, rounds_layout
from bot.tables.settings import TableSettings
from tests.support.dose import thorough_but
from tests.support.engine import highlights_of, position, random_events
from tests.support.layouts import LARGEST, NAME, every_language, seats_of, table_of, troubles, words_of
from tests.support.limits_components import walk
from tests.support.settings_pages import Shown, document, with_menus
from tests.support.store import NOON

NOTE = "x" * 300


def names(cards: CardSet | list[Card]) -> str:
    """Cards in notation."""
    return " ".join(map(str, cards))


def laid_with(captures: int) -> Match:
    """A match of six in which a card with exactly this many captures has been laid."""
    rng = Random(captures)
    while True:
        cards = rng.sample(DECK, 20)
        match = position([names([cards[0]])], names(cards[1 : 6 + rng.randrange(8)]))
        assert match.round is not None
        if len(match.round.captures_of(cards[0])) == captures:
            now = replace(
                match.round,
                seating=Seating.TRIPLE_PAIRS,
                dealer=5,
                hands=(CardSet(),) * 6,
                shown=(CardSet(),) * 6,
                cantos=((),) * 3,
                laid=cards[0],
                piles=match.round.piles * 2 if len(match.round.piles) < 3 else match.round.piles,
                escobas=(40, 40, 40),
            )
            now = replace(now, piles=(now.piles[0],) * 3)
            return replace(match, seating=Seating.TRIPLE_PAIRS, round=now, totals=(100,) * 3, escobas=(400,) * 3)


@every_language
@pytest.mark.parametrize("captures", [2, 5, 19, 20])
def test_a_choice_of_up_to_twenty_captures_fits_with_six_players(t: Words, captures: int):
    match = laid_with(captures)
    view = table_of(match, 6)
    assert match.round is not None
    assert match.round.laid is not None
    rows = choice_rows(Ref(view.id, view.version), match.round.laid, public_view(match), Display(t))
    assert sum(len(row["components"]) for row in rows) == captures
    assert troubles(board_layout(view, Display(t))) == []
    assert troubles(panel_layout(view, seat_view(match, 0), Display(t), note=NOTE)) == []


@every_language
def test_with_more_than_twenty_captures_players_choose_table_cards(t: Words):
    match = laid_with(21)
    view = table_of(match, 6)
    public, panel = board_layout(view, Display(t)), panel_layout(view, seat_view(match, 0), Display(t), note=NOTE)
    assert troubles(public) == []
    assert troubles(board_layout(replace(view, deadline=None, overdue=True), Display(t))) == []
    assert troubles(panel) == []
    assert ":take:" in str(panel.to_components())
    assert ":choose:" in str(panel.to_components())
    assert ":take:" not in str(public.to_components())


@every_language
@pytest.mark.parametrize("card", ["own", "claim"])
def test_thirty_six_cards_on_the_table_fit_in_two_menus(t: Words, card: str):
    table = CardSet.of(DECK[4:])
    match = position(["1o 1c", "1e 1b"], names(table), preset="quince", duty="claimable")
    view = table_of(match, 2)
    picking = Picking(Card.parse("1o") if card == "own" else None, table)
    panel = panel_layout(view, seat_view(match, 0), Display(t), note=NOTE, picking=picking)
    assert troubles(panel) == []
    assert str(panel.to_components()).count(":pick:") == 2
    assert MENU == 25
    assert troubles(board_layout(view, Display(t))) == []


@every_language
@pytest.mark.parametrize("preset", ["cientifica", "escoba"])
def test_a_hand_of_ten_fits_beside_a_long_table(t: Words, preset: str):
    hand, table = DECK[-10:], DECK[:20]
    match = position([names(list(hand)), "", "", ""], names(list(table)), preset=preset, seating=Seating.PAIRS, hand=10)
    view = replace(table_of(match, 4), hints=True)
    panel = panel_layout(view, seat_view(match, 0), Display(t), note=NOTE)
    assert troubles(panel) == []
    assert str(panel.to_components()).count("'e:card:") == 10


def asked(view: TableView) -> TableView:
    """A table at which everybody is asked whether to end the match, and has agreed."""
    seats = frozenset(range(len(view.seats)))
    return replace(view, question=Question(10**6, 0, 32_000_000_000, seats))


def won(view: TableView) -> TableView:
    "A table at which everybody left but those on the first side."
    return replace(view, forfeits=frozenset({1}), default_winner=0)


@every_language
@pytest.mark.parametrize("early", [asked, won])
@pytest.mark.parametrize(("hand", "table"), [(3, 15), (10, 10)])
def test_the_question_whether_to_end_a_match_fits_wherever_it_is_asked(
    t: Words, hand: int, table: int, early: Callable[[TableView], TableView]
):
    seating = Seating.TWO if hand == 3 else Seating.PAIRS
    hands = [names(list(DECK[-hand:])), *[""] * (seating.seats - 1)]
    match = position(hands, names(list(DECK[:table])), preset="quince", seating=seating, hand=hand)
    view = early(replace(table_of(match, seating.seats), hints=True))
    own = seat_view(match, 0)
    for reader in (own, seat_view(match, 1)):
        assert troubles(panel_layout(view, reader, Display(t), note=NOTE)) == []
    picking = Picking(next(iter(own.hand)), CardSet.of(DECK[:table]))
    assert troubles(panel_layout(view, own, Display(t), note=NOTE, picking=picking)) == []
    late = replace(view, deadline=None, overdue=True, claimable=True, claim_days=14)
    assert troubles(board_layout(late, Display(t))) == []
    choice = early(table_of(laid_with(20), 6))
    assert troubles(board_layout(choice, Display(t))) == []
    assert troubles(panel_layout(choice, seat_view(laid_with(20), 0), Display(t), note=NOTE)) == []


@cache
def finished(seating: Seating, capture: Capture, seed: int) -> tuple[Match, Highlights]:
    """A match in which as many items as possible were scored, and its highlights."""
    changes = {"capture": capture, "most_sevens": True, "many_cards": True, "all_oros": True, "four_sevens": True}
    states = [match for _, match in random_events("quince", seating, Random(seed), target=5, **changes)]
    assert states[-1].stage is Stage.OVER
    return states[-1], highlights_of(states)


@every_language
@pytest.mark.parametrize("seating", thorough_but(Seating, Seating.FIVE, Seating.TRIPLE_PAIRS), ids=str)
@pytest.mark.parametrize("capture", thorough_but(Capture, Capture.FIFTEEN), ids=str)
def test_the_longest_scores_and_results_fit(t: Words, seating: Seating, capture: Capture):
    longest = 0
    for seed in range(3):
        match, highlights = finished(seating, capture, seed)
        score = replace(match.scores[-1], leftovers=FULL, leftovers_to=seating.seats - 1)
        match = replace(match, scores=(score,), totals=(101,) * seating.sides, winner=0)
        match = replace(match, rules=replace(match.rules, target=101))
        view = replace(table_of(match, seating.seats, phase=Phase.FINISHED), highlights=highlights)
        for layout in (
            round_layout(view, Display(t)),
            round_layout(replace(view, waiting=True), Display(t)),
            rounds_layout(replace(view, phase=Phase.FINISHED), 1, Display(t)),
            result_layout(view, Display(t)),
            ended_layout(replace(view, phase=Phase.ABANDONED), t),
        ):
            assert troubles(layout) == []
            longest = max(longest, len(words_of(layout)))
    assert longest > 600  # otherwise the texts weren't long enough to prove anything


def own_rules(config: Config) -> list[SavedRules]:
    """As many rule sets of a server as allowed, all with the worst name."""
    sets = [RuleSet(LARGEST - number, NAME, config.rules) for number in range(MAX_RULE_SETS)]
    return [SavedRules(each, replace(config, own=each), LARGEST, NOON) for each in sets]


@every_language
def test_the_screens_of_a_servers_own_rules_fit(t: Words):
    config = Config.of_preset("juegon", target=101)
    config = replace(config, rules=replace(config.rules, prime=Prime.POINTS, all_oros=False, four_sevens=False))
    sets = own_rules(config)
    for each in (sets, []):
        assert troubles(own_rules_layout(each, t, note=NOTE)) == []
        text = document(TableSettings(rule_set=sets[0].number), ClubSettings(podium_role=LARGEST))
        now = Shown(text, sets=each)
        assert troubles(now.list(SERVER_PAGES, t)) == []
        preset = SERVER_PAGES.pages[0]
        assert troubles(now.page(preset, t, (preset.choice.field, NOTE))) == []
    assert troubles(one_layout(sets[0], t, note=NOTE)) == []
    for verb in RULES_OF_SETS:
        assert troubles(own_rule_layout(sets[0], verb, t, NOTE)) == []
    assert troubles(delete_question(sets[0], t)) == []
    view = table_of(None, 1, phase=Phase.LOBBY, config=replace(sets[0].config, rules=replace(config.rules, lead=2)))
    assert troubles(lobby_layout(view, t)) == []
    assert directed(t("{name}, changed", name=safe(NAME))) in words_of(lobby_layout(view, t))
    assert len(thread_name(view, t)) <= LONGEST_THREAD_NAME


@every_language
@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("seats", [1, 4, 6])
def test_the_lobby_and_its_editor_fit(t: Words, preset: str, seats: int):
    rules = replace(
        PRESETS[preset].rules, target=101, most_sevens=True, many_cards=True, all_oros=True, four_sevens=True
    )
    config = Config(preset, rules, teams=seats > 3, capacity=6)
    view = replace(table_of(None, seats, phase=Phase.LOBBY, config=config), version=LARGEST)
    mixed = replace(view, seats=(*view.seats[:1], *seats_of(seats, computers=seats)[1:]))
    friendly = replace(view, config=replace(config, rated=False), hints=True)
    people = [(seat.person_id or 0, index // 2) for index, seat in enumerate(view.seats)]
    stakes = None if seats < 2 else stakes_of(people, {each: Rating() for each, _ in people}, 23)
    for each in (view, mixed, friendly):
        assert troubles(lobby_layout(each, t)) == []
        assert troubles(arrival_layout(each, lobby_layout(each, t, seeks=True), t)) == []
        for reader in (LARGEST, 1):
            options = options_layout(replace(each, movable=True), reader, t, stakes, moderator=True, note=NOTE)
            assert troubles(options) == []
        assert len(thread_name(each, t)) <= LONGEST_THREAD_NAME
    sets = own_rules(config)
    for saving in (Saving(note=NOTE), Saving(instead_of=sets[0])):
        mine = replace(view, config=sets[0].config)
        assert troubles(editor_layout(mine, t, said=NOTE, saving=saving)) == []
    back = button("e:rules:1", "Back")
    for verb in RULE_MENUS:
        assert troubles(rule_layout(verb, config, f"e:{verb}:1", back, t, sets=sets, note=NOTE)) == []


@every_language
@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("rated", [True, False])
def test_a_challenge_fits_and_offers_only_an_answer(t: Words, preset: str, rated: bool):
    config = replace(Config.of_preset(preset, target=101), rated=rated)
    view = replace(table_of(None, 1, phase=Phase.LOBBY, config=config), challenge=True, hints=True)
    view = replace(view, missing=(Person(LARGEST - 1, NAME),))
    people = [(LARGEST, 0), (LARGEST - 1, 1)]
    layout = challenge_layout(view, t, stakes_of(people, {each: Rating() for each, _ in people}, 23))
    assert troubles(layout) == []
    shown = {str(node["custom_id"]).split(":")[1] for _, node in walk(layout.to_components()) if "custom_id" in node}
    assert shown == {"join", "decline", "cancel", "rated"} | (set() if rated else {"hints"})
    started = replace(view, seats=seats_of(2), missing=())  # accepted, but these rules can't be played by two
    assert ":start:" in str(lobby_layout(started, t).to_components())


@every_language
@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_rules_the_settings_and_the_small_messages_fit(t: Words, preset: str):
    rules = replace(
        PRESETS[preset].rules, target=101, most_sevens=True, many_cards=True, all_oros=True, four_sevens=True
    )
    assert troubles(guide_layout(preset, rules, t)) == []
    assert troubles(guide_layout(preset, PRESETS[preset].rules, t)) == []
    settings = TableSettings(preset=preset, target=101, turn=86400, computer=6.0)
    for now in (Shown(settings.dump(), usual=Pace(turn=100, computer=2.5)), Shown()):
        assert troubles(now.list(SERVER_PAGES, t)) == []
        for each in with_menus(SERVER_PAGES):
            assert troubles(now.page(each, t, (each.choice.field, NOTE))) == []
    assert troubles(moved_layout("https://discord.com/channels/" + "/".join([str(LARGEST)] * 3), t)) == []
    assert troubles(stale_layout(LARGEST, t)) == []


class Rows:
    """A store with millions of players and as many rule sets as allowed, all with the worst name."""

    async def of(self, guild_id: int) -> list[RuleSetRow]:
        return [
            RuleSetRow(LARGEST - each, guild_id, NAME, "", None, datetime(2026, 1, 1, tzinfo=UTC))
            for each in range(MAX_RULE_SETS)
        ]

    async def page(self, *_: object, limit: int, offset: int, **__: object) -> LeaderboardPage:
        rows = [self._row(offset + n + 1) for n in range(limit)]
        return LeaderboardPage(tuple(rows), 9_999_999)

    async def own_row(self, *_: object, **__: object) -> Standing:
        return self._row(9_999_999)

    async def seasons_before(self, *_: object, limit: int) -> list[str]:
        return [f"{2026 - number}-Q4" for number in range(limit)]

    def _row(self, rank: int) -> Standing:
        n, rated_at = 9_999_999, datetime(2026, 1, 1, tzinfo=UTC)
        standing = Standing(1, "all", LARGEST, NAME, n, n, n, n, mu=999.0, sigma=9.0, rated_at=rated_at)
        return replace(standing, season_points=n, rank=rank)


@every_language
@pytest.mark.parametrize("metric", list(METRICS), ids=str)
async def test_a_full_page_of_the_leaderboard_fits(t: Words, metric: Metric):
    ref = LeaderboardRef(metric, page=99_999, preset="cientifica")
    store: Any = Rows()
    now = datetime(2026, 11, 28, tzinfo=UTC)
    listing = await listing_of(store, store, 1, LARGEST, ref, now, length=SeasonLength.QUARTER, rate_matches=1000)
    layout = leaderboard_layout(listing, t)
    assert troubles(layout) == []
    assert words_of(layout).count(t.number(9_999_999)) >= PAGE
    for which in MENUS:
        assert troubles(choosing_layout(listing, which, t)) == []


@every_language
def test_the_largest_figures_of_a_player_fit(t: Words):
    n, last = 9_999_999, datetime(2999, 12, 31, tzinfo=UTC)
    stats = Standing(1, "all", LARGEST, NAME, *(n,) * 9, last_at=last, rank=n)
    assert troubles(stats_layout(StatsRef(2**63 - 1), Stats(NAME, Career(stats), last), Display(t))) == []


def test_once_a_streak_is_over_only_the_best_is_shown():
    ended = Standing(1, "all", LARGEST, NAME, 9, 4, 80, 7, 30, 0, 3)
    going_on = replace(ended, streak=2)
    lines = [
        words_of(stats_layout(StatsRef(1), Stats(NAME, Career(each), NOON), Display(words("en"))))
        for each in (ended, going_on)
    ]
    assert "\nBest winning streak: **3**" in lines[0]
    assert "\nWinning streak: **2** · best: **3**" in lines[1]


def test_the_worst_name_is_32_characters_long():
    assert len(NAME) == 32
    assert len(seats_of(6)) == 6
    assert Seat(NAME).is_computer
