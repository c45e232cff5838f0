"""What people may do in a tournament, and when."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from inspect import getmembers, isclass
from itertools import combinations
from random import Random

import pytest

from bot.club.rules.seasons import RuleSet
from bot.engine.rules import Opening, Rules
from bot.platform.people import Person
from bot.platform.refusals import Refusal
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules import log
from bot.tournaments.rules.decide import decide, may_enter
from bot.tournaments.rules.log import (
    Ask,
    Begin,
    BeginCheckIn,
    CameBack,
    CancelTournament,
    ChangeSetup,
    CheckIn,
    Correct,
    DrawRound,
    Enter,
    Entered,
    JoinPartner,
    LeaveEntry,
    PlayAgain,
    Remove,
    Report,
    RoundPaired,
    StageBegan,
    TournamentAction,
    Withdraw,
    Withdrawn,
)
from bot.tournaments.rules.setup import Start, is_invalid, rounds_for
from bot.tournaments.rules.state import apply
from bot.tournaments.rules.tournament import Correction, Entry, Format, Gone, Outcome, Setup, TournamentStage
from tests.support.club import ORGANISER, RecordedTournament, person, some_outcome

LOST_TO_NOBODY = Outcome((0, 0), None, forfeit=True)


class TestSignUp:
    def test_a_person_enters_once_and_may_leave_and_enter_again(self) -> None:
        evening = RecordedTournament()
        evening.enter(1)
        evening.refuses(TournamentRefusal.ALREADY_ENTERED, Enter(person(1)))
        evening.do(LeaveEntry(person(1)))
        assert evening.now.entries == ()
        evening.enter(1)
        assert evening.now.entry_of(1) == Entry(2, (person(1),))

    def test_nothing_is_left_of_an_entry_that_was_given_up_before_it_played(self) -> None:
        evening = RecordedTournament()
        evening.enter(2)
        before = evening.now
        for _ in range(50):
            evening.enter(1)
            evening.do(LeaveEntry(person(1)))
        assert replace(evening.now, version=before.version, numbered=before.numbered) == before
        evening.refuses(TournamentRefusal.NO_TABLE, Remove(ORGANISER, 2))

    def test_nobody_can_leave_without_having_entered(self) -> None:
        evening = RecordedTournament()
        for action in (LeaveEntry(person(1)), Withdraw(person(1))):
            evening.refuses(TournamentRefusal.NOT_ENTERED, action)

    def test_a_pair_is_two_and_each_may_leave_it(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.do(Enter(person(1)))
        evening.refuses(TournamentRefusal.ALREADY_ENTERED, JoinPartner(person(1), 1))
        evening.do(JoinPartner(person(2), 1))
        assert evening.entry(1).people == (person(1), person(2))
        evening.refuses(TournamentRefusal.NO_PLACE_BESIDE, JoinPartner(person(3), 1))
        evening.do(LeaveEntry(person(1)))
        assert evening.entry(1) == Entry(1, (person(2),))

    def test_somebody_who_waits_for_a_partner_may_join_another_who_waits(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.do(Enter(person(1)))
        evening.do(Enter(person(2)))
        evening.do(JoinPartner(person(2), 1))
        assert evening.entry(1).people == (person(1), person(2))
        assert [each.number for each in evening.now.entries] == [1]
        evening.refuses(TournamentRefusal.NO_PLACE_BESIDE, JoinPartner(person(3), 2))

    def test_only_an_existing_entry_of_pairs_takes_a_partner(self) -> None:
        evening = RecordedTournament()
        evening.enter(1)
        evening.refuses(TournamentRefusal.NOT_PAIRS, JoinPartner(person(2), 1))
        RecordedTournament(pairs=True).refuses(TournamentRefusal.NO_TABLE, JoinPartner(person(2), 1))

    @pytest.mark.parametrize(("format", "most"), [(Format.SWISS, 64), (Format.ALL_PLAY_ALL, 8)])
    def test_the_number_of_entries_is_limited(self, format: Format, most: int) -> None:
        evening = RecordedTournament(format)
        evening.enter(*range(1, most + 1))
        evening.refuses(TournamentRefusal.FULL, Enter(person(99)))
        evening.do(LeaveEntry(person(1)))
        evening.enter(99)

    def test_the_set_up_may_change_until_the_first_round_but_the_first_entry_settles_singles_or_pairs(
        self,
    ) -> None:
        evening = RecordedTournament()
        pairs = Setup(pairs=True)
        evening.do(ChangeSetup(ORGANISER, pairs))
        assert evening.now.setup == pairs
        assert evening.do(ChangeSetup(ORGANISER, pairs)) == []
        evening.do(Enter(person(1)))
        evening.refuses(TournamentRefusal.ENTERED_ALREADY, ChangeSetup(ORGANISER, Setup()))
        evening.do(ChangeSetup(ORGANISER, replace(pairs, target=21)))
        evening.refuses(TournamentRefusal.BAD_SETUP, ChangeSetup(ORGANISER, replace(pairs, target=3)))
        evening.do(BeginCheckIn(ORGANISER))
        evening.do(ChangeSetup(ORGANISER, pairs))
        evening = RecordedTournament().start(4)
        evening.refuses(TournamentRefusal.SETTLED, ChangeSetup(ORGANISER, Setup(target=21)))

    def test_a_format_too_small_for_those_entered_is_refused(self) -> None:
        evening = RecordedTournament()
        evening.enter(*range(1, 10))
        evening.refuses(TournamentRefusal.TOO_MANY, ChangeSetup(ORGANISER, Setup(Format.ALL_PLAY_ALL)))
        evening.do(LeaveEntry(person(9)))
        evening.do(ChangeSetup(ORGANISER, Setup(Format.ALL_PLAY_ALL)))

    @pytest.mark.parametrize(
        ("setup", "wrong"),
        [
            (Setup(), False),
            (Setup(preset="nope"), True),
            (Setup(preset="cientifica"), True),  # for pairs alone
            (Setup(preset="cientifica", pairs=True), False),
            (Setup(target=4), True),
            (Setup(rounds=4), False),
            (Setup(rounds=1), True),
            (Setup(Format.KNOCKOUT, rounds=4), True),
            (Setup(seeded=True), True),
            (Setup(Format.KNOCKOUT, seeded=True), False),
            (Setup(own=RuleSet(1, "Peña", Rules(target=51))), False),
            (Setup(own=RuleSet(1, "Peña", Rules(hand=10, table=0, opening=Opening.NONE))), True),  # scopone is for four
            (Setup(pairs=True, own=RuleSet(1, "Peña", Rules(hand=10, table=0, opening=Opening.NONE))), False),
            (Setup(preset="cientifica", own=RuleSet(1, "Peña", Rules())), False),
            (Setup(Format.DUPLICATE, boards=3), True),
            (Setup(Format.DUPLICATE, boards=4, rounds=5), False),
        ],
    )
    def test_a_set_up_that_cannot_be_played_is_refused(self, setup: Setup, wrong: bool) -> None:
        assert is_invalid(setup) is wrong


class TestCheckIn:
    def test_absent_entries_and_incomplete_pairs_are_left_out_with_the_reason(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.enter(1, 2, 3, 4, 5)
        evening.do(Enter(person(6)))
        evening.do(BeginCheckIn(ORGANISER))
        evening.check_in(1, 102, 3, 104, 6)
        assert evening.do(CheckIn(person(101))) == []  # one of a pair is enough
        evening.do(Begin(ORGANISER))
        assert [each.gone for each in evening.now.entries] == [None] * 4 + [Gone.ABSENT, Gone.NO_PARTNER]
        assert evening.now.rounds[0].numbers == {1, 2, 3, 4}

    def test_entering_during_check_in_counts_as_checking_in(self) -> None:
        evening = RecordedTournament()
        evening.refuses(TournamentRefusal.NOT_CHECK_IN, CheckIn(person(1)))
        evening.do(BeginCheckIn(ORGANISER))
        evening.enter(1)
        assert evening.entry(1).present
        evening.refuses(TournamentRefusal.CHECK_IN_BEGAN, BeginCheckIn(ORGANISER))

    def test_without_check_in_all_who_have_signed_up_play(self) -> None:
        assert RecordedTournament().start(6).now.rounds[0].numbers == {1, 2, 3, 4, 5, 6}

    @pytest.mark.parametrize(("format", "fewest"), [(Format.SWISS, 4), (Format.ALL_PLAY_ALL, 3), (Format.KNOCKOUT, 4)])
    def test_play_begins_only_with_enough_entries_present(self, format: Format, fewest: int) -> None:
        evening = RecordedTournament(format)
        evening.enter(*range(1, fewest + 1))
        evening.do(BeginCheckIn(ORGANISER))
        evening.check_in(*range(1, fewest))
        evening.refuses(TournamentRefusal.TOO_FEW, Begin(ORGANISER))
        evening.check_in(fewest)
        evening.do(Begin(ORGANISER))
        evening.refuses(TournamentRefusal.STARTED, Begin(ORGANISER))


class TestRounds:
    @pytest.mark.parametrize(
        ("format", "wanted", "entries", "rounds"),
        [
            *((Format.SWISS, None, entries, 3) for entries in range(4, 9)),
            (Format.SWISS, None, 9, 4),
            (Format.SWISS, None, 16, 4),
            (Format.SWISS, None, 17, 5),
            (Format.DUPLICATE, None, 64, 6),
            (Format.SWISS, 2, 16, 2),
            (Format.SWISS, 9, 10, 5),
            (Format.SWISS, 9, 4, 3),
            (Format.ALL_PLAY_ALL, None, 0, 0),
            (Format.ALL_PLAY_ALL, None, 7, 7),
            (Format.ALL_PLAY_ALL, None, 8, 7),
            (Format.KNOCKOUT, None, 4, 2),
            (Format.KNOCKOUT, None, 9, 4),
        ],
    )
    def test_there_are_as_many_as_the_entries_need(
        self, format: Format, wanted: int | None, entries: int, rounds: int
    ) -> None:
        assert rounds_for(Setup(format, rounds=wanted), entries) == rounds

    def test_the_number_is_settled_by_the_first_round(self) -> None:
        evening = RecordedTournament().start(8)
        evening.enter(9)
        assert evening.now.planned == 3
        evening.do(Withdraw(person(1)))
        assert evening.now.planned == 3

    def test_the_next_one_waits_for_all_tables(self) -> None:
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4)
        evening.refuses(TournamentRefusal.NOT_STARTED, DrawRound(ORGANISER))
        evening.do(Begin(ORGANISER))
        evening.win(1)
        evening.refuses(TournamentRefusal.ROUND_RUNNING, DrawRound(ORGANISER))
        evening.play_round(Random(1))
        assert [type(event) for event in evening.do(DrawRound(ORGANISER))] == [RoundPaired]

    def test_the_last_result_ends_it(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        evening.play_round(Random(1))
        evening.next_round()
        assert evening.report(1, Outcome((15, 3), 0))[-1] == StageBegan(TournamentStage.FINISHED)

    def test_it_ends_when_nobody_is_left_to_play(self) -> None:
        evening = RecordedTournament().start(4)
        evening.play_round(Random(1))
        for number in (1, 2, 3):
            evening.do(Withdraw(person(number)))
        assert evening.do(DrawRound(ORGANISER)) == [StageBegan(TournamentStage.FINISHED, ORGANISER)]

    def test_a_report_counts_once_and_only_for_the_match_that_counts(self) -> None:
        evening = RecordedTournament().start(4)
        [event] = evening.report(1, Outcome((15, 3), 0))
        assert event
        for report in (
            Report(1, 1, 1, Outcome((3, 15), 1)),
            Report(1, 9, 1, Outcome((3, 15), 1)),
            Report(2, 2, 1, Outcome((3, 15), 1)),
            Report(1, 2, 2, Outcome((3, 15), 1)),
        ):
            assert evening.do(report) == []
        evening.do(CancelTournament(ORGANISER))
        assert evening.do(Report(1, 2, 1, Outcome((3, 15), 1))) == []


class TestSingles:
    """People without a partner."""

    def test_two_who_are_waiting_when_the_first_round_is_drawn_are_paired_in_order(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.enter(1, 2)
        for number in (10, 11, 12, 13, 14):
            evening.do(Enter(person(number)))
        assert (evening.now.starting, evening.now.planned) == (4, 3)
        evening.do(Begin(ORGANISER))
        assert [[each.id for each in evening.entry(number).people] for number in (3, 5)] == [[10, 11], [12, 13]]
        assert evening.entry(7).gone is Gone.NO_PARTNER
        assert evening.now.rounds[0].numbers == {1, 2, 3, 5}

    def test_somebody_who_is_waiting_but_has_not_checked_in_is_not_paired(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.enter(1, 2, 3, 4)
        for number in (10, 11, 12):
            evening.do(Enter(person(number)))
        evening.do(BeginCheckIn(ORGANISER))
        evening.check_in(1, 2, 3, 4, 10, 12)
        evening.do(Begin(ORGANISER))
        assert [each.id for each in evening.entry(5).people] == [10, 12]
        assert evening.entry(6).gone is Gone.NO_PARTNER

    def test_late_ones_are_paired_when_the_next_round_is_drawn(self) -> None:
        evening = RecordedTournament(pairs=True, rounds=4).start(8)
        evening.do(Enter(person(50)))
        evening.do(Enter(person(51)))
        evening.play_round(Random(1))
        evening.next_round()
        assert [each.id for each in evening.entry(9).people] == [50, 51]
        assert 9 in evening.now.rounds[1].numbers

    def test_late_ones_get_only_the_free_place_of_an_all_play_all(self) -> None:
        evening = RecordedTournament(Format.ALL_PLAY_ALL, pairs=True).start(5)
        for number in (50, 51, 52):
            evening.do(Enter(person(number)))
        evening.play_round(Random(1))
        evening.next_round()
        assert evening.now.rounds[1].numbers == {1, 2, 3, 4, 5, 6}
        assert len(evening.entry(8).people) == 1


class TestComingAndGoing:
    def test_late_entries_come_in_until_half_the_rounds_are_drawn(self) -> None:
        evening = RecordedTournament(rounds=4).start(8)
        random = Random(1)
        evening.play_round(random)
        evening.next_round()
        evening.enter(9)
        assert (evening.entry(9).present, evening.entry(9).from_round) == (True, 3)
        evening.play_round(random)
        evening.next_round()
        assert 9 in evening.now.rounds[2].numbers
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(10)))

    def test_one_late_entry_takes_the_free_place_of_an_all_play_all(self) -> None:
        evening = RecordedTournament(Format.ALL_PLAY_ALL).start(5)
        assert may_enter(evening.now, person(6))
        evening.enter(6)
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(7)))
        evening.play_on(Random(1))
        assert len(evening.now.rounds) == 5
        assert evening.now.rounds[0].byes != ()
        assert [each.byes for each in evening.now.rounds[1:]] == [()] * 4
        met = {
            each.first + each.second - 6
            for round in evening.now.rounds
            for each in round.pairings
            if 6 in (each.first, each.second)
        }
        assert met == {1, 2, 3, 4, 5} - set(evening.now.rounds[0].byes)

    def test_a_free_place_is_given_away_again_only_if_nobody_has_played_from_it(self) -> None:
        evening = RecordedTournament(Format.ALL_PLAY_ALL).start(5)
        evening.enter(6)
        evening.do(Withdraw(person(6)))
        evening.enter(7)
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(6)))
        evening.play_round(Random(1))
        evening.next_round()
        evening.do(Withdraw(person(7)))
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(6)))
        assert evening.do(Enter(person(7))) == [CameBack(7)]

    def test_in_a_knockout_whoever_has_not_lost_may_come_back(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        winner, loser = evening.now.rounds[0].pairings[0].first, evening.now.rounds[0].pairings[0].second
        for number in (winner, loser):
            evening.do(Withdraw(person(number)))
            assert evening.do(Enter(person(number))) == [CameBack(number)]
        evening.win(winner)
        evening.do(Withdraw(person(winner)))
        assert not may_enter(evening.now, person(loser))
        assert evening.do(Enter(person(winner))) == [CameBack(winner)]
        evening.play_round(Random(1))
        evening.next_round()
        assert winner in evening.now.rounds[1].numbers

    @pytest.mark.parametrize("entries", [5, 6, 7, 11, 13])
    @pytest.mark.parametrize("seeded", [False, True])
    def test_late_entries_of_a_knockout_take_the_byes_of_its_first_round(self, entries: int, seeded: bool) -> None:
        evening = RecordedTournament(Format.KNOCKOUT, lot=entries, seeded=seeded)
        evening.enter(*range(1, entries + 1))
        evening.do(Begin(ORGANISER, tuple((number, 50.0 - number) for number in range(1, entries + 1))))
        planned, byes = evening.now.planned, evening.now.rounds[0].byes
        if seeded:
            assert evening.now.free_bye == max(byes)
        for late in range(len(byes)):
            assert may_enter(evening.now, person(100 + late))
            evening.enter(100 + late)
            assert evening.now.rounds[0].pairings[-1].table == len(evening.now.rounds[0].pairings)
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(200)))
        assert evening.now.rounds[0].byes == ()
        assert (evening.now.planned, len(evening.now.rounds[0].numbers)) == (planned, 2**planned)
        evening.play_on(Random(entries))
        assert [len(each.pairings) for each in evening.now.rounds] == [2**left for left in reversed(range(planned))]

    def test_the_bracket_stays_when_a_late_entry_takes_a_bye(self) -> None:
        for lot in range(20):
            evening = RecordedTournament(Format.KNOCKOUT, lot=lot).start(7)
            [host] = evening.now.rounds[0].byes
            alone = RecordedTournament(Format.KNOCKOUT, lot=lot).start(7)
            evening.enter(8)
            for each in (evening, alone):
                for pairing in each.now.rounds[0].pairings:
                    each.win(host if host in (pairing.first, pairing.second) else min(pairing.first, pairing.second))
                each.next_round()
            assert {frozenset((each.first, each.second)) for each in evening.now.rounds[1].pairings} == {
                frozenset((each.first, each.second)) for each in alone.now.rounds[1].pairings
            }
            assert evening.now.rounds[1].numbers == alone.now.rounds[1].numbers

    def test_a_bye_is_free_only_while_the_first_round_goes_on_and_for_complete_pairs(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT, pairs=True).start(7)
        evening.do(Enter(person(50)))
        assert len(evening.now.rounds[0].byes) == 1
        evening.do(JoinPartner(person(51), 8))
        assert evening.now.rounds[0].byes == ()
        evening = RecordedTournament(Format.KNOCKOUT).start(7)
        evening.play_round(Random(1))
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(8)))
        evening.next_round()
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(8)))

    def test_a_bye_of_somebody_who_has_withdrawn_is_not_free(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(7)
        [host] = evening.now.rounds[0].byes
        evening.do(Withdraw(person(host)))
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(8)))

    @pytest.mark.parametrize("format", [Format.ALL_PLAY_ALL, Format.KNOCKOUT])
    def test_nobody_comes_late_where_the_first_round_settles_who_meets_whom(self, format: Format) -> None:
        RecordedTournament(format).start(4).refuses(TournamentRefusal.TOO_LATE, Enter(person(9)))

    def test_a_late_pair_plays_once_it_is_complete(self) -> None:
        evening = RecordedTournament(pairs=True, rounds=4).start(8)
        evening.do(Enter(person(50)))
        evening.play_round(Random(1))
        evening.next_round()
        assert 9 not in evening.now.rounds[1].numbers
        evening.do(JoinPartner(person(51), 9))
        evening.play_round(Random(1))
        evening.next_round()
        assert 9 in evening.now.rounds[2].numbers

    def test_a_latecomer_who_waits_for_a_partner_may_leave_again(self) -> None:
        evening = RecordedTournament(pairs=True, rounds=4).start(8)
        evening.do(Enter(person(50)))
        evening.do(Withdraw(person(50)))
        assert evening.now.entry_of(50) is None

    def test_a_withdrawn_entry_plays_no_further_round_but_may_come_back(self) -> None:
        evening = RecordedTournament().start(8)
        evening.do(Withdraw(person(1)))
        evening.refuses(TournamentRefusal.NOT_ENTERED, Withdraw(person(1)))
        evening.play_round(Random(1))
        evening.next_round()
        assert 1 not in evening.now.rounds[1].numbers
        assert evening.do(Enter(person(1))) == [CameBack(1)]
        evening.play_round(Random(1))
        evening.next_round()
        assert 1 in evening.now.rounds[2].numbers
        evening.do(Withdraw(person(1)))
        evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(1)))

    def test_a_withdrawn_entry_cannot_come_back_once_its_place_is_taken(self) -> None:
        evening = RecordedTournament(rounds=4).start(64)
        evening.do(Withdraw(person(1)))
        evening.enter(99)
        evening.refuses(TournamentRefusal.FULL, Enter(person(1)))

    def test_somebody_absent_at_the_start_may_come_late(self) -> None:
        evening = RecordedTournament()
        evening.enter(1, 2, 3, 4, 5)
        evening.do(BeginCheckIn(ORGANISER))
        evening.check_in(1, 2, 3, 4)
        evening.do(Begin(ORGANISER))
        assert evening.do(Enter(person(5))) == [CameBack(5)]
        assert (evening.entry(5).gone, evening.entry(5).from_round) == (None, 2)

    def test_a_pair_comes_back_only_together(self) -> None:
        evening = RecordedTournament(pairs=True, rounds=4).start(8)
        evening.do(Withdraw(person(1)))
        evening.do(Enter(person(1)))
        evening.do(Withdraw(person(101)))
        assert evening.entry(1).gone is Gone.WITHDREW
        evening.do(Enter(person(50)))
        evening.do(JoinPartner(person(101), 9))
        assert evening.do(Enter(person(1))) == [Entered((person(1),))]  # the old partner plays with another now

    def test_an_entry_taken_out_by_the_organiser_stays_out(self) -> None:
        evening = RecordedTournament(pairs=True).start(4)
        assert evening.do(Remove(ORGANISER, 1)) == [Withdrawn(1, Gone.REMOVED, ORGANISER)]
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, 1))
        evening.refuses(TournamentRefusal.NO_TABLE, Remove(ORGANISER, 9))
        for number in (1, 101):
            evening.refuses(TournamentRefusal.REMOVED, Enter(person(number)))
        evening.do(Enter(person(50)))
        evening.refuses(TournamentRefusal.REMOVED, JoinPartner(Person(101, "Another name"), 5))

    def test_nobody_leaves_their_place_once_the_first_round_is_drawn(self) -> None:
        RecordedTournament().start(4).refuses(TournamentRefusal.STARTED, LeaveEntry(person(1)))

    def test_a_loser_of_a_knockout_has_nothing_to_withdraw_from(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        loser = evening.now.rounds[0].pairings[0].second
        evening.win(evening.now.rounds[0].pairings[0].first)
        evening.refuses(TournamentRefusal.OUT, Withdraw(person(loser)))
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, loser))
        for pairing in evening.now.rounds[0].pairings:  # a winner, and somebody whose match isn't over
            evening.do(Withdraw(person(pairing.first)))

    def test_a_second_forfeit_takes_an_entry_out_and_it_may_come_back(self) -> None:
        evening = RecordedTournament(rounds=4).start(8)
        assert len(evening.forfeit(1)) == 1
        evening.play_round(Random(1))
        evening.next_round()
        assert evening.forfeit(1)[1:] == [Withdrawn(1, Gone.FORFEITS)]
        assert evening.do(Enter(person(1))) == [CameBack(1)]

    @pytest.mark.parametrize("again", [False, True], ids=["corrected", "played again"])
    def test_an_entry_out_by_a_forfeit_is_in_again_once_that_is_void(self, again: bool) -> None:
        evening = RecordedTournament(rounds=4).start(8)
        evening.forfeit(1)
        evening.play_round(Random(1))
        evening.next_round()
        evening.forfeit(1)
        assert evening.entry(1).gone is Gone.FORFEITS
        table = evening.pairing_of(1).table
        still = Correct(ORGANISER, 2, table, Outcome((2, 5), int(evening.pairing_of(1).first == 1), forfeit=True))
        assert CameBack(1) not in evening.do(still)
        void = PlayAgain(ORGANISER, 2, table) if again else Correct(ORGANISER, 2, table, Outcome((15, 3), 0))
        assert evening.do(void)[1:] == [CameBack(1)]
        assert evening.entry(1).gone is None

    def test_a_match_that_neither_came_to_counts_against_both(self) -> None:
        evening = RecordedTournament(rounds=3).start(4)
        evening.report(1, LOST_TO_NOBODY)
        evening.report(2, LOST_TO_NOBODY)
        evening.next_round()
        evening.report(1, LOST_TO_NOBODY)
        pairing = evening.now.rounds[1].pairings[0]
        gone = {each.number for each in evening.now.entries if each.gone is Gone.FORFEITS}
        assert gone == {pairing.first, pairing.second}


class TestOrganising:
    def test_only_the_organiser_and_managers_can_organise(self) -> None:
        evening = RecordedTournament().start(4)
        for action in (
            ChangeSetup(person(1), Setup()),
            BeginCheckIn(person(1)),
            Begin(person(1)),
            DrawRound(person(1)),
            Remove(person(1), 2),
            Correct(person(1), 1, 1, LOST_TO_NOBODY),
            PlayAgain(person(1), 1, 1),
            CancelTournament(person(1)),
        ):
            evening.refuses(TournamentRefusal.NOT_ORGANISER, action)
        assert evening.do(CancelTournament(person(1)), manages=True) == [
            StageBegan(TournamentStage.CANCELLED, person(1))
        ]
        evening.refuses(TournamentRefusal.OVER, Enter(person(9)))
        evening.refuses(TournamentRefusal.OVER, Correct(ORGANISER, 1, 1, LOST_TO_NOBODY))

    def test_a_correction_is_noted_with_what_was_before_and_by_whom(self) -> None:
        evening = RecordedTournament().start(4)
        before, after = Outcome((15, 3), 0), Outcome((3, 15), 1)
        evening.report(1, before)
        evening.do(Correct(ORGANISER, 1, 1, after))
        assert evening.now.corrections == (Correction(1, 1, before, after, ORGANISER),)
        assert evening.do(Correct(ORGANISER, 1, 1, after)) == []

    def test_an_outcome_given_to_a_table_that_plays_makes_its_own_result_void(self) -> None:
        evening = RecordedTournament().start(4)
        evening.do(Correct(ORGANISER, 1, 1, Outcome((0, 0), 1, forfeit=True)))
        assert evening.report(1, Outcome((15, 3), 0)) == []

    def test_the_last_outcome_may_be_the_organisers(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        evening.play_round(Random(1))
        evening.next_round()
        events = evening.do(Correct(ORGANISER, 2, 1, Outcome((0, 0), 0, forfeit=True)))
        assert events[-1] == StageBegan(TournamentStage.FINISHED)
        assert len(evening.do(Correct(ORGANISER, 2, 1, Outcome((15, 1), 0)))) == 1  # it can still be put right
        evening.refuses(TournamentRefusal.PAIRED_SINCE, Correct(ORGANISER, 1, 1, LOST_TO_NOBODY))

    @pytest.mark.parametrize(("round", "table"), [(0, 1), (2, 1), (1, 3), (1, 0)])
    def test_only_an_existing_table_can_be_corrected(self, round: int, table: int) -> None:
        evening = RecordedTournament().start(4)
        evening.refuses(TournamentRefusal.NO_TABLE, Correct(ORGANISER, round, table, LOST_TO_NOBODY))

    @pytest.mark.parametrize(
        ("format", "outcome", "possible"),
        [
            (Format.SWISS, Outcome((15, 3), 0), True),
            (Format.SWISS, Outcome((15, 3), 1), False),
            (Format.SWISS, Outcome((15, 15), 0), False),
            (Format.SWISS, Outcome((9, 9), None), False),
            (Format.SWISS, Outcome((-1, 9), 1), False),
            (Format.SWISS, Outcome((3, 9), 2), False),
            (Format.SWISS, Outcome((9, 3), 1, forfeit=True), True),
            (Format.SWISS, Outcome((1, 0), 0, board_points=((1, 0),)), False),
            (Format.DUPLICATE, Outcome((9, 9), None), True),
            (Format.DUPLICATE, Outcome((3, 2), 0, board_points=((3, 0), (0, 2))), True),
            (Format.DUPLICATE, Outcome((3, 1), 0, board_points=((3, 0), (0, 2))), False),
            (Format.DUPLICATE, Outcome((3, 0), 0, board_points=((1, 0),) * 3), False),
        ],
    )
    def test_an_impossible_outcome_is_refused(self, format: Format, outcome: Outcome, possible: bool) -> None:
        evening = RecordedTournament(format).start(4)
        action = Correct(ORGANISER, 1, 1, outcome)
        if possible:
            assert evening.do(action)
        else:
            evening.refuses(TournamentRefusal.BAD_OUTCOME, action)

    def test_a_table_that_plays_again_has_a_new_match_that_counts(self) -> None:
        evening = RecordedTournament().start(4)
        outcome = Outcome((0, 0), 0, forfeit=True)
        evening.report(1, outcome)
        evening.do(PlayAgain(ORGANISER, 1, 1))
        round = evening.now.rounds[0]
        assert (round.outcomes, round.attempt(1), round.attempt(2)) == ({}, 2, 1)
        assert evening.now.corrections == (Correction(1, 1, outcome, None, ORGANISER),)
        assert evening.do(Report(1, 1, 1, outcome)) == []
        assert evening.do(Report(1, 1, 2, outcome))

    def test_boards_that_were_seen_are_not_played_again(self) -> None:
        evening = RecordedTournament(Format.DUPLICATE).start(4)
        evening.refuses(TournamentRefusal.BOARDS_SEEN, PlayAgain(ORGANISER, 1, 1))
        assert evening.do(Correct(ORGANISER, 1, 1, Outcome((0, 0), None)))  # average for both

    def test_a_table_of_an_earlier_round_does_not_play_again(self) -> None:
        evening = RecordedTournament()
        evening.refuses(TournamentRefusal.NOT_STARTED, PlayAgain(ORGANISER, 1, 1))
        evening.start(4).play_round(Random(1))
        evening.next_round()
        evening.refuses(TournamentRefusal.PAIRED_SINCE, PlayAgain(ORGANISER, 1, 1))
        evening.refuses(TournamentRefusal.NO_TABLE, PlayAgain(ORGANISER, 2, 3))


def test_an_impossible_log_is_not_read() -> None:
    now = RecordedTournament().start(4).now
    for event in (Withdrawn(9, Gone.WITHDREW), RecordedTournament().announced):
        with pytest.raises(ValueError, match=r"no such entry|announced once"):
            apply(now, event)


def test_deciding_changes_nothing_and_answers_the_same_twice() -> None:
    now = RecordedTournament().start(8).now
    assert decide(now, Withdraw(person(1))) == decide(now, Withdraw(person(1))) == [Withdrawn(1, Gone.WITHDREW)]


LIMITED_OTHERWISE = {Ask}
"""The actions that mention somebody, so that there is a limit of their own on them."""


def signed_up(*, pairs: bool) -> RecordedTournament:
    evening = RecordedTournament(pairs=pairs, start=Start(1_800_000_000, "UTC"))
    evening.enter(1, 2, 3)
    evening.do(Enter(ORGANISER))
    return evening


def begun() -> RecordedTournament:
    evening = signed_up(pairs=False)
    evening.do(Begin(ORGANISER))
    return evening


@pytest.mark.parametrize("start", [partial(signed_up, pairs=False), partial(signed_up, pairs=True), begun])
def test_a_log_grows_without_end_only_by_actions_that_are_counted(start: Callable[[], RecordedTournament]) -> None:
    random = Random("counted")
    kinds = [each for _, each in getmembers(log, is_action) if not each.counted and each not in LIMITED_OTHERWISE]
    for two in combinations(kinds, 2):  # one may undo what the other does
        evening = start()
        for _ in range(200):
            with suppress(Refusal):
                evening.do(some_action(random.choice(two), evening, random))
        assert len(evening.log) < 20, two


def is_action(each: object) -> bool:
    return isclass(each) and issubclass(each, TournamentAction) and each is not TournamentAction


def some_action(kind: type[TournamentAction], evening: RecordedTournament, random: Random) -> TournamentAction:
    """An action of a kind, as anybody might ask for it."""
    setup = evening.now.setup
    values = {
        "person": random.choice((ORGANISER, person(random.randint(1, 4)))),
        "entry": random.randint(1, 5),
        "disqualified": random.random() < 0.5,
        "setup": replace(setup, target=random.choice((11, 21))),
        "weekly": random.choice((None, 100)),
        "ratings": (),
        "due": False,
        "round": 1,
        "table": 1,
        "outcome": some_outcome(setup, random),
        "number": random.randint(1, 5),
        "agrees": random.random() < 0.5,
    }
    return kind(**{each.name: values[each.name] for each in fields(kind)})
