"""A tournament's screens fit with the most people and the worst names, and say what people need."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.club.rules.seasons import MAX_RULE_SETS, RuleSet
from bot.engine.rules import TARGETS, Rules
from bot.platform.drawing.scenes import LONGEST
from bot.platform.kit.host import Display
from bot.platform.language.appointments import Unclear
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.people import Person
from bot.tables.live.own_rules import SavedRules
from bot.tables.log.events import Config
from bot.tournaments.ids.tournament import Draft, DraftVerb
from bot.tournaments.live.view import NoThreadsReason, TableLink, TournamentView
from bot.tournaments.rules.log import (
    Ask,
    Begin,
    BeginCheckIn,
    CancelTournament,
    Correct,
    DrawRound,
    Enter,
    LeaveEntry,
    PlayAgain,
    Remove,
    Withdraw,
)
from bot.tournaments.rules.pairings import beaten
from bot.tournaments.rules.setup import BOARDS, LONGEST_TITLE, MOST_ENTRIES, Start
from bot.tournaments.rules.standings import standings
from bot.tournaments.rules.tournament import (
    Format,
    Gone,
    Outcome,
    Proposal,
    Setup,
    Tournament,
    TournamentStage,
    Winner,
)
from bot.tournaments.screens.corrections import correct_layout, log_layout, points_form, tables_layout
from bot.tournaments.screens.manage import (
    begin_question,
    cancel_tournament_question,
    manage_layout,
    remove_layout,
    remove_question,
)
from bot.tournaments.screens.own import own_layout, partner_layout, withdraw_question
from bot.tournaments.screens.setup import SettingUp, appointment_form, setup_layout, unclear_text
from bot.tournaments.screens.standings import PAGE, end_layout, standings_layout, sums_layout
from bot.tournaments.screens.tournament import MessagePage, left_layout, tournament_layout
from bot.tournaments.words.formats import duration, round_minutes
from tests.support.club import ORGANISER, RecordedTournament, person
from tests.support.layouts import EMOJIS, LARGEST, NAME, every_language, troubles, words_of
from tests.support.limits_commands import modal_problems
from tests.support.limits_components import walk

EN = words("en")
CHANNEL = 5
NOW = datetime(2999, 12, 30, tzinfo=UTC)
START = Start(2_000_000_000, "America/Argentina/ComodRivadavia", 60)
SETS = [
    SavedRules(RuleSet(9_999_999_999 - n, NAME, Rules()), Config(), LARGEST, datetime(2026, 1, 1, tzinfo=UTC))
    for n in range(MAX_RULE_SETS)
]


def view_of(state: Tournament, *, open: bool = True, **changes: Any) -> TournamentView:
    """A tournament whose tables are all in threads, with the largest numbers."""
    tables = {
        (drawn.number, pairing.table): TableLink(LARGEST, LARGEST - pairing.table, open, resultless=not open)
        for drawn in state.rounds
        for pairing in drawn.pairings
    }
    deadline = datetime(2999, 12, 31, tzinfo=UTC)
    return replace(TournamentView(LARGEST, LARGEST, CHANNEL, "en", state, LARGEST, tables, deadline), **changes)


def worst(state: Tournament, name: str = NAME) -> Tournament:
    """The same tournament with a name for everybody in which nearly every character needs more room."""
    entries = tuple(
        replace(each, people=tuple(Person(LARGEST - person.id, name) for person in each.people))
        for each in state.entries
    )
    nobody = Person(LARGEST, name)
    corrections = tuple(replace(each, by=nobody, agreed=nobody) for each in state.corrections)
    asked = tuple(Person(LARGEST - 2000 - number, name) for number in range(30)) if state.asks else ()
    drawn = state.rounds[0].pairings if state.rounds else ()
    seated = {number: each for each in drawn for number in (each.first, each.second)}
    proposals: tuple[Proposal, ...] = ()
    if (table := seated.get(1)) is not None:
        opponent = entries[(table.second if table.first == 1 else table.first) - 1].people[0]
        proposals = tuple(Proposal(at, 1, table.table, Outcome((999, 998), 0), opponent) for at in (1, 2, 3))
    setup = replace(state.setup, title="*" * LONGEST_TITLE, start=START)
    last = tuple(Winner(rank, (nobody,) * 2) for rank in (1, 2, *[3] * 20))
    known = replace(state, entries=entries, organiser=nobody, setup=setup, last=last)
    return replace(known, corrections=corrections, asked=asked, proposals=proposals)


def buttons_of(layout: Layout) -> list[str]:
    nodes = [node for _, node in walk(layout.to_components()) if node.get("type") == 2]
    return [str(node["custom_id"]) for node in nodes if "custom_id" in node]  # a link has none


def screens(state: Tournament, t: Words) -> Iterator[tuple[str, Layout]]:
    """Every screen that a tournament may have in this state."""
    view, display = view_of(state), Display(t, pictures=True)
    own = next((each.people[0].id for each in state.entries if each.people), LARGEST)
    note = "x" * 300
    if state.stage.open:
        yield "public", tournament_layout(replace(view, no_threads_reason=NoThreadsReason.NO_PERMISSION), t)
        yield "without deadline", tournament_layout(view_of(state, open=False, deadline=None), t)
    else:
        yield "end", end_layout(view, display)
    yield "left", left_layout(view, MessagePage.last_round(view), "https://discord.com/" + "1" * 60, t)
    yield "manage", manage_layout(view, t, NOW, note)
    yield "own", own_layout(view, own, t, note)
    yield "nobody's own", own_layout(view, 7777, t, note)
    yield "partner", partner_layout(view, 7777, t)
    yield "begin?", begin_question(view, t)
    yield "cancel?", cancel_tournament_question(view, t)
    yield "withdraw?", withdraw_question(view, own, t)
    yield "remove", remove_layout(view, t)
    yield "log", log_layout(view, t)
    if state.entries:
        yield "remove?", remove_question(view, state.entries[-1], t)
    for page in range(-(-len(standings(state)) // PAGE)):
        yield f"standings {page}", standings_layout(view, page, display)
    if state.rounds:
        yield "tables", tables_layout(view, len(state.rounds), t)
        yield "correct", correct_layout(view, 1, 1, t, note)
        sums = sums_layout(view, 1, 0, t)
        assert sums is not None
        yield "sums", sums
        assert not list(modal_problems(points_form(view, 1, 1, t).to_dict()))


def crowds() -> Iterator[Tournament]:
    """The largest tournament at each of its stages, of pairs and with corrections."""
    evening = RecordedTournament(Format.SWISS, pairs=True, rounds=4)
    evening.enter(*range(1, MOST_ENTRIES))
    evening.do(Enter(person(900)))
    yield evening.now
    evening.do(BeginCheckIn(ORGANISER))
    evening.check_in(*range(1, 33))
    yield evening.now
    evening.check_in(*range(33, MOST_ENTRIES))
    evening.do(Begin(ORGANISER))
    yield evening.now
    rng = Random(1)
    while evening.now.stage is TournamentStage.PLAYING:
        evening.play_round(rng)
        if len(evening.now.rounds) == 2:
            for table in range(1, 20):
                evening.do(Correct(ORGANISER, 2, table, Outcome((999, 0), 0)))
            yield evening.now
        if evening.now.stage is TournamentStage.PLAYING:
            evening.do(DrawRound(ORGANISER))
    yield evening.now
    yield replace(evening.now, stage=TournamentStage.CANCELLED)


STAGES = ("sign_up-0", "check_in-0", "playing-1", "playing-2", "finished-4", "cancelled-4")


@cache
def crowd(stage: str, name: str = NAME) -> Tournament:
    """The largest tournament at one of its stages, with the worst names."""
    return next(worst(each, name) for each in _crowds() if f"{each.stage}-{len(each.rounds)}" == stage)


@cache
def _crowds() -> tuple[Tournament, ...]:
    return tuple(crowds())


@pytest.mark.thorough
def test_every_stage_is_tested():
    assert tuple(f"{each.stage}-{len(each.rounds)}" for each in _crowds()) == STAGES


@every_language
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", [NAME, EMOJIS, "ש*" * 16], ids=["markup", "emojis", "directions"])
def test_sixty_four_pairs_with_the_worst_names_fit_on_every_screen(t: Words, name: str, stage: str):
    state = crowd(stage, name)
    found = {name: troubles(layout) for name, layout in screens(state, t)}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("stage", STAGES[:4])
def test_every_entry_is_named_however_many_there_are(stage: str):
    state = crowd(stage)
    ids = {each.number: Person(each.number, f"n{each.number:03}") for each in state.entries}
    named = replace(state, entries=tuple(replace(each, people=(ids[each.number],) * 2) for each in state.entries))
    text = words_of(tournament_layout(view_of(named), EN))
    assert [each.number for each in state.entries if not each.withdrawn and ids[each.number].name not in text] == []


@every_language
@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
def test_whatever_can_be_set_up_fits(t: Words, format: Format, pairs: bool):
    own = RuleSet(9_999_999_999, NAME, Rules())
    setup = Setup(format, pairs, target=TARGETS[-1], boards=BOARDS[-1], own=own, seeded=format is Format.KNOCKOUT)
    page = SettingUp(Draft.of(setup, tells=True), setup, SETS, LARGEST, open_to_all=False, note="x" * 300)
    changing = SettingUp(Draft.of(setup, changes=LARGEST), setup, SETS, note="x" * 300)
    for each in (page, changing, replace(changing, entered=True)):
        for verb in (None, *DraftVerb):
            assert troubles(setup_layout(replace(each, editing=verb, changed=verb), t)) == []


@pytest.mark.parametrize("format", Format)
def test_each_line_of_the_set_up_opens_its_own_menu(format: Format):
    setup = Setup(format)
    page = SettingUp(Draft.of(setup), setup, role=LARGEST, open_to_all=False)
    [(_, menu)] = menus_of(setup_layout(page, EN))
    assert len(menu) == words_of(setup_layout(page, EN)).count(" · ")
    for verb in menu:
        _, (opened, options) = menus_of(setup_layout(replace(page, editing=DraftVerb(verb)), EN))
        assert opened.split(":")[1] == verb
        assert len(options) > 1
    text = words_of(setup_layout(replace(page, changed=DraftVerb.FORMAT), EN))
    assert text.count("✅") == 1
    assert "✅ **Format** · " in text


def menus_of(layout: Layout) -> list[tuple[str, list[str]]]:
    """The menus by custom_id, each with its options' values."""
    nodes = [node for _, node in walk(layout.to_components()) if node.get("type") == 3]
    return [(str(node["custom_id"]), [each["value"] for each in node["options"]]) for node in nodes]


@every_language
def test_the_form_for_title_and_time_fits(t: Words):
    for setup in (None, Setup(), Setup(title="*" * LONGEST_TITLE, start=START)):
        form = appointment_form(Draft.of(Setup()).custom_id(DraftVerb.WHEN), START.zone, t, setup=setup)
        assert not list(modal_problems(form.to_dict()))
    for why in Unclear:
        assert "vie\\* 21" in unclear_text(why, "vie* 21", t)


def test_a_title_and_a_time_stand_on_the_message_and_the_time_is_everybodys_own():
    evening = RecordedTournament(title="Copa *de* otoño", start=START)
    view = view_of(evening.now, deadline=datetime.fromtimestamp(START.at - 600, UTC))
    text = words_of(tournament_layout(view, EN))
    assert text.startswith("## 🏆 Copa \\*de\\* otoño\n-# Swiss · Escoba to 15 points\n")
    assert f"📅 It starts <t:{START.at}:F>, <t:{START.at}:R>." in text
    assert f"Check-in is from <t:{START.at - 600}:t> until then" in text
    evening.start(4)
    view = view_of(evening.now)
    assert "-# **Copa \\*de\\* otoño** · Swiss" in words_of(tournament_layout(view, EN))
    assert "It begins" not in words_of(tournament_layout(view, EN))


def test_before_check_in_the_message_says_how_many_are_missing_and_how_long_it_takes():
    evening = RecordedTournament()
    evening.enter(1, 2, 3)
    text = words_of(tournament_layout(view_of(evening.now), EN))
    assert "1 more is needed: it takes 4 to 64." in text
    evening.enter(4, 5, 6, 7, 8, 9)
    text = words_of(tournament_layout(view_of(evening.now), EN))
    assert "needed" not in text
    assert "4 rounds, about 2 hours" in text
    manage = words_of(manage_layout(view_of(evening.now), EN, NOW))
    assert "If nothing happens here for a day, the tournament is cancelled." in manage


@pytest.mark.parametrize(
    "setup", [*(Setup(target=each) for each in TARGETS), *(Setup(Format.DUPLICATE, boards=each) for each in BOARDS)]
)
def test_several_rounds_take_as_much_longer_as_they_are(setup: Setup):
    one = round_minutes(setup)
    assert one % 5 == 0
    for rounds in range(1, 10):
        shown = duration(setup, rounds, EN)
        half, number = "½" in shown, int(re.search(r"\d+", shown)[0])  # type: ignore[index]
        minutes = number if "minute" in shown else 60 * number + 30 * half
        assert abs(minutes - rounds * one) <= (0 if rounds * one < 60 else 15), shown


class TestAsking:
    """Those whom the organiser has asked are named, with a button of their own."""

    def asked(self, *stages: Any) -> RecordedTournament:
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4)
        evening.do(Ask(ORGANISER, person(9)))
        for stage in stages:
            evening.do(stage)
        return evening

    @pytest.mark.parametrize("stages", [(), (BeginCheckIn(ORGANISER),), (Begin(ORGANISER),)])
    def test_on_every_page_on_which_they_can_still_enter(self, stages: Any):
        layout = tournament_layout(view_of(self.asked(*stages).now), EN)
        assert "**Asked to play, and yet to answer:** P9" in words_of(layout)
        assert any(":yes:" in each for each in buttons_of(layout))

    def test_not_once_they_have_answered_or_it_is_too_late(self):
        for evening in (self.asked(Enter(person(9))), self.asked(LeaveEntry(person(9)))):
            assert "Asked to play" not in words_of(tournament_layout(view_of(evening.now), EN))
        evening = self.asked(Begin(ORGANISER))
        evening.play_round(Random(1))
        evening.next_round()
        assert not any(":yes:" in each for each in buttons_of(tournament_layout(view_of(evening.now), EN)))

    def test_their_own_screen_says_so(self):
        assert "You are asked to play" in words_of(own_layout(view_of(self.asked().now), 9, EN))
        assert "You aren't in it." in words_of(own_layout(view_of(self.asked().now), 8, EN))


class TestCorrectionsAreMarked:
    def test_on_the_rounds_message_ones_own_screen_the_standings_and_the_end(self):
        evening = RecordedTournament(Format.ALL_PLAY_ALL).start(3)
        table = evening.now.rounds[0].pairings[0].table
        own = evening.now.rounds[0].pairings[0].first
        evening.do(Correct(ORGANISER, 1, table, Outcome((15, 3), 0)))
        mark = "✏️ corrected by Olga"
        note = f"-# Round 1 of 3, table {table} · {mark}"
        assert f"15 – 3 · {mark}" in words_of(tournament_layout(view_of(evening.now), EN))
        assert f"15 – 3 · {mark}" in words_of(own_layout(view_of(evening.now), own, EN))
        assert note in words_of(standings_layout(view_of(evening.now), 0, Display(EN)))
        evening.next_round()
        evening.play_on(Random(1))
        assert note in words_of(end_layout(view_of(evening.now), Display(EN)))

    def test_a_match_that_is_played_again_says_so_before_and_after(self):
        evening = RecordedTournament().start(4)
        evening.win(evening.now.rounds[0].pairings[0].first)
        evening.do(PlayAgain(ORGANISER, 1, 1))
        mark = "🔁 played again (decided by Olga)"
        assert mark in words_of(tournament_layout(view_of(evening.now), EN))
        evening.win(evening.now.rounds[0].pairings[0].first)
        assert mark in words_of(tournament_layout(view_of(evening.now), EN))

    def test_a_proposal_is_seen_by_everybody_and_answered_by_the_opponent_alone(self):
        evening = RecordedTournament()
        for each in (ORGANISER, person(2), person(3), person(4)):
            evening.do(Enter(each))
        evening.do(Begin(ORGANISER))
        pairing = evening.pairing_of(1)
        other = pairing.first + pairing.second - 1
        evening.do(Correct(ORGANISER, 1, pairing.table, Outcome((7, 3), 0)))
        assert "a correction waits for an answer" in words_of(tournament_layout(view_of(evening.now), EN))

        def answers(person_id: int) -> bool:
            return any(":agree:" in each for each in buttons_of(own_layout(view_of(evening.now), person_id, EN)))

        stranger = next(each for each in (2, 3, 4) if each != other)
        assert [answers(each) for each in (ORGANISER.id, other, stranger)] == [False, True, False]
        assert "waits for everyone whom it costs something" in words_of(
            own_layout(view_of(evening.now), ORGANISER.id, EN)
        )
        screen = words_of(correct_layout(view_of(evening.now), 1, pairing.table, EN))
        assert "Everyone whom it costs something has to agree" in screen


@pytest.mark.parametrize(("format", "worth"), [(Format.SWISS, "a win"), (Format.DUPLICATE, "50%")])
def test_a_bye_is_worth_what_it_says(format: Format, worth: str):
    evening = RecordedTournament(format).start(5)
    [lucky] = evening.now.rounds[0].byes
    assert f"has a bye, which counts as {worth}." in words_of(tournament_layout(view_of(evening.now), EN))
    assert f"you have a bye, which counts as {worth}." in words_of(own_layout(view_of(evening.now), lucky, EN))
    evening.play_round(Random(1))
    [own] = [each for each in standings(evening.now) if each.entry == lucky]
    assert own.score == (50 if format is Format.DUPLICATE else 1)


def test_a_late_entrys_percentage_is_shown_with_the_rounds_that_it_missed():
    evening = RecordedTournament(Format.DUPLICATE, rounds=3).start(5)
    evening.play_round(Random(1))
    evening.enter(9)
    evening.next_round()
    evening.play_round(Random(1))
    sums = sums_layout(view_of(evening.now), 6, 0, EN)
    assert sums is not None
    assert re.search(r"= \(0 \+ [\d.]+\) / 2", words_of(sums)), words_of(sums)


@pytest.mark.parametrize("format", [Format.SWISS, Format.DUPLICATE])
def test_buchholz_is_explained_as_it_is_counted(format: Format):
    evening = RecordedTournament(format).start(5)
    evening.play_round(Random(1))
    sums = sums_layout(view_of(evening.now), evening.now.rounds[0].byes[0], 0, EN)
    assert sums is not None
    assert "A bye, and a match that wasn't played to its end, count as m" in words_of(sums)
    explained = words_of(sums).rpartition("Buchholz**: ")[2]
    assert explained.startswith("the percentages" if format is Format.DUPLICATE else "the points")


class TestTakingOut:
    def test_it_asks_whether_as_withdrawn_or_disqualified(self):
        evening = RecordedTournament().start(4)
        question = remove_question(view_of(evening.now), evening.entry(1), EN)
        assert [each.split(":")[1] for each in buttons_of(question)] == ["removeyes", "disqualify", "manage"]

    def test_before_the_first_round_there_is_no_podium_to_be_kept_from(self):
        evening = RecordedTournament()
        evening.enter(1)
        question = remove_question(view_of(evening.now), evening.entry(1), EN)
        assert [each.split(":")[1] for each in buttons_of(question)] == ["removeyes", "manage"]

    def test_who_is_out_already_can_only_be_disqualified(self):
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        evening.win(evening.now.rounds[0].pairings[0].first)
        loser = evening.now.rounds[0].pairings[0].second
        question = remove_question(view_of(evening.now), evening.entry(loser), EN)
        assert [each.split(":")[1] for each in buttons_of(question)] == ["disqualify", "manage"]
        assert f'"{loser}. P{loser}"' in str(remove_layout(view_of(evening.now), EN).to_components()).replace("'", '"')

    def test_they_read_it_on_their_own_screen_and_whoever_asks_for_the_sums_there(self):
        evening = RecordedTournament().start(4)
        evening.play_round(Random(1))
        evening.do(Remove(ORGANISER, 1, disqualified=True))
        assert "disqualified you" in words_of(own_layout(view_of(evening.now), 1, EN))
        sums = sums_layout(view_of(evening.now), 1, 0, EN)
        assert sums is not None
        assert "disqualified this entry" in words_of(sums)


def test_somebody_looking_for_a_partner_is_not_a_pair_yet():
    evening = RecordedTournament(pairs=True)
    evening.enter(1)
    evening.do(Enter(person(2)))
    assert "**1 pair joined** · 1 person looks for a partner" in words_of(tournament_layout(view_of(evening.now), EN))


def test_in_pairs_somebody_alone_is_shown_as_looking_and_offered_to_others_only():
    evening = RecordedTournament(pairs=True)
    evening.do(Enter(person(1)))
    view = view_of(evening.now)
    assert "P1 (looks for a partner)" in words_of(tournament_layout(view, EN))
    offered = [node for _, node in walk(partner_layout(view, 2, EN).to_components()) if "options" in node]
    assert [[each["label"] for each in menu["options"]] for menu in offered] == [["P1"]]
    assert "options" not in str(partner_layout(view, 1, EN).to_components())


def test_check_in_says_who_is_there_who_is_missing_and_until_when():
    evening = RecordedTournament()
    evening.enter(1, 2, 3, 4)
    evening.do(BeginCheckIn(ORGANISER))
    evening.check_in(2)
    text = words_of(tournament_layout(view_of(evening.now), EN))
    assert "Still missing: 3**\n▫️ P1\n▫️ P3\n▫️ P4" in text
    assert "Here: 1**\n▫️ P2" in text
    assert "Check-in closes <t:" in text


class TestARound:
    """Each table's line says where it is, or how it ended."""

    def text(self, evening: RecordedTournament, **changes: Any) -> str:
        return words_of(tournament_layout(view_of(evening.now, **changes), EN))

    def test_tables_lead_to_their_threads_until_they_have_a_result(self):
        evening = RecordedTournament().start(5)
        assert self.text(evening).count("▶️") == 2
        assert "has a bye, which counts as a win" in self.text(evening)
        assert "2 tables are still playing" in self.text(evening)
        first = evening.pairing_of(evening.now.rounds[0].pairings[0].first)
        evening.win(first.first, 15, 8)
        text = self.text(evening)
        assert f"✅ **1.** **P{first.first}** – P{first.second} · 15 – 8" in text
        assert "1 table is still playing" in text

    def test_a_table_in_the_same_channel_a_waiting_one_and_one_without_a_result_say_so(self):
        evening = RecordedTournament().start(4)
        here = {(1, 1): TableLink(1, CHANNEL, True)}
        text = self.text(evening, tables=here, no_threads_reason=NoThreadsReason.NO_PLACE)
        assert "· here" in text
        assert "⏳ **2.**" in text
        assert "There can be no threads here" in text
        assert "no result: the organiser decides" in self.text(evening, open=False)
        over = {(1, 1): TableLink(1, CHANNEL, open=False)}
        assert "no result" not in self.text(evening, tables=over), "that is yet to be looked up"

    def test_a_round_that_is_over_says_when_the_next_begins(self):
        evening = RecordedTournament().start(4)
        evening.play_round(Random(1))
        assert "The next round starts <t:" in self.text(evening)

    def test_in_duplicate_nothing_is_revealed_while_others_still_play_the_boards(self):
        one, other = (RecordedTournament(Format.DUPLICATE).start(4) for _ in range(2))
        one.report(1, Outcome((5, 3), 0, board_points=((3, 1), (2, 2))))
        other.report(1, Outcome((0, 9), 1, board_points=((0, 4), (0, 5))))
        seen = [dict(screens(each.now, EN)) for each in (one, other)]
        # A person's own screen may tell: those who sat at the table know what happened there.
        assert [name for name in seen[0] if name != "own" and seen[0][name] != seen[1][name]] == []
        assert "**1.** P" in self.text(one)
        assert "· done" in self.text(one)
        one.play_round(Random(1))
        assert "5 – 3" in self.text(one)


def test_knockout_rounds_have_names():
    evening = RecordedTournament(Format.KNOCKOUT).start(8)
    names: list[str] = []
    while evening.now.stage is TournamentStage.PLAYING:
        names.append(words_of(tournament_layout(view_of(evening.now), EN)).splitlines()[0])
        evening.play_round(Random(len(names)))
        if evening.now.stage is TournamentStage.PLAYING:
            evening.next_round()
    assert names == ["## 🏆 Quarter-finals", "## 🏆 Semi-finals", "## 🏆 Final"]


def test_ones_own_screen_names_the_opponent_and_leads_to_the_table():
    evening = RecordedTournament().start(4)
    pairing = evening.pairing_of(1)
    other = pairing.second if pairing.first == 1 else pairing.first
    layout = own_layout(view_of(evening.now), 1, EN)
    assert f"you play **P{other}** at table {pairing.table}." in words_of(layout)
    assert f"https://discord.com/channels/{LARGEST}/{LARGEST - pairing.table}" in str(layout.to_components())
    evening.win(1)
    layout = own_layout(view_of(evening.now), 1, EN)
    assert "⭐ Round 1: " in words_of(layout)
    assert "channels" not in str(layout.to_components())
    evening.do(Withdraw(person(1)))
    assert "You have withdrawn." in words_of(own_layout(view_of(evening.now), 1, EN))


def test_ones_own_screen_says_what_the_tournament_waits_for_and_in_the_end_at_which_place_one_is():
    evening = RecordedTournament().start(4)
    evening.win(1)
    assert "1 table is still playing." in words_of(own_layout(view_of(evening.now), 1, EN))
    evening.play_round(Random(1))
    assert "The next round starts <t:" in words_of(own_layout(view_of(evening.now), 1, EN))
    evening.play_on(Random(1))
    for each in standings(evening.now):
        place = {1: "🥇", 2: "🥈", 3: "🥉"}.get(each.rank, f"**{each.rank}.**")
        assert f"\n{place} **P{each.entry}**" in words_of(own_layout(view_of(evening.now), each.entry, EN))


def test_who_has_withdrawn_reads_what_becomes_of_their_match_and_nothing_of_another():
    evening = RecordedTournament().start(4)
    pairing = evening.pairing_of(1)
    other = pairing.second if pairing.first == 1 else pairing.first
    evening.do(Withdraw(person(1)))

    def text(**changes: Any) -> str:
        return words_of(own_layout(view_of(evening.now, **changes), 1, EN))

    question = words_of(withdraw_question(view_of(evening.now), 1, EN))
    assert question.endswith("The match of this round, if you don't play it to its end, is lost.")
    question = words_of(withdraw_question(view_of(evening.now, tables={}), 1, EN))
    assert question.endswith("The match of this round, whose table hasn't opened yet, is lost.")
    told = f"You have withdrawn.\n**Round 1 of 3**: your match against **P{other}**"
    assert f"{told} at table {pairing.table} goes on. Play it to its end, or it is lost." in text()
    assert f"{told} is lost." in text(tables={})
    assert f"{told} ended without a result: the organiser decides." in text(open=False)
    evening.win(other)
    assert "your match" not in text()
    assert "you play" not in text()


def test_only_check_in_asks_whether_somebody_is_here():
    def asks(evening: RecordedTournament) -> bool:
        return any(":here:" in each for each in buttons_of(own_layout(view_of(evening.now), 1, EN)))

    evening = RecordedTournament()
    evening.enter(1, 2, 3, 4)
    assert not asks(evening)
    evening.do(BeginCheckIn(ORGANISER))
    assert asks(evening)
    evening.check_in(1)
    assert not asks(evening)
    assert not asks(RecordedTournament().start(4)), "the tournament began without check-in"


@pytest.mark.parametrize("why", Gone)
def test_people_who_are_out_are_told_why(why: Gone):
    evening = RecordedTournament().start(4)
    entries = (replace(evening.entry(1), gone=why), *evening.now.entries[1:])
    text = words_of(own_layout(view_of(replace(evening.now, entries=entries)), 1, EN))
    assert re.search(r"You (lost|were|left|have)|you were left out|The organiser (removed|disqualified) you", text)


@pytest.mark.parametrize("format", Format)
def test_whoever_has_withdrawn_comes_back_by_a_button_as_long_as_a_round_is_left(format: Format):
    evening = RecordedTournament(format).start(4)
    evening.do(Withdraw(person(1)))

    def comes_back() -> bool:
        return any(":join:" in each for each in buttons_of(own_layout(view_of(evening.now), 1, EN)))

    assert comes_back()
    evening.play_round(Random(4))
    while evening.now.stage is TournamentStage.PLAYING:
        last = len(evening.now.rounds) == evening.now.planned
        assert comes_back() is not (last or (format is Format.KNOCKOUT and beaten(evening.now, 1)))
        evening.next_round()
        evening.play_round(Random(4))
    assert not comes_back()


def test_whoever_was_taken_out_has_no_way_back():
    evening = RecordedTournament().start(8)
    evening.do(Remove(ORGANISER, 1))
    assert buttons_of(own_layout(view_of(evening.now), 1, EN)) == []


def test_people_without_a_partner_are_counted_as_the_pairs_that_they_will_be():
    evening = RecordedTournament(pairs=True)
    evening.enter(1, 2, 3)
    evening.do(Enter(person(10)))
    evening.do(Enter(person(11)))
    text = words_of(begin_question(view_of(evening.now), EN))
    assert "4 entries play 3 rounds" in text
    assert "left out" not in text
    assert "needed" not in words_of(tournament_layout(view_of(evening.now), EN))


def changes(state: Tournament) -> list[str]:
    """What the organiser can change, by the menu's values."""
    return next(values for custom_id, values in menus_of(manage_layout(view_of(state), EN, NOW)) if "more" in custom_id)


class TestManaging:
    """The organiser's screen offers what can be done at each stage."""

    def test_it_offers_what_the_stage_allows(self):
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4)
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN, NOW))]
        assert verbs == ["checkin", "begin", "remove", "cancel"]
        assert changes(evening.now) == ["change", "when"]
        dated = replace(evening.now, setup=replace(evening.now.setup, start=START))
        assert changes(dated) == ["change", "when", "weekly.0", "event.1"]
        evening.do(BeginCheckIn(ORGANISER))
        assert "checkin" not in str(buttons_of(manage_layout(view_of(evening.now), EN, NOW)))
        evening.check_in(1, 2, 3, 4)
        evening.do(Begin(ORGANISER))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN, NOW))]
        assert verbs == ["fix", "remove", "cancel"]
        evening.play_round(Random(1))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN, NOW))]
        assert verbs == ["next", "fix", "remove", "cancel"]
        evening.play_on(Random(1))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN, NOW))]
        assert verbs == ["fix"]

    def test_with_too_few_it_cannot_begin(self):
        evening = RecordedTournament()
        evening.enter(1, 2, 3)
        layout = begin_question(view_of(evening.now), EN)
        assert "Only 3 entries could play, and it takes 4 entries." in words_of(layout)
        shut = [node.get("disabled", False) for _, node in walk(layout.to_components()) if node.get("type") == 2]
        assert shut == [True, False]

    def test_the_question_before_the_first_round_names_those_who_are_left_out(self):
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4, 5)
        evening.do(BeginCheckIn(ORGANISER))
        evening.check_in(1, 2, 3, 4)
        assert "as they aren't here: P5." in words_of(begin_question(view_of(evening.now), EN))

    def test_the_log_shows_what_was_and_what_is_now(self):
        evening = RecordedTournament().start(4)
        first = evening.now.rounds[0].pairings[0]
        evening.win(first.first, 15, 8)
        evening.do(Correct(ORGANISER, 1, 1, Outcome((8, 15), 1)))
        evening.do(PlayAgain(ORGANISER, 1, 1))
        latest, before = words_of(log_layout(view_of(evening.now), EN)).splitlines()[1:]
        a, b = f"P{first.first}", f"P{first.second}"
        assert before == f"▫️ **Round 1 of 3, table 1**: **{a}** – {b} · 15 – 8 → {a} – **{b}** · 8 – 15 (by Olga)"
        assert latest.endswith("→ played again (by Olga)")


class TestStandings:
    """Each figure is shown as the sum that it is."""

    def test_the_sums_add_up(self):
        evening = RecordedTournament().start(8).play_on(Random(3))
        for each in standings(evening.now):
            layout = sums_layout(view_of(evening.now), each.entry, 0, EN)
            assert layout is not None
            for line in words_of(layout).splitlines():
                if " = " in line:
                    total, parts = line.split(": ")[1].split(" = ")
                    assert number(total) == sum(map(number, parts.replace(" − ", " + −").split(" + ")))

    def test_the_picture_says_the_same_as_the_text(self):
        evening = RecordedTournament().start(8).play_on(Random(3))
        layout = standings_layout(view_of(evening.now), 0, Display(EN, pictures=True))
        assert layout.drawing is not None
        [alt] = [item["description"] for _, node in walk(layout.drawing.components) for item in node.get("items", ())]
        for each in standings(evening.now):
            assert f"{each.rank}. P{each.entry}: Points {each.score}; Difference" in alt

    @every_language
    def test_the_alt_text_names_everybody_on_the_page(self, t: Words):
        evening = RecordedTournament(pairs=True).start(24).play_on(Random(3))
        layout = standings_layout(view_of(evening.now), 0, Display(t, pictures=True))
        assert layout.drawing is not None
        [alt] = [item["description"] for _, node in walk(layout.drawing.components) for item in node.get("items", ())]
        assert len(alt) <= LONGEST
        for each in standings(evening.now)[:PAGE]:
            assert f"{each.rank}. P{each.entry} & P{100 + each.entry}" in alt

    @pytest.mark.spanish
    def test_percentages_have_one_decimal_as_the_language_writes_it(self):
        evening = RecordedTournament(Format.DUPLICATE).start(8).play_on(Random(3))
        text = words_of(standings_layout(view_of(evening.now), 0, Display(words("es"))))
        assert "Porcentaje" in text
        assert "," in text


def number(text: str) -> int:
    return int(text.strip().replace("−", "-").replace("+", ""))


class TestTheEnd:
    """The podium is celebrated."""

    def test_the_first_three_are_named_with_medals(self):
        evening = RecordedTournament().start(8).play_on(Random(3))
        first, second, third = (each.entry for each in standings(evening.now)[:3])
        text = words_of(end_layout(view_of(evening.now), Display(EN)))
        assert text.startswith(f"## 🏆 P{first} wins the tournament!")
        assert f"🥇 **P{first}**\n🥈 **P{second}**\n🥉 **P{third}**" in text

    def test_a_pair_wins_in_the_plural(self):
        evening = RecordedTournament(pairs=True).start(4).play_on(Random(3))
        assert " win the tournament!" in words_of(end_layout(view_of(evening.now), Display(EN)))

    def test_nobody_wins_when_both_have_lost_the_final(self):
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        evening.play_round(Random(1))
        evening.next_round()
        evening.report(1, Outcome((0, 0), None, forfeit=True))
        text = words_of(end_layout(view_of(evening.now), Display(EN)))
        assert text.startswith("## 🏆 The tournament is over: nobody won it\n")
        assert "🥇" not in text.partition("🥈")[0]

    def test_a_cancelled_one_has_no_podium(self):
        evening = RecordedTournament().start(4)
        evening.do(CancelTournament(ORGANISER))
        text = words_of(end_layout(view_of(evening.now), Display(EN)))
        assert text == "🏆 **Olga** cancelled the tournament."

    def test_one_that_nobody_has_cancelled_says_why_it_is_and_tells_its_organiser(self):
        expired = replace(RecordedTournament().now, stage=TournamentStage.CANCELLED)
        said = "🏆 The tournament was cancelled, because nothing happened in it for a day."
        assert words_of(end_layout(view_of(expired), Display(EN))) == said
        assert words_of(end_layout(view_of(expired), Display(EN), tells=True)) == f"<@{ORGANISER.id}> {said}"


def test_a_name_written_from_right_to_left_does_not_reverse_what_is_beside_it():
    evening = RecordedTournament().start(4)
    entries = (replace(evening.entry(1), people=(Person(1, "سارة"),)), *evening.now.entries[1:])
    text = words_of(tournament_layout(view_of(replace(evening.now, entries=entries)), EN))
    assert "\u2068سارة\u2069" in text


def test_a_message_that_was_replaced_keeps_its_rounds_results_without_buttons():
    evening = RecordedTournament().start(4)
    evening.play_round(Random(1))
    page = MessagePage.of(view_of(evening.now))
    evening.next_round()
    layout = left_layout(view_of(evening.now), page, "https://discord.com/x", EN)
    text = words_of(layout)
    assert "## 🏆 Round 1 of 3" in text
    assert text.count("✅") == 2
    assert "[further down](https://discord.com/x)" in text
    assert buttons_of(layout) == []
