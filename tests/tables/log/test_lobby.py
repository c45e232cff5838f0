"""What people can do in a lobby: join, leave, add computers, agree on rules and start; and what is refused."""

from dataclasses import replace

import pytest

from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.rules import PRESETS, Capture, Conflict, Prime, Seating
from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal
from bot.players import PERSONAS, Character, Level
from bot.tables.log.actions import (
    AddComputer,
    Cancel,
    ChangeComputer,
    ChoosePartner,
    Configure,
    Join,
    Leave,
    MoveToThread,
    Start,
)
from bot.tables.log.codec import decode
from bot.tables.log.events import (
    LARGEST_CAPACITY,
    Closed,
    ComputerAdded,
    ComputerRemoved,
    Config,
    Configured,
    Joined,
    LeftLobby,
    Moved,
    Phase,
)
from bot.tables.log.lobby import add_computer
from bot.tables.log.state import TableState
from bot.tables.refusals import Conflicting, TableRefusal
from tests.support.tables.kit import (
    ANA,
    BEA,
    CLO,
    PEOPLE,
    STRANGER,
    Stacked,
    act,
    config_of,
    events_of,
    lobby,
    refused,
)


def names(state: TableState) -> list[str]:
    return [seat.name for seat in state.seats]


# ------------------------------------------------------------------ seats


def test_the_opener_has_the_first_seat():
    state = lobby(ANA)
    assert (names(state), state.seat_of(ANA.id), state.opener_id) == (["Ana"], 0, ANA.id)
    assert (state.phase, state.version, state.move_version) == (Phase.LOBBY, 1, 1)


def test_a_person_who_joins_takes_the_next_seat():
    assert events_of(lobby(ANA), Join(BEA)) == [Joined(BEA)]
    assert names(lobby(ANA, BEA, CLO)) == ["Ana", "Bea", "Clo"]


def test_joining_needs_no_version_because_any_seat_will_do():
    assert names(act(lobby(ANA), Join(BEA), Join(CLO))) == ["Ana", "Bea", "Clo"]


def test_nobody_can_sit_twice():
    with refused(TableRefusal.ALREADY_SEATED):
        events_of(lobby(ANA, BEA), Join(BEA))


@pytest.mark.parametrize("capacity", [2, 3, 4, 6])
def test_a_lobby_takes_as_many_players_as_it_has_seats(capacity: int):
    full = lobby(*PEOPLE[:capacity], config=config_of(capacity=capacity))
    with refused(TableRefusal.LOBBY_FULL):
        events_of(full, Join(STRANGER))
    with refused(TableRefusal.LOBBY_FULL):
        events_of(full, AddComputer(ANA, full.version))


def test_when_somebody_leaves_the_others_move_up():
    state = lobby(ANA, BEA, CLO)
    assert events_of(state, Leave(BEA)) == [LeftLobby(BEA.id)]
    assert names(act(state, Leave(BEA))) == ["Ana", "Clo"]


def test_somebody_who_left_may_join_again():
    assert names(act(lobby(ANA, BEA, CLO), Leave(BEA), Join(BEA))) == ["Ana", "Clo", "Bea"]


def test_when_the_opener_leaves_the_next_person_becomes_the_opener():
    state = act(lobby(ANA, BEA, CLO), Leave(ANA))
    assert state.opener_id == BEA.id
    assert act(state, Cancel(BEA)).phase is Phase.CANCELLED
    with refused(TableRefusal.NOT_ALLOWED):
        events_of(act(state, Join(ANA)), Cancel(ANA))


def test_a_computer_doesnt_become_the_opener():
    state = act(lobby(ANA, computers=2), Join(BEA), Leave(ANA))
    assert state.opener_id == BEA.id


def test_when_another_person_leaves_the_opener_stays_the_same():
    assert act(lobby(ANA, BEA, CLO), Leave(CLO)).opener_id == ANA.id


@pytest.mark.parametrize("computers", [0, 3])
def test_when_the_last_person_leaves_the_lobby_closes(computers: int):
    state = lobby(ANA, computers=computers)
    assert events_of(state, Leave(ANA)) == [LeftLobby(ANA.id), Closed(Phase.CANCELLED)]
    assert not act(state, Leave(ANA)).open


# -------------------------------------------------------------- computers


def test_a_computer_takes_the_next_seat_and_plays_at_the_normal_level():
    state = lobby(ANA, BEA)
    (added,) = events_of(state, AddComputer(BEA, state.version))
    assert isinstance(added, ComputerAdded)
    assert (added.name, added.level) == (PERSONAS[added.character].name, Level.NORMAL)
    seat = act(state, AddComputer(BEA, state.version)).seats[2]
    assert (seat.is_computer, seat.level, seat.human_here, seat.may_return) == (True, Level.NORMAL, False, False)


def test_no_two_computers_are_the_same_character():
    state = lobby(ANA, config=config_of("quince"), computers=5)
    assert len({seat.character for seat in state.seats[1:]}) == 5
    assert len(set(names(state))) == 6


@pytest.mark.parametrize("level", Level)
def test_which_characters_come_depends_only_on_the_game_and_the_level(level: Level):
    state = lobby(ANA)
    came = [add_computer(state, level, lot=game_id).character for game_id in range(80)]
    assert set(came) == {who for who, persona in PERSONAS.items() if persona.level is level}
    assert came == [add_computer(state, level, lot=game_id).character for game_id in range(80)]


def test_a_requested_character_comes_unless_it_has_a_seat_already():
    state = lobby(ANA)
    wanted = add_computer(state, Level.HARD, lot=1, wanted=Character.NURIA)
    assert wanted == ComputerAdded("Nuria", Level.HARD, Character.NURIA)
    again = add_computer(state.apply(wanted), Level.HARD, lot=1, wanted=Character.NURIA)
    assert again.character is not Character.NURIA


def test_a_character_who_once_played_at_another_level_is_replaced_in_a_rematch():
    added = add_computer(lobby(ANA), Level.EASY, lot=1, wanted=Character.NURIA)
    assert added.level is Level.EASY
    assert PERSONAS[added.character].level is Level.EASY


def test_a_character_in_an_older_log_keeps_the_level_it_had_there():
    seat = lobby(ANA).apply(decode("computer_added", '{"name":"Nuria","level":"easy","character":"nuria"}')).seats[1]
    assert (seat.name, seat.level, seat.character) == ("Nuria", Level.EASY, Character.NURIA)


def test_no_two_characters_share_a_face_or_a_name():
    assert len({persona.name for persona in PERSONAS.values()}) == len(PERSONAS) == len(Character)
    assert len({persona.face for persona in PERSONAS.values()}) == len(PERSONAS)


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("people", [1, 2, 3, 4, 5])
def test_every_computer_gets_a_name_even_if_people_have_the_same_names(people: int, level: Level):
    known = [persona.name for persona in PERSONAS.values() if persona.level is level]
    assert len(known) == LARGEST_CAPACITY
    sitting = [Person(number + 1, known[number]) for number in range(people)]
    state = lobby(*sitting, config=config_of("quince"))
    for _ in range(6 - people):
        state = act(state, AddComputer(sitting[0], state.version))
        state = act(state, ChangeComputer(sitting[0], state.version, len(state.seats) - 1, level))
    assert len(set(names(state))) == 6
    assert {seat.level for seat in state.seats if seat.is_computer} == {level}


@pytest.mark.parametrize("seat", [1, 2])
def test_any_computer_can_be_removed(seat: int):
    state = act(lobby(ANA, computers=2), Join(BEA))
    kept = names(state)[3 - seat]
    assert events_of(state, ChangeComputer(BEA, state.version, seat, None)) == [ComputerRemoved(seat)]
    assert names(act(state, ChangeComputer(BEA, state.version, seat, None))) == ["Ana", kept, "Bea"]


def test_a_computer_of_another_level_takes_the_seat_of_the_one_that_it_replaces():
    state = act(lobby(ANA, computers=1), Join(BEA))
    after = act(state, ChangeComputer(ANA, state.version, 1, Level.HARD))
    assert [seat.level for seat in after.seats if seat.is_computer] == [Level.HARD]
    assert (names(after)[0], names(after)[2]) == ("Ana", "Bea")
    assert names(after)[1] != names(state)[1]
    assert events_of(after, ChangeComputer(ANA, after.version, 1, Level.HARD)) == []


@pytest.mark.parametrize("seat", [-1, 0, 2, 9])
@pytest.mark.parametrize("level", [None, Level.EASY])
def test_only_a_computer_can_be_replaced_or_removed(seat: int, level: Level | None):
    state = act(lobby(ANA, computers=1), Join(BEA))
    with refused(CommonRefusal.STALE):
        events_of(state, ChangeComputer(ANA, state.version, seat, level))


# --------------------------------------------------------- agreed rules


def test_anybody_with_a_seat_may_change_the_rules():
    state, other = lobby(ANA, BEA), config_of("clasica", target=11)
    assert events_of(state, Configure(BEA, state.version, other)) == [Configured(other, by=1, until=0)]
    assert act(state, Configure(BEA, state.version, other)).config == other


def test_choosing_the_same_rules_again_changes_nothing():
    state = lobby(ANA)
    assert events_of(state, Configure(ANA, state.version, state.config)) == []


def test_there_cant_be_fewer_seats_than_players():
    state = lobby(*PEOPLE[:5], config=config_of("quince"))
    with refused(TableRefusal.TOO_MANY):
        events_of(state, Configure(ANA, state.version, config_of("escoba")))


@pytest.mark.parametrize(
    ("config", "conflict"),
    [
        (config_of("cientifica", capacity=6), Conflict.SCOPONE_IS_FOR_FOUR),
        (config_of(hand=9, capacity=5), Conflict.SCOPONE_IS_FOR_FOUR),
        (config_of(hand=9, cantos=True), Conflict.CANTOS_NEED_THREE),
        (config_of(hand=7), Conflict.CARDS_DO_NOT_DIVIDE),
        (config_of(hand=5, table=0), Conflict.OPENING_WITHOUT_TABLE),
        (config_of("cientifica", prime=Prime.NONE, four_sevens=True), Conflict.SEVENS_NOT_SCORED),
        (config_of(target=4), Conflict.TARGET_OUT_OF_RANGE),
        (config_of(target=102), Conflict.TARGET_OUT_OF_RANGE),
    ],
)
def test_rules_that_cant_be_played_are_refused_with_the_reason(config: Config, conflict: Conflict):
    state = lobby(ANA)
    with refused(TableRefusal.CONFLICT) as caught:
        events_of(state, Configure(ANA, state.version, config))
    assert isinstance(caught.value, Conflicting)
    assert conflict in caught.value.conflicts


# ------------------------------------------------------------------ start


@pytest.mark.parametrize(
    ("people", "config", "seating"),
    [
        (2, config_of(), Seating.TWO),
        (3, config_of(), Seating.THREE),
        (4, config_of(), Seating.FOUR),
        (4, config_of(teams=True), Seating.PAIRS),
        (5, config_of("quince"), Seating.FIVE),
        (5, config_of(capacity=5), Seating.FIVE),
        (6, config_of("quince"), Seating.TRIPLE_PAIRS),
        (6, replace(config_of("quince"), threes=True), Seating.TRIPLES),
        (4, config_of(hand=9), Seating.FOUR),
        (4, config_of("cientifica", teams=False, capture=Capture.FIFTEEN), Seating.FOUR),
        (2, config_of("quince"), Seating.TWO),
    ],
)
def test_a_match_begins_with_the_seated_players(people: int, config: Config, seating: Seating):
    state = lobby(*PEOPLE[:people], config=config)
    chance = Stacked(first=1)
    assert events_of(state, Start(BEA, state.version), chance) == [
        MatchStarted(config.rules, seating, 1),
        RoundDealt(chance.deck(7, 1)),
    ]
    begun = act(state, Start(BEA, state.version), chance)
    assert (begun.phase, begun.version, begun.move_version) == (Phase.PLAYING, state.version + 2, 2)


@pytest.mark.parametrize("computers", [1, 2, 3])
def test_computers_count_as_players(computers: int):
    state = lobby(ANA, computers=computers)
    assert act(state, Start(ANA, state.version)).phase is Phase.PLAYING


def test_one_player_is_too_few():
    with refused(TableRefusal.TOO_FEW):
        events_of(lobby(ANA), Start(ANA, 1))


@pytest.mark.parametrize("preset", PRESETS)
def test_neither_five_players_nor_sides_of_three_are_a_presets_default(preset: str):
    config = Config.of_preset(preset)
    assert not config.threes
    assert config.capacity == max(seating.seats for seating in PRESETS[preset].seatings) != 5


@pytest.mark.parametrize("others", [(BEA,), (BEA, CLO)])
@pytest.mark.parametrize("deal", [{}, {"hand": 9, "table": 4}])
def test_scopone_doesnt_start_without_four(others: tuple[Person, ...], deal: dict[str, int]):
    config = config_of("cientifica")
    state = lobby(ANA, *others, config=replace(config, rules=replace(config.rules, **deal)))
    with refused(TableRefusal.CONFLICT) as caught:
        events_of(state, Start(ANA, state.version))
    assert isinstance(caught.value, Conflicting)
    assert caught.value.conflicts == (Conflict.SCOPONE_IS_FOR_FOUR,)


# -------------------------------------------------------------------- partners


@pytest.mark.parametrize("computers", [0, 2])
@pytest.mark.parametrize("own", range(2))
@pytest.mark.parametrize("wanted", range(6))
def test_a_chosen_partner_changes_seats_with_the_present_one_and_nobody_else_moves(
    computers: int, own: int, wanted: int
):
    config = config_of(capacity=6)
    before = lobby(*PEOPLE[: 6 - computers], config=config, computers=computers)
    choice = ChoosePartner(PEOPLE[own], before.version, wanted)
    if wanted == own:
        with refused(TableRefusal.OWN_PARTNER):
            act(before, choice)
        return
    after = act(before, choice)
    assert after.seats[own] == before.seats[own]
    assert after.seats[(own + 3) % 6] == before.seats[wanted], "partners sit opposite"
    moved = {seat for seat in range(6) if after.seats[seat] != before.seats[seat]}
    assert moved <= {wanted, (own + 3) % 6}
    assert (after is before) == (wanted == (own + 3) % 6), "they are partners already"


@pytest.mark.parametrize("own", range(6))
def test_of_six_in_two_sides_somebody_gets_the_two_partners_they_chose_last(own: int):
    state = lobby(*PEOPLE, config=replace(config_of(capacity=6), threes=True))
    me, *others = PEOPLE[own], *PEOPLE[:own], *PEOPLE[own + 1 :]
    for wanted in others:
        seat = next(n for n, each in enumerate(state.seats) if each.person_id == wanted.id)
        state = act(state, ChoosePartner(me, state.version, seat))
        assert state.seats[own].person_id == me.id
    side = {each.person_id for n, each in enumerate(state.seats) if n % 2 == own % 2}
    assert side == {me.id, others[-1].id, others[-2].id}


def test_where_each_plays_for_themselves_nobody_has_a_partner():
    state = lobby(*PEOPLE[:4], config=config_of(teams=False))
    with refused(CommonRefusal.STALE):
        act(state, ChoosePartner(ANA, state.version, 1))


# -------------------------------------------------------------------- threads


def in_a_thread(state: TableState) -> TableState:
    """A lobby after it has moved."""
    return act(replace(state, movable=True), MoveToThread(ANA, 77))


def test_a_lobby_moves_to_a_thread_once_with_everything_in_it():
    before = replace(lobby(ANA, BEA), movable=True)
    assert events_of(before, MoveToThread(ANA, 77)) == [Moved(77)]
    after = in_a_thread(before)
    assert after == replace(before, movable=False, thread_id=77, version=before.version + 1)
    with refused(CommonRefusal.STALE):
        act(after, MoveToThread(ANA, 78))


def test_a_lobby_stays_where_threads_cant_be_opened():
    with refused(CommonRefusal.STALE):
        act(lobby(ANA, BEA), MoveToThread(ANA, 77))


def test_only_the_opener_and_moderators_move_a_lobby():
    state = replace(lobby(ANA, BEA), movable=True)
    with refused(TableRefusal.NOT_MOVER):
        act(state, MoveToThread(BEA, 77))
    with refused(TableRefusal.NOT_MOVER):
        act(state, MoveToThread(STRANGER, 77))
    assert events_of(state, MoveToThread(STRANGER, 77, moderator=True)) == [Moved(77)]


def test_a_match_stays_where_it_is():
    state = replace(lobby(ANA, BEA), movable=True)
    playing = act(state, Start(ANA, state.version), Stacked())
    with refused(TableRefusal.LOBBY_OVER):
        act(playing, MoveToThread(ANA, 77))


def test_something_can_still_happen_in_a_lobby_and_while_a_match_is_played() -> None:
    assert [phase for phase in Phase if phase.open] == [Phase.LOBBY, Phase.PLAYING]
