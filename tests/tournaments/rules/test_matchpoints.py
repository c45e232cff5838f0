"""Boards that all tables play are compared: each result with those in the same seat."""

from fractions import Fraction
from random import Random

from bot.tournaments.rules.log import Begin, Enter
from bot.tournaments.rules.matchpoints import BoardScore, percents, round_scores, seat_on
from bot.tournaments.rules.tournament import Format, Outcome, Tournament, TournamentRound
from tests.support.club import ORGANISER, Disorder, RecordedTournament, person
from tests.support.dose import dose

EVENINGS = dose("EVENINGS", 24)

Boards = tuple[tuple[int, int], ...]


def played(evening: RecordedTournament, *tables: Boards) -> TournamentRound:
    """The latest round with these boards' points at its tables."""
    for table, boards in enumerate(tables, 1):
        first, second = sum(board[0] for board in boards), sum(board[1] for board in boards)
        winner = None if first == second else int(second > first)
        evening.report(table, Outcome((first, second), winner, board_points=boards))
    round = evening.now.round
    assert round is not None
    return round


def by_seat(tournament: Tournament, round: TournamentRound, board: int, seat: int) -> list[BoardScore]:
    """The scores of those who held a seat on a board, table by table."""
    scores = round_scores(tournament, round)
    places = [(each.first, each.second)[(seat + board - 1) % 2] for each in round.pairings]
    return [scores[number][board - 1] for number in places]


def test_each_result_beaten_brings_one_and_each_equal_one_a_half() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(8)
    round = played(evening, ((3, 1), (0, 0)), ((2, 0), (1, 0)), ((5, 0), (0, 0)), ((0, 4), (0, 1)))
    # dealt to first on board 1: +2, +2, +5, -4
    scores = by_seat(evening.now, round, board=1, seat=0)
    assert [each.percent for each in scores] == [50, 50, 100, 0]
    assert [each.points for each in scores] == [(3, 1), (2, 0), (5, 0), (0, 4)]
    # the dealer's side: -2, -2, -5, +4
    assert [each.percent for each in by_seat(evening.now, round, board=1, seat=1)] == [50, 50, 0, 100]
    # on board 2 the second entry is dealt to first: 0, -1, 0, +1
    assert [each.percent for each in by_seat(evening.now, round, board=2, seat=0)] == [50, 0, 50, 100]


def test_everybody_holds_each_seat_on_every_other_board() -> None:
    assert [(seat_on(board, 0), seat_on(board, 1)) for board in (1, 2, 3, 4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]


def test_nothing_is_compared_before_all_tables_have_ended() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(8)
    round = played(evening, ((3, 1), (0, 0)), ((2, 0), (1, 0)), ((5, 0), (0, 0)))
    assert round_scores(evening.now, round) == {}
    assert set(percents(evening.now).values()) == {0}


def test_a_bye_is_average() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(5)
    round = played(evening, ((3, 1), (0, 0)), ((2, 0), (1, 0)))
    [lucky] = round.byes
    assert [each.percent for each in round_scores(evening.now, round)[lucky]] == [50, 50]


def test_unplayed_boards_bring_a_leaver_nothing_and_the_opponent_sixty() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(6)
    evening.report(1, Outcome((4, 1), 1, forfeit=True, board_points=((4, 1),)))  # the first entry left on board 2
    evening.report(2, Outcome((0, 0), None, forfeit=True))
    round = played(evening, (), (), ((2, 1), (3, 0)))
    scores = {number: [int(each.percent) for each in own] for number, own in round_scores(evening.now, round).items()}
    one, two, three = round.pairings
    assert scores[one.first] == [100, 0]
    assert scores[one.second] == [0, 60]
    assert scores[two.first] == scores[two.second] == [0, 0]
    assert scores[three.first] == [0, 50]  # board 2 was played at this table alone
    assert scores[three.second] == [100, 50]


def test_a_table_that_could_not_be_played_through_nobodys_fault_is_average() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(4)
    round = played(evening, (), ((2, 1), (3, 0)))
    scores = round_scores(evening.now, round)
    assert [each.percent for each in scores[round.pairings[0].first]] == [50, 50]


def test_a_round_that_was_missed_counts_as_nothing() -> None:
    evening = RecordedTournament(Format.DUPLICATE).start(8)
    evening.play_round(Random(1))
    evening.do(Enter(person(50)))
    evening.next_round()
    evening.play_round(Random(2))
    late = evening.now.entries[-1].number
    own = round_scores(evening.now, evening.now.rounds[1])[late]
    assert percents(evening.now)[late] == sum((each.percent for each in own), Fraction(0)) / 4


def test_matchpoints_equal_an_independent_recount() -> None:
    random = Random("matchpoints")
    for _ in range(EVENINGS // 2):
        evening = RecordedTournament(Format.DUPLICATE, lot=random.getrandbits(32), boards=random.choice((2, 4)))
        evening.enter(*range(1, random.randint(4, 13) + 1))
        evening.do(Begin(ORGANISER))
        Disorder(evening, random).play()
        boards, rounds = evening.now.setup.boards, evening.now.rounds
        total = {each.number: 0.0 for each in evening.now.entries}
        for round in rounds:
            for number in round.byes:
                total[number] += 50 * boards
            for board in range(boards):
                for number, percent in recounted(round, board).items():
                    total[number] += percent
        for number, percent in percents(evening.now).items():
            assert abs(total[number] / (boards * len(rounds)) - percent) < 1e-9


def recounted(round: TournamentRound, board: int) -> dict[int, float]:
    """Everybody's percentage on a board (numbered from 0), compared one by one."""
    found: dict[int, float] = {}
    sat: list[tuple[str, int, int]] = []
    for pairing in round.pairings:
        outcome = round.outcomes[pairing.table]
        couple = [pairing.first, pairing.second]
        if board >= len(outcome.board_points):
            for number in couple:
                came = outcome.winner is not None and couple[outcome.winner] == number
                found[number] = 50 if not outcome.forfeit else 60 if came else 0
            continue
        made, conceded = outcome.board_points[board]
        dealt_to, dealer = couple if board % 2 == 0 else couple[::-1]
        margin = made - conceded if board % 2 == 0 else conceded - made
        sat += [("dealt to first", dealt_to, margin), ("dealer", dealer, -margin)]
    for seat, number, margin in sat:
        others = [theirs for where, other, theirs in sat if where == seat and other != number]
        beaten = sum(1.0 if margin > theirs else 0.5 if margin == theirs else 0.0 for theirs in others)
        found[number] = 100 * beaten / len(others) if others else 50
    return found
