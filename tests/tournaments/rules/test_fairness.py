"""Nobody plays without saying so, decides alone about their own match, or is ranked by more than they have played."""

from fractions import Fraction
from random import Random

import pytest

from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import (
    Agreed,
    Answer,
    Ask,
    Asked,
    Begin,
    BeginCheckIn,
    CameBack,
    CancelTournament,
    Correct,
    Corrected,
    Declined,
    DrawRound,
    Enter,
    Entered,
    JoinPartner,
    LeaveEntry,
    LeftEntry,
    PlayAgain,
    Proposed,
    Remove,
    Replayed,
    StageBegan,
    TournamentAction,
    Withdraw,
)
from bot.tournaments.rules.pairings import in_play
from bot.tournaments.rules.results import awaited
from bot.tournaments.rules.standings import podium, standings
from bot.tournaments.rules.tournament import Correction, Format, Gone, Outcome, Proposal, TournamentStage
from tests.support.club import ORGANISER, RecordedTournament, person

WON, LOST = Outcome((15, 3), 0), Outcome((3, 15), 1)


class TestBeingAsked:
    def test_who_is_asked_plays_only_after_saying_so(self) -> None:
        evening = RecordedTournament()
        evening.enter(1, 2, 3)
        assert evening.do(Ask(ORGANISER, person(4))) == [Asked(person(4), ORGANISER)]
        assert evening.now.entry_of(4) is None
        assert len(evening.now.starters) == 3
        evening.refuses(TournamentRefusal.TOO_FEW, Begin(ORGANISER))
        assert evening.now.asked == (person(4),)
        assert evening.do(Enter(person(4))) == [Entered((person(4),))]
        assert evening.now.asked == ()
        evening.do(Begin(ORGANISER))

    def test_only_the_organiser_asks_and_each_person_once(self) -> None:
        evening = RecordedTournament()
        evening.refuses(TournamentRefusal.NOT_ORGANISER, Ask(person(1), person(2)))
        evening.do(Ask(ORGANISER, person(1)))
        evening.refuses(TournamentRefusal.ALREADY_ASKED, Ask(ORGANISER, person(1)))
        evening.do(Enter(person(1)))
        evening.refuses(TournamentRefusal.ALREADY_ENTERED, Ask(ORGANISER, person(1)))
        assert evening.now.called == {1}

    def test_who_says_no_is_asked_no_more_and_stays_called(self) -> None:
        evening = RecordedTournament()
        evening.do(Ask(ORGANISER, person(1)))
        assert evening.do(LeaveEntry(person(1))) == [LeftEntry(1)]
        assert (evening.now.asked, evening.now.called) == ((), {1})
        evening.refuses(TournamentRefusal.NOT_ENTERED, LeaveEntry(person(1)))

    def test_a_pair_is_asked_person_by_person(self) -> None:
        evening = RecordedTournament(pairs=True)
        evening.do(Enter(person(1)))
        evening.do(Ask(ORGANISER, person(2)))
        evening.do(JoinPartner(person(2), 1))
        assert evening.now.asked == ()

    def test_nobody_is_asked_who_could_not_enter(self) -> None:
        evening = RecordedTournament(Format.ALL_PLAY_ALL)
        evening.enter(1, 2, 3)
        evening.do(Remove(ORGANISER, 3))
        evening.refuses(TournamentRefusal.REMOVED, Ask(ORGANISER, person(3)))
        evening.enter(4, 5)
        evening.do(Begin(ORGANISER))
        evening.refuses(TournamentRefusal.TOO_LATE, Ask(ORGANISER, person(9)))

    def test_check_in_calls_everybody_who_has_signed_up(self) -> None:
        evening = RecordedTournament()
        evening.enter(1, 2)
        evening.do(LeaveEntry(person(2)))
        evening.do(Ask(ORGANISER, person(3)))
        evening.do(BeginCheckIn(ORGANISER))
        assert evening.now.called == {1, 3}

    def test_somebody_who_comes_back_is_asked_no_more(self) -> None:
        evening = RecordedTournament().start(6)
        evening.do(Withdraw(person(1)))
        evening.do(Ask(ORGANISER, person(1)))
        assert evening.do(Enter(person(1))) == [CameBack(1)]
        assert evening.now.asked == ()


class TestAnOrganiserWhoPlays:
    @staticmethod
    def evening(format: Format = Format.SWISS) -> tuple[RecordedTournament, int, int]:
        """An evening of four, of whom the first organises too; with their table and their opponent's number."""
        evening = RecordedTournament(format)
        for each in (ORGANISER, person(2), person(3), person(4)):
            evening.do(Enter(each))
        evening.do(Begin(ORGANISER))
        pairing = evening.pairing_of(1)
        return evening, pairing.table, pairing.first + pairing.second - 1

    @pytest.mark.parametrize("again", [False, True])
    def test_their_own_match_is_corrected_when_an_opponent_agrees(self, again: bool) -> None:
        evening, table, other = self.evening()
        evening.win(other)
        before = evening.now.rounds[0].outcomes[table]
        after = None if again else Outcome((before.points[1], before.points[0]), 1 - (before.winner or 0))
        action: TournamentAction = PlayAgain(ORGANISER, 1, table)
        if after is not None:
            action = Correct(ORGANISER, 1, table, after)
        assert evening.do(action) == [Proposed(1, table, after, ORGANISER)]
        assert evening.now.rounds[0].outcomes[table] == before, "nothing changed"
        [proposal] = evening.now.proposals
        assert evening.now.proposal(1, table) == proposal == Proposal(evening.now.version, 1, table, after, ORGANISER)
        for stranger in (ORGANISER, person(next(each for each in (2, 3, 4) if each != other))):
            evening.refuses(TournamentRefusal.NOT_ASKED, Answer(stranger, 1, table, proposal.number, agrees=True))
        made = evening.do(Answer(person(other), 1, table, proposal.number, agrees=True))
        agreed = person(other)
        if after is None:
            assert made == [Replayed(table, ORGANISER, agreed)]
        else:
            assert made == [Corrected(1, table, after, ORGANISER, agreed)]
        assert evening.now.proposals == ()
        assert evening.now.corrected(1, table) == Correction(1, table, before, after, ORGANISER, agreed)

    def test_an_opponent_may_decline(self) -> None:
        evening, table, other = self.evening()
        evening.win(other)
        before = evening.now.rounds[0].outcomes
        evening.do(Correct(ORGANISER, 1, table, WON if evening.pairing_of(1).first == 1 else LOST))
        [proposal] = evening.now.proposals
        answer = Answer(person(other), 1, table, proposal.number, agrees=False)
        assert evening.do(answer) == [Declined(1, table, person(other))]
        assert (evening.now.proposals, evening.now.rounds[0].outcomes) == ((), before)
        evening.refuses(TournamentRefusal.ANSWERED, answer)

    def test_nobody_agrees_to_another_proposal_than_the_one_they_saw(self) -> None:
        evening, table, other = self.evening()
        evening.win(other)
        evening.do(Correct(ORGANISER, 1, table, Outcome((0, 0), None, forfeit=True)))
        [seen] = evening.now.proposals
        evening.do(Correct(ORGANISER, 1, table, Outcome((0, 0), 0, forfeit=True)))
        assert len(evening.now.proposals) == 1
        evening.refuses(TournamentRefusal.ANSWERED, Answer(person(other), 1, table, seen.number, agrees=True))

    def test_another_manager_decides_alone_and_that_settles_it(self) -> None:
        evening, table, other = self.evening()
        evening.win(other)
        evening.do(Correct(ORGANISER, 1, table, Outcome((0, 0), None, forfeit=True)))
        evening.do(Correct(person(77), 1, table, Outcome((0, 0), 0, forfeit=True)), manages=True)
        assert evening.now.proposals == ()
        assert evening.now.corrections[-1].by == person(77)

    def test_a_manager_is_bound_in_their_own_match_too(self) -> None:
        evening, table, other = self.evening()
        assert evening.do(Correct(person(other), 1, table, WON), manages=True) == [
            Proposed(1, table, WON, person(other))
        ]

    def test_a_table_without_a_result_is_theirs_to_decide(self) -> None:
        evening, table, _ = self.evening()
        elsewhere = 3 - table
        assert evening.do(Correct(ORGANISER, 1, elsewhere, WON)) == [Corrected(1, elsewhere, WON, ORGANISER)]

    def test_a_table_that_ends_settles_what_was_proposed_before(self) -> None:
        evening, _, other = self.evening()
        evening.do(Correct(ORGANISER, 1, evening.pairing_of(1).table, WON))
        evening.win(other)
        assert evening.now.proposals == ()

    def test_nobody_takes_their_opponent_out(self) -> None:
        evening, _, other = self.evening()
        evening.refuses(TournamentRefusal.OWN_OPPONENT, Remove(ORGANISER, other))
        evening.refuses(TournamentRefusal.OWN_OPPONENT, Remove(ORGANISER, other, disqualified=True))
        evening.do(Remove(person(77), other), manages=True)
        assert evening.entry(other).gone is Gone.REMOVED

    def test_the_last_result_is_corrected_by_agreement_after_the_end(self) -> None:
        evening, *_ = self.evening()
        evening.play_on(Random(3))
        table = evening.pairing_of(1).table
        number = len(evening.now.rounds)
        evening.do(Correct(ORGANISER, number, table, Outcome((1, 0), 0)))
        [proposal] = evening.now.proposals
        [other] = evening.now.opponents_of(ORGANISER.id, evening.pairing_of(1))
        evening.do(Answer(other, number, table, proposal.number, agrees=True))
        assert evening.now.rounds[-1].outcomes[table] == Outcome((1, 0), 0)


class TestTheDisqualified:
    @pytest.mark.parametrize("format", [Format.SWISS, Format.ALL_PLAY_ALL, Format.DUPLICATE, Format.KNOCKOUT])
    @pytest.mark.parametrize("seed", range(4))
    def test_they_stand_on_no_podium_and_behind_all_others(self, format: Format, seed: int) -> None:
        evening = RecordedTournament(format, lot=seed).start(6)
        evening.play_round(Random(seed))
        ahead = standings(evening.now)[0].entry
        assert evening.do(Remove(ORGANISER, ahead, disqualified=True))[0].why is Gone.DISQUALIFIED  # type: ignore[union-attr]
        assert ahead not in in_play(evening.now)
        while evening.now.stage is TournamentStage.PLAYING:
            evening.next_round()
            if evening.now.stage is TournamentStage.PLAYING:
                evening.play_round(Random(seed))
        ranked = standings(evening.now)
        assert ranked[-1].entry == ahead
        assert ranked[-1].rank > ranked[-2].rank
        assert ranked[0].rank == 1
        assert ahead not in [each.entry for each in podium(evening.now)]

    def test_who_was_taken_out_or_has_lost_can_be_disqualified_once_too(self) -> None:
        evening = RecordedTournament(Format.KNOCKOUT).start(4)
        evening.play_round(Random(1))
        winner = next(each for each in (1, 2, 3, 4) if each in in_play(evening.now))
        loser = next(each for each in (1, 2, 3, 4) if each not in in_play(evening.now))
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, loser))
        evening.do(Remove(ORGANISER, loser, disqualified=True))
        evening.do(Remove(ORGANISER, winner))
        evening.do(Remove(ORGANISER, winner, disqualified=True))
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, winner, disqualified=True))
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, winner))

    def test_they_cannot_come_back(self) -> None:
        evening = RecordedTournament().start(6)
        evening.do(Remove(ORGANISER, 1, disqualified=True))
        evening.refuses(TournamentRefusal.REMOVED, Enter(person(1)))

    def test_before_the_first_round_there_is_nothing_to_be_disqualified_from_twice(self) -> None:
        evening = RecordedTournament()
        evening.enter(1)
        evening.do(Remove(ORGANISER, 1))
        evening.refuses(TournamentRefusal.OUT, Remove(ORGANISER, 1, disqualified=True))


def test_a_late_entrys_percentage_adds_up_with_the_rounds_that_it_missed() -> None:
    evening = RecordedTournament(Format.DUPLICATE, rounds=3).start(6)
    evening.play_round(Random(1))
    evening.enter(9)
    for _ in range(2):
        evening.next_round()
        evening.play_round(Random(2))
    for each in standings(evening.now):
        assert len(each.rounds.parts) == 3
        assert sum(part.value for part in each.rounds.parts) / 3 == each.score
    late = next(each for each in standings(evening.now) if each.entry == len(evening.now.entries))
    assert (late.rounds.parts[0].value, late.rounds.parts[0].opponent) == (Fraction(0), None)


def test_it_is_known_who_has_cancelled_a_tournament() -> None:
    evening = RecordedTournament()
    evening.do(CancelTournament(person(77)), manages=True)
    assert evening.now.cancelled_by == person(77)


def test_what_begins_by_itself_is_nobodys_decision() -> None:
    evening = RecordedTournament(Format.KNOCKOUT)
    evening.enter(1, 2, 3, 4)
    evening.do(BeginCheckIn(ORGANISER))
    evening.check_in(1, 2, 3, 4)
    assert StageBegan(TournamentStage.PLAYING) in evening.do(Begin(ORGANISER, due=True))
    for each in evening.now.rounds[0].pairings:
        evening.report(each.table, Outcome((0, 0), None, forfeit=True))
    assert evening.do(DrawRound(ORGANISER, due=True)) == [StageBegan(TournamentStage.FINISHED)]


def test_the_end_of_a_round_does_not_ask_whoever_was_asked() -> None:
    evening = RecordedTournament(rounds=3).start(6)
    evening.do(Ask(ORGANISER, person(9)))
    assert evening.now.asks
    evening.play_round(Random(1))
    evening.do(DrawRound(ORGANISER))
    assert not evening.now.asks
    evening.refuses(TournamentRefusal.TOO_LATE, Enter(person(9)))


class TestWhoAgrees:
    """A correction of a rated result, by an organiser who may not manage messages, or takes part."""

    def evening(self, *, pairs: bool = False) -> tuple[RecordedTournament, int]:
        """An evening in whose first round entry 1 has won; returns its table, too."""
        evening = RecordedTournament(pairs=pairs).start(4)
        evening.win(1)
        return evening, evening.pairing_of(1).table

    def proposed(self, evening: RecordedTournament, action: TournamentAction) -> Proposal:
        """Check that somebody can only propose something; returns the proposal."""
        [made] = evening.do(action, moderates=False)
        assert isinstance(made, Proposed)
        return evening.now.proposals[-1]

    def test_whoever_loses_by_it_has_to_agree_and_the_others_are_not_asked(self) -> None:
        evening, table = self.evening()
        turned = LOST if evening.pairing_of(1).first == 1 else WON
        proposal = self.proposed(evening, Correct(ORGANISER, 1, table, turned))
        assert awaited(evening.now, proposal) == {1}

    def test_a_void_match_costs_both_sides_something_and_all_of_their_people_agree(self) -> None:
        evening, table = self.evening(pairs=True)
        proposal = self.proposed(evening, PlayAgain(ORGANISER, 1, table))
        *first, last = sorted(awaited(evening.now, proposal))
        assert len(first) == 3
        for each in first:
            answer = Answer(person(each), 1, table, proposal.number, agrees=True)
            assert evening.do(answer) == [Agreed(1, table, person(each))]
            evening.refuses(TournamentRefusal.NOT_ASKED, answer)
        made = evening.do(Answer(person(last), 1, table, proposal.number, agrees=True))
        assert made[0] == Replayed(table, ORGANISER, person(last))

    @pytest.mark.parametrize(("winner", "asked"), [(0, {1}), (1, {0}), (None, {0, 1}), ("again", {0, 1})])
    def test_both_sides_of_a_match_that_runs_may_still_win_it(self, winner: int | str | None, asked: set[int]) -> None:
        evening = RecordedTournament(pairs=True).start(4)
        pairing = evening.pairing_of(1)
        action: TournamentAction = PlayAgain(ORGANISER, 1, pairing.table)
        if not isinstance(winner, str):
            action = Correct(ORGANISER, 1, pairing.table, Outcome((0, 0), winner, forfeit=True))
        [made] = evening.do(action, moderates=False, running={pairing.table})
        assert isinstance(made, Proposed)
        proposal = evening.now.proposals[-1]
        sides = [pairing.first, pairing.second]
        people = {each.id for side in asked for each in evening.entry(sides[side]).people}
        assert awaited(evening.now, proposal) == people
        for each in sorted(people):
            assert evening.now.proposal(1, pairing.table) is not None, "one alone doesn't agree for all"
            evening.do(Answer(person(each), 1, pairing.table, proposal.number, agrees=True))
        assert evening.now.proposals == ()
        assert len(evening.now.corrections) == 1

    def test_of_a_table_without_a_result_the_organiser_decides_unless_its_match_runs(self) -> None:
        evening = RecordedTournament().start(4)
        table = evening.pairing_of(1).table
        assert evening.do(Correct(ORGANISER, 1, table, WON), moderates=False, running={3 - table})[0] == Corrected(
            1, table, WON, ORGANISER
        )

    def test_a_match_that_ends_while_others_are_asked_counts_as_it_ended(self) -> None:
        evening = RecordedTournament().start(4)
        table = evening.pairing_of(1).table
        evening.do(Correct(ORGANISER, 1, table, WON), moderates=False, running={table})
        evening.win(1)
        assert evening.now.proposals == ()
        assert evening.now.corrections == ()

    def test_more_points_for_one_side_cost_the_other_something(self) -> None:
        evening, table = self.evening()
        before, pairing = evening.now.rounds[0].outcomes[table], evening.pairing_of(1)
        side = 0 if pairing.first == 1 else 1
        points = (before.points[0] + (side == 0), before.points[1] + (side == 1))
        proposal = self.proposed(evening, Correct(ORGANISER, 1, table, Outcome(points, side)))
        assert awaited(evening.now, proposal) == {pairing.first + pairing.second - 1}

    def test_a_moderator_decides_alone_unless_they_take_part(self) -> None:
        evening, table = self.evening()
        pairing = evening.pairing_of(1)
        turned = LOST if pairing.first == 1 else WON
        rival = next(each for each in (2, 3, 4) if each not in (pairing.first, pairing.second))
        [made] = evening.do(Correct(person(rival), 1, table, turned), manages=True)
        assert isinstance(made, Proposed)
        assert evening.do(Correct(person(77), 1, table, turned), manages=True)[0] == Corrected(
            1, table, turned, person(77)
        )
