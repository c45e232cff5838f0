"""The screens of a replay: Discord accepts all of them, and their buttons lead where they say."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from bot.engine.cards import DECK
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.moves import Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.story import moments_of
from bot.engine.views import seat_view
from bot.platform.drawing.scenes import LONGEST
from bot.platform.kit.host import Display
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.platform.people import Person
from bot.players import Level, choose
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.live.replay import Recording, Replay, replay_of, steps_of
from bot.replays.pictures.step import ReplayScene
from bot.replays.screens.replay import clip_layout, replay_layout, shown_clip, shown_replay
from bot.replays.store.own_matches import OwnMatchRow, OwnSeat
from bot.tables.log.codec import fold
from bot.tables.log.events import Config, Joined, LogEvent, Opened
from tests.support.layouts import LARGEST, NAME, every_language, troubles, words_of
from tests.support.limits_components import walk
from tests.support.store import NOON

EN = words("en")


@cache
def recording_of(preset: str = "escoba", seating: Seating = Seating.TWO, target: int = 11, seed: int = 1) -> Recording:
    """A match of people with the worst names."""
    rng = Random(seed)
    rules = replace(PRESETS[preset].rules, target=target)
    match = start(MatchStarted(rules, seating, 0))
    people = [Person(LARGEST - seat, NAME) for seat in range(seating.seats)]
    config = replace(Config.of_preset(preset), rules=rules, capacity=6, teams=seating.in_teams)
    events: list[LogEvent] = [Opened(people[0], config), *map(Joined, people[1:]), MatchStarted(rules, seating, 0)]
    while match.stage is not Stage.OVER:
        if match.stage is Stage.TO_DEAL:
            event: Event = RoundDealt(tuple(rng.sample(DECK, len(DECK))))
        else:
            assert match.turn is not None
            event = match.event_of(choose(seat_view(match, match.turn), Level.EASY, rng))
        events.append(event)
        match = match.apply(event)
    return Recording(row_of(seating.seats), tuple(events), fold(events).seats, played_out=True)


def row_of(players: int = 2, **changes: object) -> OwnMatchRow:
    seats = tuple(OwnSeat(seat % 3, LARGEST - seat, NAME, not seat, 9999, True) for seat in range(players))
    return replace(OwnMatchRow(LARGEST, NOON, "cientifica", 0, True, seats), **changes)  # type: ignore[arg-type]


SEATINGS = (Seating.TWO, Seating.PAIRS, Seating.TRIPLE_PAIRS)


def recorded(seating: Seating = Seating.TWO) -> Recording:
    return recording_of("quince" if seating is Seating.TRIPLE_PAIRS else "escoba", seating, seed=3)


def long_one() -> Recording:
    return recording_of(target=101)


def steps(recording: Recording, every: int = 1) -> Iterator[Replay]:
    all_steps, states = steps_of(recording)
    for place in range(0, len(all_steps), every):
        yield Replay(recording.row, all_steps, place, states[place])


def ids(layout: Layout) -> dict[str, bool]:
    """For the verb of each of a layout's buttons and menus: whether that is disabled."""
    nodes = [node for _, node in walk(layout.to_components()) if "custom_id" in node]
    return {node["custom_id"].split(":")[1]: node.get("disabled", False) for node in nodes}


def options(layout: Layout, verb: ReplayVerb) -> list[tuple[str, int]]:
    menus = [node for _, node in walk(layout.to_components()) if node.get("custom_id", "").startswith(f"w:{verb}:")]
    return [(each["label"], int(each["value"])) for node in menus for each in node["options"]]


@pytest.mark.parametrize("seating", SEATINGS)
@every_language
def test_discord_takes_steps_with_the_worst_names(seating: Seating, t: object) -> None:
    for pictures in (True, False):
        display = Display(t, pictures=pictures)  # type: ignore[arg-type]
        for replay in steps(recorded(seating), 11):
            layout = replay_layout(replay, display)
            assert troubles(layout) == []
            assert troubles(replace(layout, drawing=None)) == []
            assert troubles(shown_replay(replay, NAME, display)) == []


@pytest.mark.parametrize("place", [0, 200, 10**6])
def test_in_a_long_match_the_menu_leads_to_this_rounds_escobas_and_the_rounds_around(place: int) -> None:
    replay = replay_of(long_one(), place)
    here = replay.step
    assert replay.steps[-1].round > 20
    layout = replay_layout(replay, Display(EN))
    assert troubles(layout) == []
    places = [at for _, at in options(layout, ReplayVerb.JUMP)]
    assert len(places) == 25
    swept = {step.at: step.round for step in replay.steps if step.escoba is not None and not step.dealt}
    assert {swept[at] for at in places if at in swept} <= {here.round}
    assert {at for at, number in swept.items() if number == here.round} <= set(places)


def test_the_menu_leads_to_the_rounds_to_this_ones_deals_and_to_all_escobas_in_their_order() -> None:
    shown = replay_of(recorded(), 60)
    here = shown.step
    named = {step.at: step for step in shown.steps}
    places = options(replay_layout(shown, Display(EN)), ReplayVerb.JUMP)
    assert [at for _, at in places] == sorted(at for _, at in places)
    assert {at for _, at in places} == {
        step.at
        for step in shown.steps
        if step.escoba is not None or (step.dealt and (step.deal == 1 or step.round == here.round))
    }
    for label, at in places:
        step = named[at]
        assert label.startswith(f"Round {step.round}")
        if step.escoba is None:
            assert label.endswith(f"Deal {step.deal}" if step.deal > 1 else f"Round {step.round}")


def test_at_either_end_only_the_way_back_is_open() -> None:
    recording = recorded()
    first, last = (ids(replay_layout(replay_of(recording, at), Display(EN))) for at in (0, 10**6))
    assert (first["first"], first["back"], first["next"], first["last"]) == (True, True, False, False)
    assert (last["first"], last["back"], last["next"], last["last"]) == (False, False, True, True)


def test_the_step_buttons_stay_below_a_picture_and_two_lines() -> None:
    places: set[tuple[int, int]] = set()
    for replay in steps(recorded(), 5):
        layout = replay_layout(replay, Display(EN, pictures=True))
        assert layout.drawing is not None
        head, _, buttons, *_ = layout.drawing.components[0]["components"]
        places.add((head["content"].count("\n"), len(buttons["components"])))
    assert places == {(1, 4)}


def test_a_step_says_what_was_played_and_holds_all_hands_in_both_forms() -> None:
    recording = recorded()
    replay = replay_of(recording, 5)
    layout = replay_layout(replay, Display(EN, pictures=True))
    assert layout.drawing is not None
    scene = layout.drawing.scene
    assert isinstance(scene, ReplayScene)
    assert [set(hand.cards) for hand in scene.hands] == [set(hand) for hand in replay.hands]
    alt, text = scene.alt(EN), words_of(layout)
    assert len(alt) <= LONGEST
    assert alt.count(" holds ") == 2
    for hand in replay.hands:
        for card in hand:
            assert str(card.printed) in text
    assert " plays " in text or " lays " in text


def test_when_a_round_ends_its_score_is_shown() -> None:
    ends = [replay for replay in steps(recorded()) if replay.match.turn is None]
    texts = [words_of(replay_layout(replay, Display(EN))) for replay in ends]
    assert all("This round:" in text and "**Total**" in text for text in texts)


def test_what_everybody_sees_has_no_buttons() -> None:
    assert ids(shown_replay(replay_of(long_one(), 9), "Ana", Display(EN))) == {}


# ------------------------------------------------------------------------------------------------- clips


@pytest.mark.parametrize("seating", SEATINGS)
@every_language
def test_discord_takes_clips_with_the_worst_names_and_offers_every_moment(seating: Seating, t: object) -> None:
    recording = recorded(seating)
    moments = moments_of(recording.match_events)
    for number, moment in enumerate(moments):
        display = Display(t, pictures=True)  # type: ignore[arg-type]
        layout = clip_layout(LARGEST, moments, number, recording.seats, display)
        assert troubles(layout) == []
        assert troubles(replace(layout, drawing=None)) == []
        found = [node["custom_id"] for _, node in walk(layout.to_components()) if "custom_id" in node]
        clips = [custom_id.rsplit(":", 1)[1] for custom_id in found if ":clip:" in custom_id]
        assert clips == [str(other) for other in range(len(moments)) if other != number]
        shown = shown_clip(moment, recording.seats, NAME, display)
        assert troubles(shown) == []
        assert ids(shown) == {}


def test_without_pictures_a_clip_is_described_in_words() -> None:
    recording = recorded()
    moments = moments_of(recording.match_events)
    text = words_of(clip_layout(1, moments, 0, recording.seats, Display(EN)))
    assert " and takes " in text
    assert "Escoba!" in text
    assert "In the end" in text


def test_a_reference_survives_its_custom_id() -> None:
    ref = ReplayRef(LARGEST, 12_345)
    assert ReplayRef.read(ref.custom_id(ReplayVerb.NEXT).split(":")[2:]) == ref
    assert ReplayRef.read(["1", "2", "3"]) is None
