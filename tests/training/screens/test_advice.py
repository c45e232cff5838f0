"""The handlers of hints and reviews, called directly: they check for themselves, and use only what the asker may know.

Twins look the same to the asker: only cards that they can't see are exchanged.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.coach.analysis import Analysis
from bot.engine.cards import DECK, Card
from bot.engine.events import MatchStarted, RoundDealt
from bot.engine.moves import Move, Stage
from bot.engine.rules import PRESETS, Seating
from bot.engine.views import SeatView
from bot.platform.eventlog import LogEntry
from bot.platform.kit.screen import Press
from bot.platform.kit.throttle import Throttle
from bot.platform.language.catalogues import words
from bot.platform.layout import Layout
from bot.platform.refusals import Refusal
from bot.players import Character, Level
from bot.replays.ids.replay import replay_button
from bot.tables.clicks.press import GamePress
from bot.tables.ids.game import Ref
from bot.tables.live.table import Table
from bot.tables.log.change import Change
from bot.tables.log.codec import encode, fold
from bot.tables.log.events import ComputerAdded, Config, Joined, LogEvent, Opened
from bot.tables.log.state import TableState
from bot.tables.store.logs import Games
from bot.tables.store.rows import GameRow
from bot.thinking import Analyst, InlineThinker, Urgency
from bot.training.boards.reviewing import Reviews
from bot.training.clicks import coach
from bot.training.ids.practice import ReviewRef
from bot.training.live.review import ATTEMPTS, MOST_LEFT_OUT, Decision, Hints, OwnMatch, Review, look_back, reviewed
from bot.training.refusals import TrainingRefusal
from bot.training.screens.review import decision_layout, summary_layout
from bot.training.store.lessons import MatchLuck
from tests.support.layouts import words_of
from tests.support.patience import HANG_SECONDS
from tests.support.tables.bare import ROW, bare_table
from tests.support.tables.kit import ANA, BEA, CHANNEL, GUILD, STRANGER, refused
from tests.support.truth import hidden_from, match_of

DRAWS = 4
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
TWINS = range(6)
RULES = Config.of_preset("escoba", target=5)
STARTED = MatchStarted(RULES.rules, PRESETS["escoba"].seatings[0], 1)
PRACTICE: list[LogEvent] = [Opened(ANA, RULES), ComputerAdded("Inés", Level.NORMAL, Character.INES), STARTED]
AMONG_THREE: list[LogEvent] = [
    Opened(ANA, RULES),
    ComputerAdded("Inés", Level.NORMAL, Character.INES),
    ComputerAdded("Chelo", Level.NORMAL, Character.CHELO),
    MatchStarted(RULES.rules, Seating.THREE, 2),
]
RANKED: list[LogEvent] = [Opened(ANA, RULES), Joined(BEA), STARTED]


MOMENTS = [
    pytest.param(PRACTICE, 0, id="the first turn"),
    pytest.param(PRACTICE, 7, id="in the middle", marks=pytest.mark.thorough),
    pytest.param(PRACTICE, 12, id="before the last deal", marks=pytest.mark.thorough),
    pytest.param(AMONG_THREE, 9, id="the last deal among three"),
]
"""The match, and how many turns the first person has had. In the last deal between two, all cards are known."""


# ------------------------------------------------------------------------------------------------- twins


def played_on(events: Sequence[LogEvent], rng: Random, enough: Callable[[TableState], bool]) -> list[LogEvent]:
    """The log continued by random moves until `enough` is true, or the match is over."""
    log, state = list(events), fold(events)
    while state.open and not enough(state):
        assert state.match is not None
        if state.match.stage is Stage.TO_DEAL:
            log.append(RoundDealt(tuple(rng.sample(DECK, len(DECK)))))
        else:
            log.append(state.match.event_of(rng.choice(state.match.legal_moves())))
        state = state.apply(log[-1])
    return log


def decides(turns: int) -> Callable[[TableState], bool]:
    """A condition: the first person has had more than this many turns, and has a choice."""
    had = 0

    def now(state: TableState) -> bool:
        nonlocal had
        if state.match is None or state.match.turn != 0:
            return False
        had += 1
        return had > turns and len(state.match.legal_moves()) > 1

    return now


def twin(events: Sequence[LogEvent], rng: Random) -> list[LogEvent]:
    """A log that looks the same to the first person, with the cards that they can't see now exchanged."""
    match = fold(events).match
    assert match is not None
    hidden = hidden_from(match, 0)
    last = max(place for place, event in enumerate(events) if isinstance(event, RoundDealt))
    dealt = events[last]
    assert isinstance(dealt, RoundDealt)
    others = [card for card in dealt.deck if card in hidden]
    rng.shuffle(others)
    deck: list[Card] = [others.pop() if card in hidden else card for card in dealt.deck]
    return [*events[:last], RoundDealt(tuple(deck)), *events[last + 1 :]]


def twins_at(turns: int, log: Sequence[LogEvent] = PRACTICE) -> list[list[LogEvent]]:
    """Logs that look the same to the first person, whose turn it is; in most, the others hold different cards."""
    one = played_on(log, Random(turns), decides(turns))
    twins = [one, *(twin(one, Random(number)) for number in TWINS)]
    assert len({fold(each).match.round.hands for each in twins}) > 2  # type: ignore[union-attr]
    return twins


# ------------------------------------------------------------------------------------------------- hints


class Asked(InlineThinker):
    """An analyst that remembers what it was asked; `meanwhile` happens while it thinks."""

    def __init__(self, meanwhile: Callable[[], Awaitable[None]] | None = None) -> None:
        super().__init__(most_draws=DRAWS)
        self.questions: list[tuple[SeatView, str, Urgency, int, Move | None]] = []
        self._meanwhile = meanwhile

    async def analysis(
        self,
        view: SeatView,
        seed: str,
        urgency: Urgency,
        *,
        draws: int,
        played: Move | None = None,
        person: int | None = None,
    ) -> Analysis | None:
        self.questions.append((view, seed, urgency, draws, played))
        found = await super().analysis(view, seed, urgency, draws=draws, played=played)
        if self._meanwhile is not None:
            await self._meanwhile()
        return found


class Board:
    """Stands for the presenter and a table's board; notes what panels say."""

    def __init__(self) -> None:
        self.notes: list[str | None] = []

    async def board_for(self, interaction: Any, table: Table) -> Board:
        return self

    @contextmanager
    def held(self, interaction: Any) -> Iterator[None]:
        yield

    async def answer(self, interaction: Any, note: str | None, picking: object) -> None:
        self.notes.append(note)


def asking(person: Any, stores: Mapping[type, Any] | None = None, **host: Any) -> Any:
    """A person's click, at a bot whose host has these stores and attributes."""
    parts = SimpleNamespace(**host)
    parts.of = lambda kind: (stores or host).get(kind if stores else kind.__name__, parts)
    client = SimpleNamespace(words=lambda locale, guild_id, person_id: words(locale), host=parts)
    user = SimpleNamespace(id=person.id, display_name=person.name)
    where = {"guild_id": GUILD, "channel_id": CHANNEL, "is_guild_integration": lambda: True}
    return SimpleNamespace(client=client, user=user, locale=SimpleNamespace(value="en"), extras={}, **where)


async def hinted(table: Table, analyst: Asked, person: Any = ANA) -> list[str | None]:
    """The panel's notes after *Hint* was pressed."""
    board = Board()
    manager = SimpleNamespace(get=lambda game_id: table)
    press = GamePress(Press(asking(person, presenter=board, hints=Hints(analyst), TableManager=manager)), Ref(table.id))
    await coach.hint(press)
    return board.notes


@pytest.mark.parametrize(("log", "turns"), MOMENTS)
async def test_a_hint_depends_on_no_card_that_its_player_cannot_see(log: list[LogEvent], turns: int) -> None:
    outcomes: list[object] = []
    for each in twins_at(turns, log):
        analyst = Asked()
        notes = await hinted(bare_table(fold(each)), analyst)
        assert notes[0] is not None
        assert "💡" in notes[0]
        outcomes.append((analyst.questions, notes))
    assert all(outcome == outcomes[0] for outcome in outcomes)


@pytest.mark.parametrize(
    ("log", "hints"), [(RANKED, True), (PRACTICE, False)], ids=["it counts", "they are switched off"]
)
async def test_there_is_no_hint_where_a_match_counts_or_hints_are_switched_off(
    log: list[LogEvent], hints: bool
) -> None:
    table, analyst = bare_table(fold(twins_at(3, log)[0]), hints=hints), Asked()
    assert table.seat_view(0).moves  # type: ignore[union-attr]
    assert not table.view().hints
    with refused(TrainingRefusal.NO_HINTS):
        await hinted(table, analyst)
    assert analyst.questions == []


async def test_a_stranger_gets_no_hint() -> None:
    analyst = Asked()
    with pytest.raises(Refusal):
        await hinted(bare_table(fold(twins_at(3)[0])), analyst, STRANGER)
    assert analyst.questions == []


async def test_a_hint_is_not_shown_at_a_later_turn_of_the_same_player() -> None:
    table = bare_table(fold(twins_at(3)[0]))

    async def play() -> None:
        for _ in range(2):  # the person, and then the computer
            match = match_of(table)
            assert match is not None
            await table._commit(Change(table._state).then([match.event_of(match.legal_moves()[0])]))

    notes = await hinted(table, Asked(play))
    assert table.seat_view(0).moves  # type: ignore[union-attr]
    assert notes == [None]


# ------------------------------------------------------------------------------------------------- reviews


class Logs:
    """Stands for a store with one game, which may answer late."""

    def __init__(self, log: Sequence[LogEvent], *, open_still: bool = False, guild_id: int = GUILD) -> None:
        closed = None if open_still else NOON
        self._row = GameRow(ROW.id, guild_id, 1, ANA.id, "en", NOON, closed, None, None)
        self._log = [LogEntry(version, *encode(event), NOON) for version, event in enumerate(log, 1)]
        self.luck = SimpleNamespace(of=self._no_luck)
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.reading = asyncio.Event()

    async def get(self, game_id: int) -> GameRow:
        return self._row

    async def log(self, game_id: int) -> list[LogEntry]:
        self.reading.set()
        await self.may_go_on.wait()
        return self._log

    async def _no_luck(self, game_id: int) -> None:
        return None

    async def put(self, *args: Any, **how: Any) -> bool:
        return True


async def decided_in(log: list[LogEvent], count: int) -> tuple[Decision, ...]:
    """The first decisions of the first person that a review judges."""
    store: Any = Logs(log)
    decisions = (await look_back(store, store.luck, ROW.id, GUILD, ANA.id)).decisions
    assert len(decisions) >= count
    return decisions[:count]


async def judged(analyst: Analyst, decisions: tuple[Decision, ...]) -> Review | None:
    """The review of these decisions."""
    match = OwnMatch((), decisions)
    return await reviewed(analyst, ROW.id, match, lambda _: asyncio.sleep(0), ANA.id, pause=lambda: asyncio.sleep(0))


class Failing(InlineThinker):
    """An analyst that has no answer to these questions, counted from 0."""

    def __init__(self, *without: int) -> None:
        super().__init__(most_draws=4)
        self.without = without
        self.asked = 0

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        self.asked += 1
        return None if self.asked - 1 in self.without else await super().analysis(view, seed, urgency, **how)


@pytest.mark.parametrize(
    ("without", "asked", "left"),
    [((), 5, 5), ((1,), 6, 5), ((1, 2), 7, 5), ((1, 2, 3), 7, 4), ((0, 1, 2, 3, 4, 5, 7, 8, 9), 11, 2)],
)
async def test_what_has_no_answer_is_asked_again_and_costs_a_review_one_decision_at_most(
    without: tuple[int, ...], asked: int, left: int
) -> None:
    analyst = Failing(*without)
    review = await judged(analyst, await decided_in(OVER, 5))
    assert review is not None
    assert (analyst.asked, len(review.judged)) == (asked, left)


async def test_a_review_breaks_off_when_there_is_no_answer_to_anything_any_more() -> None:
    analyst = Failing(*range(1, 1000))
    assert await judged(analyst, await decided_in(OVER, 5)) is None
    assert analyst.asked == 1 + ATTEMPTS * MOST_LEFT_OUT


async def shown(decisions: tuple[Decision, ...]) -> list[Layout]:
    """The review of these decisions, as it is shown."""
    review = await judged(InlineThinker(DRAWS), decisions)
    assert review is not None
    t = words("en")
    numbers = range(len(decisions))
    steps = [decision_layout(review, ReviewRef(ROW.id, each), t, replay_button) for each in numbers]
    return [summary_layout(review, t), *steps]


async def test_a_decision_says_in_words_how_the_sides_stood() -> None:
    first = words_of((await shown(await decided_in(OVER, 5)))[1])
    assert re.search(r"Your side first: points \d+ – \d+, cards captured \d+ – \d+, escobas \d+ – \d+\.", first)


@pytest.mark.parametrize(("log", "turns"), MOMENTS)
async def test_a_review_judges_by_no_card_that_its_player_could_not_see(log: list[LogEvent], turns: int) -> None:
    reviews: list[tuple[Decision, ...]] = []
    for number, each in enumerate(twins_at(turns, log)[:4]):
        match = fold(each).match
        assert match is not None
        move = match.event_of(match.legal_moves()[-1])  # the same in all; what follows differs
        over = played_on([*each, move], Random(number), lambda state: False)
        reviews.append(await decided_in(over, decisions_in([*each, move])))
    assert all(decisions == reviews[0] for decisions in reviews)
    assert await shown(reviews[0]) == await shown(reviews[1])


async def test_a_hint_and_a_review_measure_a_position_in_the_same_way() -> None:
    hinting, reviewing = Asked(), Asked()
    (decision,) = await decided_in(OVER, 1)
    await Hints(hinting).of(decision.view, ROW.id, ANA.id)
    await judged(reviewing, (decision,))
    asked = [(seed, draws) for _, seed, _, draws, _ in hinting.questions + reviewing.questions]
    assert asked[0] == asked[1]


def decisions_in(log: Sequence[LogEvent]) -> int:
    """How often the first person had a choice, counted from the log alone."""
    matches = (fold(log[:number]).match for number in range(len(log)) if number)
    return sum(match is not None and match.turn == 0 and len(match.legal_moves()) > 1 for match in matches)


OVER = played_on(RANKED, Random(1), lambda state: False)
RUNNING = played_on(RANKED, Random(1), decides(5))


@pytest.mark.parametrize(
    ("logs", "person"),
    [
        pytest.param(lambda: Logs(OVER, open_still=True), ANA, id="it is still open"),
        pytest.param(lambda: Logs(RUNNING), ANA, id="it was never finished"),
        pytest.param(lambda: Logs(OVER, guild_id=GUILD + 1), ANA, id="it is another server's"),
        pytest.param(lambda: Logs(OVER), STRANGER, id="it is somebody else's"),
    ],
)
async def test_there_is_no_review_of_a_match_that_runs_or_is_not_ones_own(
    logs: Callable[[], Logs], person: Any, reviews: Reviews
) -> None:
    with refused(TrainingRefusal.NO_REVIEW):
        await coach.begin_review(reviewing(person, logs(), reviews), ROW.id)
    assert reviews._tasks == {}


class Thinking(InlineThinker):
    """An analyst that never finishes."""

    async def analysis(self, *args: Any, **how: Any) -> Analysis | None:
        await asyncio.Event().wait()
        return None


@pytest.fixture
async def reviews() -> AsyncIterator[Reviews]:
    """Reviews by an analyst that never finishes."""
    store: Any = Logs(OVER)
    made = Reviews(Thinking(), store, lambda: NOON, lambda _: None)
    yield made
    await made.close()


def reviewing(person: Any, logs: Logs, reviews: Reviews) -> Any:
    """A command by which a person asks for a review."""
    interaction = asking(
        person,
        {Games: logs, MatchLuck: logs.luck},
        reviews=reviews,
        advises=True,
        throttle=Throttle(lambda: NOON, 0),
    )
    interaction.extras["reply"] = None
    return interaction


@pytest.mark.parametrize("erased", [ANA.id, 0], ids=["herself", "anybody"])
async def test_a_review_that_is_begun_while_its_person_is_erased_is_not_made(
    reviews: Reviews, monkeypatch: pytest.MonkeyPatch, erased: int
) -> None:
    async def send_private(layout: Layout) -> object:
        return object()

    monkeypatch.setattr(coach, "reply_to", lambda interaction: SimpleNamespace(send_private=send_private))
    logs = Logs(OVER)
    await coach.begin_review(reviewing(ANA, logs, reviews), ROW.id)
    assert set(reviews._tasks) == {ANA.id}
    [task] = reviews._tasks.values()
    reviews.forget(erased)
    assert reviews._tasks == {}
    await asyncio.wait([task], timeout=HANG_SECONDS)
    assert task.cancelled()

    logs.may_go_on.clear()
    beginning = asyncio.create_task(coach.begin_review(reviewing(ANA, logs, reviews), ROW.id))
    logs.reading.clear()
    await asyncio.wait_for(logs.reading.wait(), HANG_SECONDS)
    reviews.forget(erased)  # what is being read was stored before that
    logs.may_go_on.set()
    with refused(TrainingRefusal.NO_REVIEW):
        await beginning
    assert reviews._tasks == {}
