"""A tournament's screens fit with the most people and the worst names, and say what people need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.club.appointments import Unclear
from bot.club.person import Person
from bot.club.rule_set import MAX_RULE_SETS, RuleSet
from bot.club.tournaments.actions import Begin, BeginCheckIn, Correct, DrawRound, Enter, PlayAgain, Remove, Withdraw
from bot.club.tournaments.pairings import beaten
from bot.club.tournaments.setup import BOARDS, LONGEST_TITLE, MOST_ENTRIES, Start
from bot.club.tournaments.standings import standings
from bot.club.tournaments.tournament import Format, Gone, Outcome, Setup, Tournament, TournamentStage, Winner
from bot.engine.rules import TARGETS, Rules
from bot.tables.log.events import Config
from bot.tables.server.rule_sets import SavedRules
from bot.tournaments.view import NoThreadsReason, TableLink, TournamentView
from bot.ui.kit.display import Display
from bot.ui.kit.ids.tournament import Draft, DraftVerb
from bot.ui.layout import Layout
from bot.ui.pictures.scenes import LONGEST
from bot.ui.tournaments.screens.appointment import appointment_form, unclear_text
from bot.ui.tournaments.screens.end import end_layout
from bot.ui.tournaments.screens.manage import (
    begin_question,
    cancel_tournament_question,
    correct_layout,
    log_layout,
    manage_layout,
    points_form,
    remove_layout,
    remove_question,
    tables_layout,
)
from bot.ui.tournaments.screens.own import own_layout, partner_layout, withdraw_question
from bot.ui.tournaments.screens.setup import SettingUp, setup_layout
from bot.ui.tournaments.screens.standings import PAGE, standings_layout, sums_layout
from bot.ui.tournaments.screens.tournament import MessagePage, left_layout, tournament_layout
from bot.ui.words.texts import Words, words
from tests.support.club import ORGANISER, RecordedTournament, person
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of
from tests.support.limits_commands import modal_problems
from tests.support.limits_components import walk

EN = words("en")
CHANNEL = 5
START = Start(2_000_000_000, "America/Argentina/ComodRivadavia", 60)
SETS = [
    SavedRules(RuleSet(9_999_999_999 - n, NAME, Rules()), Config(), LARGEST, datetime(2026, 1, 1, tzinfo=UTC))
    for n in range(MAX_RULE_SETS)
]


def view_of(state: Tournament, *, open: bool = True, **changes: Any) -> TournamentView:
    """A tournament whose tables are all in threads, with the largest numbers."""
    tables = {
        (drawn.number, pairing.table): TableLink(LARGEST, LARGEST - pairing.table, open)
        for drawn in state.rounds
        for pairing in drawn.pairings
    }
    deadline = datetime(2999, 12, 31, tzinfo=UTC)
    return replace(TournamentView(LARGEST, LARGEST, CHANNEL, "en", state, LARGEST, tables, deadline), **changes)


def worst(state: Tournament) -> Tournament:
    """The same tournament with names in which nearly every character needs escaping."""
    entries = tuple(
        replace(each, people=tuple(Person(LARGEST - person.id, NAME) for person in each.people))
        for each in state.entries
    )
    setup = replace(state.setup, title="*" * LONGEST_TITLE, start=START)
    last = tuple(Winner(rank, (Person(LARGEST, NAME),) * 2) for rank in (1, 2, *[3] * 20))
    return replace(state, entries=entries, organiser=Person(LARGEST, NAME), setup=setup, last=last)


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
    yield "manage", manage_layout(view, t, note)
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
def crowd(stage: str) -> Tournament:
    """The largest tournament at one of its stages, with the worst names."""
    return next(worst(each) for each in _crowds() if f"{each.stage}-{len(each.rounds)}" == stage)


@cache
def _crowds() -> tuple[Tournament, ...]:
    return tuple(crowds())


@pytest.mark.thorough
def test_every_stage_is_tested():
    assert tuple(f"{each.stage}-{len(each.rounds)}" for each in _crowds()) == STAGES


@every_language
@pytest.mark.parametrize("stage", STAGES)
def test_sixty_four_pairs_with_the_worst_names_fit_on_every_screen(t: Words, stage: str):
    state = crowd(stage)
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
    assert troubles(setup_layout(page, t)) == []
    for entered in (False, True):
        changing = SettingUp(Draft.of(setup, changes=LARGEST), setup, SETS, entered=entered, note="x" * 300)
        assert troubles(setup_layout(changing, t)) == []


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
    assert f"📅 It begins <t:{START.at}:F>, <t:{START.at}:R>." in text
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


def test_somebody_looking_for_a_partner_is_not_a_pair_yet():
    evening = RecordedTournament(pairs=True)
    evening.enter(1)
    evening.do(Enter(person(2)))
    assert "**1 pair signed up** · 1 person looks for a partner" in words_of(
        tournament_layout(view_of(evening.now), EN)
    )


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
    assert "hasn't pressed it <t:" in text


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

    def test_a_round_that_is_over_says_when_the_next_begins(self):
        evening = RecordedTournament().start(4)
        evening.play_round(Random(1))
        assert "The next round begins <t:" in self.text(evening)

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
    assert "⭐ Round 1 of 3" in words_of(layout)
    assert "channels" not in str(layout.to_components())
    evening.do(Withdraw(person(1)))
    assert "You have withdrawn." in words_of(own_layout(view_of(evening.now), 1, EN))


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
    assert "You have" in text or "you were left out" in text or "The organiser has taken you out." in text


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


class TestManaging:
    """The organiser's screen offers what can be done at each stage."""

    def test_it_offers_what_the_stage_allows(self):
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4)
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN))]
        assert verbs == ["checkin", "begin", "change", "when", "remove", "cancel"]
        evening.do(BeginCheckIn(ORGANISER))
        assert "checkin" not in str(buttons_of(manage_layout(view_of(evening.now), EN)))
        evening.check_in(1, 2, 3, 4)
        evening.do(Begin(ORGANISER))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN))]
        assert verbs == ["fix", "remove", "cancel"]
        evening.play_round(Random(1))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN))]
        assert verbs == ["next", "fix", "remove", "cancel"]
        evening.play_on(Random(1))
        verbs = [each.split(":")[1] for each in buttons_of(manage_layout(view_of(evening.now), EN))]
        assert verbs == ["fix"]

    def test_with_too_few_it_cannot_begin(self):
        evening = RecordedTournament()
        evening.enter(1, 2, 3)
        layout = begin_question(view_of(evening.now), EN)
        assert "Only 3 entries could play, and it takes 4 entries." in words_of(layout)
        assert [node["disabled"] for _, node in walk(layout.to_components()) if node.get("type") == 2] == [True, False]

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

    def test_percentages_have_one_decimal_as_the_language_writes_it(self):
        evening = RecordedTournament(Format.DUPLICATE).start(8).play_on(Random(3))
        text = words_of(standings_layout(view_of(evening.now), 0, Display(words("es"))))
        assert "Por ciento" in text
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
        assert text.startswith("## 🏆 The tournament is over: nobody has won it\n")
        assert "🥇" not in text.partition("🥈")[0]

    def test_a_cancelled_one_has_no_podium(self):
        evening = RecordedTournament().start(4)
        text = words_of(end_layout(view_of(replace(evening.now, stage=TournamentStage.CANCELLED)), Display(EN)))
        assert text == "🏆 The tournament was cancelled."


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
