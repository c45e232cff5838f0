"""The target: chosen, or that of the pace; and how long a slow match will take."""

from dataclasses import replace

import pytest

from bot.engine.rules import Seating
from bot.platform.refusals import Refusal
from bot.tables.live.own_rules import new_config
from bot.tables.log.actions import Configure, SetRated
from bot.tables.log.codec import encode
from bot.tables.log.events import Config, Opened
from bot.tables.log.pace import DAY, Pace, Tempo
from bot.tables.log.questions import Times
from bot.tables.log.state import TableState
from bot.tables.log.target import SLOW_TARGET, at_pace, days_of, with_target
from bot.tables.settings import TableSettings
from tests.support.tables.kit import ANA, BEA, Stacked, act, config_of, events_of, lobby, move_of, playing, the_match

TO_SLOW = Times(slow=True)
FROM_SLOW = Times(was_slow=True)


def slowed(config: Config) -> Config:
    return at_pace(config, Tempo.DAY, slow=True, was_slow=False)


def configured(state: TableState, config: Config, times: Times) -> Config:
    for event in events_of(state, Configure(ANA, state.version, config), times=times):
        state = state.apply(event)
    return state.config


def test_a_slow_table_begins_with_7_unless_the_server_or_a_person_says_otherwise():
    assert slowed(new_config(TableSettings())).rules.target == SLOW_TARGET == 7
    assert slowed(new_config(TableSettings(preset="chorizo"))).rules.target == 7
    assert slowed(new_config(TableSettings(target=15))).rules.target == 15
    assert slowed(new_config(TableSettings(target=21))).rules.target == 21
    assert slowed(new_config(TableSettings(), target=21)).rules.target == 21
    assert slowed(new_config(TableSettings(), "quince", 11)).rules.target == 11


@pytest.mark.parametrize(("target", "after"), [(None, 7), (21, 21), (15, 15)])
def test_the_target_follows_the_pace_only_if_nobody_chose_one(target: int | None, after: int):
    state = lobby(ANA)
    if target is not None:
        state = act(state, Configure(ANA, state.version, with_target(state.config, target, slow=False)))
    now = configured(state, replace(state.config, tempo=Tempo.DAY), TO_SLOW)
    assert (now.rules.target, now.tempo) == (after, Tempo.DAY)
    back = at_pace(now, Tempo.USUAL, slow=False, was_slow=True)
    assert back.rules.target == (21 if target is None else target)


def test_it_stays_between_two_slow_paces_and_with_another_change():
    state = lobby(ANA, config=replace(config_of(target=7), tempo=Tempo.DAY))
    slow = Times(slow=True, was_slow=True)
    assert configured(state, replace(state.config, tempo=Tempo.WEEK), slow).rules.target == 7
    assert configured(state, replace(state.config, teams=True), slow).rules.target == 7
    assert configured(state, replace(state.config, tempo=Tempo.QUICK), FROM_SLOW).rules.target == 21


def test_a_lobby_of_1_0_whose_target_somebody_had_chosen_keeps_it():
    state = lobby(ANA, config=config_of(target=15))
    assert configured(state, replace(state.config, tempo=Tempo.DAY), TO_SLOW).rules.target == 15


def test_only_choosing_the_usual_target_is_written():
    """1.0 reads all other lobbies."""
    for config in (Config(), slowed(Config()), with_target(Config(), 15, slow=False)):
        assert "aimed" not in encode(Opened(ANA, config))[1]
    assert '"aimed":true' in encode(Opened(ANA, with_target(Config(), 21, slow=False)))[1]


def test_one_round_is_friendly_and_may_be_drawn():
    state = lobby(ANA, BEA)
    single = replace(state.config, rules=replace(state.config.rules, rounds=1))
    now = configured(state, single, Times())
    assert (now.rules.rounds, now.rated) == (1, False)
    with pytest.raises(Refusal):
        events_of(lobby(ANA, BEA, config=now), SetRated(ANA, rated=True))
    drawn = 0
    for seed in range(30):
        played = playing(ANA, BEA, config=now, chance=Stacked(seed))
        while the_match(played).turn is not None:
            played = act(played, move_of(played))
        match = the_match(played)
        assert match.over, "after its only round"
        drawn += match.winner is None
        assert (match.winner is None) == (match.totals[0] == match.totals[1])
    assert drawn


def test_another_target_ends_the_choice_of_one_round():
    single = replace(Config(), rules=replace(Config().rules, rounds=1))
    assert with_target(single, 11, slow=False).rules.rounds == 0


def day(days: int = 1) -> Pace:
    return Pace().with_turn(days * DAY)


def test_a_match_of_two_to_7_at_a_day_a_turn_takes_about_two_weeks():
    assert days_of(slowed(Config()), 2, day()) == 14
    assert days_of(slowed(Config()), 1, day()) == 14, "two at least will sit there"


def test_the_estimate_knows_players_target_pace_and_forced_cards():
    usual = slowed(Config())
    days = days_of(usual, 2, day())
    assert days_of(usual, 4, day()) > days
    assert 2.9 < days_of(with_target(usual, 21, slow=True), 2, day()) / days < 3.1
    assert 2.9 < days_of(usual, 2, day(3)) / days < 3.1
    assert 1.4 < days_of(replace(usual, forced=False), 2, day()) / days < 1.5
    assert days_of(slowed(config_of("quince")), 2, day()) > days
    assert days_of(replace(usual, rules=replace(usual.rules, rounds=1)), 2, day()) < days / 2


def test_there_is_none_for_a_quick_match_or_one_that_cannot_be_played():
    assert days_of(Config(), 2, Pace()) == 0
    assert days_of(config_of("cientifica", capacity=4), 2, day()) == 0
    assert all(days_of(slowed(config_of()), seating.seats, day()) for seating in Seating if seating.seats < 6)
