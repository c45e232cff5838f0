"""Hints during a turn and the review of a match: private, and based only on what the player could know."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.coach.analysis import Analysis
from bot.engine.moves import Move, Play, Stage
from bot.engine.rules import PRESETS
from bot.engine.views import SeatView
from bot.platform.kit.throttle import REVIEWS, REVIEWS_WINDOW
from bot.platform.people import Person as Player
from bot.players import Level, choose
from bot.process.stores import Stores
from bot.tables.live.table import Table
from bot.tables.log.actions import PlayMove
from bot.tables.refusals import TableRefusal
from bot.thinking import InlineThinker, Urgency
from bot.training.boards import reviewing
from bot.training.ids.practice import ReviewRef, ReviewVerb
from bot.training.live.review import Hints, OwnMatch, Review, look_back
from bot.training.parts import TrainingParts
from bot.training.refusals import TrainingRefusal
from tests.support.dose import dose, thorough_but
from tests.support.escoba import DRAWS, Decks, Room, RoomOf, own
from tests.support.people import Person, forge, set_locale, text_of
from tests.support.phrases import refusal_text
from tests.support.recorded import log_events, store_log


def changed(here: Room, **parts: Any) -> None:
    """Replace some of the parts that the handlers of training use."""
    host = here.bot.host
    training = replace(host.of(TrainingParts), **parts)
    here.bot.host = replace(host, parts={**host.parts, TrainingParts: training})


def by_level(level: Level, seed: int = 1) -> Callable[[SeatView], Move]:
    """Chooses moves like a computer player of a level."""
    rng = Random(seed)
    return lambda view: choose(view, level, rng)


async def alone(here: Room, preset: str = "escoba", computers: int = 1) -> Table:
    """Start a match of the first person against computers."""
    await here.lobby(variant=preset, target=11)
    for _ in range(computers):
        await here.press(here.people[0], here.shown, "addc")
    await here.press(here.people[0], here.shown, "start")
    await here.press(here.people[0], here.shown, "hand")
    return here.table


async def my_turn(here: Room, table: Table) -> SeatView:
    """Wait while the computers play, until it is the first person's turn."""
    seat = here.seat_of(here.people[0])
    for _ in range(10):
        view = table.seat_view(seat)
        assert view is not None
        if view.has_turn:
            return view
        await here.env.advance_time(1)
    raise AssertionError("it is never their turn")


def labels(here: Room, person: Person, message: object) -> set[str]:
    return {button.custom_id.split(":")[1] for button in person.buttons(message)}  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------- hints


@pytest.mark.parametrize("preset", thorough_but(PRESETS, "quince"))
async def test_a_hint_on_the_panel_says_what_to_play_and_why_in_every_preset(room_of: RoomOf, preset: str):
    async with room_of(1) as here:
        [ana] = here.people
        computers = 1 if preset != "cientifica" else 3
        table = await alone(here, preset, computers)
        for _ in range(dose("HINTS", 3)):
            view = await my_turn(here, table)
            await here.press(ana, here.panel(ana), "hint")
            panel = text_of(here.panel(ana))
            assert panel.count("💡") == 1
            assert re.search(
                r"💡 \*\*.+\.\*\* (It .+\.|Better than .+: it .+\.|Another move .+\.|There's nothing else .+\.)", panel
            ), panel
            assert table.seat_view(view.seat) is view, "nothing was played"
            await here.play(ana, choose(view, Level.NORMAL, Random(1)), view)
            if table.view().match is None or table.view().match.stage is Stage.TO_DEAL:  # type: ignore[union-attr]
                break
        assert "💡" not in here.public_text


async def test_a_hint_is_shown_where_the_capture_is_chosen(room_of: RoomOf):
    deck = Decks(rigged={1: "5o 1c 2c 4o 11e 12e 6e 6b 4e 7b"}, dealer=1)
    async with room_of(1, chance=deck) as here:
        [ana] = here.people
        table = await alone(here)
        view = await my_turn(here, table)
        several = next(
            move.card
            for move in view.moves
            if isinstance(move, Play) and sum(getattr(m, "card", None) is move.card for m in view.moves) > 1
        )
        await here.press(ana, here.panel(ana), "card", str(several))
        assert table.seat_view(view.seat).public.laid is several  # type: ignore[union-attr]
        await here.press(ana, here.panel(ana), "hint")
        assert "💡" in text_of(here.panel(ana))


async def test_a_ranked_match_offers_no_hints(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin(2)
        match = here.table.view().match
        assert match is not None
        assert match.turn is not None
        player = here.people[match.turn]
        assert "hint" not in labels(here, player, here.panel(player))
        found = next(button for button in player.buttons(here.panel(player)) if button.custom_id.startswith("e:panel:"))
        await forge(player, here.panel(player), found.custom_id.replace(":panel:", ":hint:"))
        assert refusal_text(TrainingRefusal.NO_HINTS) in here.private_text(player)
        assert "💡" not in " ".join(player.sees(here.channel))


async def test_a_server_can_turn_hints_off(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        own(here, ana)
        await here.setting(ana, "hints", "off")
        table = await alone(here)
        await my_turn(here, table)
        assert "hint" not in labels(here, ana, here.panel(ana))


class Nobody(InlineThinker):
    """An analyst that never has an answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Urgency] = []

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        self.asked.append(urgency)
        return None


async def test_the_game_goes_on_when_no_hint_can_be_found(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await alone(here)
        view = await my_turn(here, table)
        changed(here, hints=Hints(Nobody()))
        await here.press(ana, here.panel(ana), "hint")
        assert "I can't think that through right now" in here.private_text(ana)
        await here.play(ana, view.moves[0], view)


class Counting(InlineThinker):
    """An analyst that counts what it thinks about."""

    def __init__(self) -> None:
        super().__init__(most_draws=DRAWS)
        self.people: list[int | None] = []

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        self.people.append(how["person"])
        return await super().analysis(view, seed, urgency, **how)


async def test_a_hint_that_is_asked_again_and_again_is_thought_about_once(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await alone(here)
        await my_turn(here, table)
        analyst = Counting()
        changed(here, hints=Hints(analyst))
        for _ in range(10):
            await here.press(ana, here.panel(ana), "hint")
        assert "💡 **" in here.private_text(ana)
        assert analyst.people == [ana.id]


class Overtaken(InlineThinker):
    """An analyst that lets something else happen before it answers."""

    def __init__(self, meanwhile: Callable[[SeatView], Coroutine[Any, Any, None]]) -> None:
        super().__init__(most_draws=DRAWS)
        self.meanwhile = meanwhile

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        found = await super().analysis(view, seed, urgency, **how)
        await self.meanwhile(view)
        return found


async def test_a_hint_for_a_move_that_was_made_meanwhile_is_not_shown(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        table = await alone(here)

        async def play(view: SeatView) -> None:
            await table.submit(PlayMove(Player(ana.id, ana.name), view.public.version, view.moves[0]))

        await my_turn(here, table)
        changed(here, hints=Hints(Overtaken(play)))
        await here.press(ana, here.panel(ana), "hint")
        assert not [request for request in here.tap.requests if "💡 **" in str(request.body)]


# ------------------------------------------------------------------------------------------------- reviews


async def played(here: Room, preset: str = "escoba", seed: int = 1, target: int = 5) -> int:
    """Store a match between the first people, badly played, without clicks. Returns its game's id."""
    seats = PRESETS[preset].seatings[0].seats
    people = [Player(person.id, person.name) for person in here.people[:seats]]
    events = log_events(preset, people, seed=seed, target=target)
    return await store_log(
        here.bot.parts.stores, here.world.guild.id, 10_000 + seed, events, here.bot.parts.clock.now()
    )


async def test_a_review_asks_for_its_person(room_of: RoomOf):
    async with room_of(2) as here:
        _, bea = here.people
        await played(here)
        analyst = here.bot.host.of(TrainingParts).reviews._analyst = Counting()
        await here.review(bea)
        assert "Your play:" in here.private_text(bea)
        assert set(analyst.people) == {bea.id}


@pytest.mark.parametrize(("score", "number"), [(0.1096, 10), (0.29, 29), (0.9999, 99), (1.0, 100)])
async def test_a_review_has_the_same_number_in_the_statistics(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, score: float, number: int
):
    monkeypatch.setattr(Review, "score", score)
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        await here.review(ana)
        assert f"Your play: {number} out of 100" in here.private_text(ana)
        await ana.slash(here.channel, "escoba stats")
        assert f"Your play in 1 reviewed match: **{number} out of 100**" in here.private_text(ana)


@pytest.mark.parametrize("preset", thorough_but(PRESETS, "quince"))
async def test_a_review_covers_every_decision_in_every_preset(room_of: RoomOf, preset: str):
    async with room_of(PRESETS[preset].seatings[0].seats) as here:
        ana = here.people[0]
        await played(here, preset)
        await here.review(ana)
        assert "Your play:" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^v:show:")
        for number in range(1, 1000):
            text = here.private_text(ana)
            assert f"### Decision {number} of" in text
            assert "You played:" in text
            if any(b.disabled for b in ana.buttons(ana.panel(here.channel)) if b.custom_id.startswith("v:next:")):
                break
            await ana.press(here.channel, custom_id="^v:next:")
        assert number > 5


async def test_a_review_goes_through_a_match_step_by_step(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        assert await here.bot.parts.stores.luck.put(await played(here, target=11), "[[21,-9,49],[-21,9,49]]")
        await here.review(ana)
        summary = here.private_text(ana)
        assert "Was it luck? +2.1 ± 4.9 by the cards · +1.2 in fact" in summary
        assert re.search(
            r"\*\*Your play: \d+ out of 100\*\* · \d+ decisions · points given away a round: [\d.]+", summary
        ), summary
        assert "The moments that mattered" in summary
        assert 1 <= summary.count("Better:") <= 3
        await ana.press(here.channel, custom_id="^v:show:")
        first = here.private_text(ana)
        assert "### Decision 1 of" in first
        assert "**Your hand**" in first
        assert "±0" in first
        await ana.press(here.channel, custom_id="^v:next:")
        assert "### Decision 2 of" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^v:prev:")
        assert here.private_text(ana) == first
        await ana.press(here.channel, custom_id="^v:only:")
        costly: list[str] = []
        for _ in range(100):
            costly.append(here.private_text(ana))
            if any(b.disabled for b in ana.buttons(ana.panel(here.channel)) if b.custom_id.startswith("v:next:")):
                break
            await ana.press(here.channel, custom_id="^v:next:")
        assert all("Better:" in text for text in costly)
        await ana.press(here.channel, custom_id="^v:sum:")
        assert here.private_text(ana) == summary
        assert all("Decision" not in text and "Your play" not in text for text in bea.sees(here.channel))


@pytest.mark.thorough
async def test_each_player_opens_the_review_from_the_result_and_sees_their_own_hands(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.begin(2, target=5)
        await here.finish(by_level(Level.EASY))
        for person in (ana, bea):
            await here.press(person, here.private(person), "review")
            assert "Your play:" in here.private_text(person)
            await person.press(here.channel, custom_id="^v:show:")
        assert here.private_text(ana) != here.private_text(bea)
        await here.press(ana, here.shown, "hand")
        await ana.press(here.private(ana), custom_id="^w:open:")
        assert "step 1 of" in here.private_text(ana)
        await here.press(ciro, here.shown, "hand")
        assert refusal_text(TableRefusal.NOT_SEATED) in here.private_text(ciro)


async def test_a_match_cannot_be_reviewed_before_it_is_over(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin(2)
        await here.open_match(ana)
        offered = [button.custom_id.split(":")[1] for button in ana.buttons(ana.panel(here.channel))]
        assert offered == ["verify", "list"]
        await forge(ana, here.panel(ana), f"e:review:{here.table.id}:1")
        assert refusal_text(TrainingRefusal.NO_REVIEW) in here.private_text(ana)
        assert not any("Your play" in text for text in ana.sees(here.channel))


async def test_a_review_shows_the_same_after_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        await here.review(ana)
        summary = here.private_text(ana)
        await here.restart()
        await ana.press(here.channel, custom_id="^v:show:")
        assert here.private_text(ana) == summary, "the review is computed again with the same result"


async def test_a_failed_review_says_so_and_can_be_tried_again(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reviewing, "AGAIN_SECONDS", 0)
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        analyst, here.bot.host.of(TrainingParts).reviews._analyst = (
            here.bot.host.of(TrainingParts).reviews._analyst,
            Nobody(),
        )
        for _ in range(REVIEWS + 1):  # none of them counts
            await here.review(ana)
            assert "I can't think that through right now" in here.private_text(ana)
        here.bot.host.of(TrainingParts).reviews._analyst = analyst
        await ana.press(here.channel, custom_id="^v:make:")
        assert "Your play:" in here.private_text(ana)


async def test_a_bot_without_an_analyst_says_that_it_offers_no_reviews(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        changed(here, advises=False)
        await here.review(ana)
        assert "This bot isn't set up to review matches." in here.private_text(ana)


class Waiting(Nobody):
    """An analyst that thinks until it is cancelled."""

    async def analysis(self, view: SeatView, seed: str, urgency: Urgency, **how: Any) -> Analysis | None:
        self.asked.append(urgency)
        await asyncio.sleep(100_000)
        return None


async def test_a_person_gets_one_review_at_a_time_and_can_cancel_it(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        waiting = here.bot.host.of(TrainingParts).reviews._analyst = Waiting()
        await here.review(ana)
        assert re.search(r"0 of \d+ decisions", here.private_text(ana))
        progress = ana.panel(here.channel)
        await here.review(ana)
        assert "still working on another review" in here.private_text(ana)
        await here.review(bea)
        assert "0 of" in here.private_text(bea), "another person may start one"
        assert waiting.asked == [Urgency.REVIEW] * 2
        await ana.press(progress, custom_id="^v:cancel:")
        assert any("I've stopped" in text for text in ana.sees(here.channel))
        assert set(here.bot.host.of(TrainingParts).reviews._tasks) == {bea.id}
        await bea.press(here.channel, custom_id="^v:cancel:")
        assert here.bot.host.of(TrainingParts).reviews._tasks == {}


async def test_whoever_comes_later_waits_in_line_and_sees_their_place(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reviewing, "AT_ONCE", 1)
    async with room_of(4) as here:
        ana, bea, ciro, _ = here.people
        await played(here, "quince")
        reviews = here.bot.host.of(TrainingParts).reviews
        analyst, reviews._analyst = reviews._analyst, Waiting()
        for person in (ana, bea, ciro):
            await here.review(person)
        assert re.search(r"0 of \d+ decisions", here.private_text(ana))
        assert "1 review comes before yours" in here.private_text(bea)
        assert "2 reviews come before yours" in here.private_text(ciro)
        await bea.press(here.channel, custom_id="^v:cancel:")
        assert "1 review comes before yours" in here.private_text(ciro)
        reviews._analyst = analyst
        await ana.press(here.channel, custom_id="^v:cancel:")
        assert "Your play:" in here.private_text(ciro)


async def test_a_refusal_does_not_count_as_a_review(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        await here.review(ana)
        panel, throttle = ana.panel(here.channel), here.bot.host.throttle.reviews
        for _ in range(REVIEWS + 1):
            await forge(ana, panel, ReviewRef(999).custom_id(ReviewVerb.MAKE))
            assert refusal_text(TrainingRefusal.NO_REVIEW) in here.private_text(ana)
        assert throttle.take(ana.id)


@pytest.mark.thorough
async def test_a_review_ends_when_its_person_is_erased(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        here.bot.host.of(TrainingParts).reviews._analyst = Waiting()
        for person in (ana, bea):
            await here.review(person)
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:erase$")
        await ana.press(here.channel, custom_id="^p:eraseyes$")
        assert set(here.bot.host.of(TrainingParts).reviews._tasks) == {bea.id}
        await bea.press(here.channel, custom_id="^v:cancel:")


async def test_beyond_the_limit_no_match_is_replayed(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        replayed: list[int] = []

        async def counting(store: Stores, game_id: int, guild_id: int, person_id: int) -> OwnMatch:
            replayed.append(game_id)
            return await look_back(store.games, store.luck, game_id, guild_id, person_id)

        monkeypatch.setattr("bot.training.clicks.coach.look_back", counting)
        for _ in range(REVIEWS):
            assert here.bot.host.throttle.reviews.take(ana.id)
        for _ in range(3):
            await here.review(ana)
            assert refusal_text(TrainingRefusal.TOO_MANY_REVIEWS) in here.private_text(ana)
        assert replayed == []


@pytest.mark.thorough
async def test_starting_and_cancelling_reviews_is_rate_limited(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        analyst, here.bot.host.of(TrainingParts).reviews._analyst = (
            here.bot.host.of(TrainingParts).reviews._analyst,
            Waiting(),
        )
        await here.review(ana)
        for _ in range(REVIEWS - 1):
            await ana.press(here.channel, custom_id="^v:cancel:")
            await ana.press(here.channel, custom_id="^v:make:")
        await ana.press(here.channel, custom_id="^v:cancel:")
        here.bot.host.of(TrainingParts).reviews._analyst = analyst
        await ana.press(here.channel, custom_id="^v:make:")
        assert refusal_text(TrainingRefusal.TOO_MANY_REVIEWS) in here.private_text(ana)
        await here.review(bea)
        assert "Your play:" in here.private_text(bea)
        await here.wait(REVIEWS_WINDOW.total_seconds() + 1)
        await here.review(ana)
        assert "Your play:" in here.private_text(ana)
        for _ in range(REVIEWS + 1):  # a finished review can be opened any number of times
            await here.review(ana)
            assert "Your play:" in here.private_text(ana)


@pytest.mark.thorough
async def test_a_review_counts_once_per_match_is_private_and_can_be_erased(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        for _ in range(2):
            await here.review(ana)
        await ana.slash(here.channel, "escoba stats")
        assert len(re.findall(r"Your play in 1 reviewed match: \*\*\d+ out of 100\*\*", here.private_text(ana))) == 1
        await bea.slash(here.channel, "escoba stats", player=ana.actor)
        assert "reviewed match" not in here.private_text(bea), "shown only to the player"
        data = await here.bot.parts.stores.personal_data.of(ana.id)
        assert [review.game_id for review in data.reviews] == [data.games[0].id]
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:erase$")
        await ana.press(here.channel, custom_id="^p:eraseyes$")
        assert (await here.bot.parts.stores.personal_data.of(ana.id)).reviews == ()
        await ana.slash(here.channel, "escoba games")
        assert "haven't played a match" in here.private_text(ana)


@pytest.mark.spanish
@pytest.mark.thorough
async def test_a_hint_can_be_read_in_spanish(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        set_locale(ana, "es-ES")
        table = await alone(here)
        await my_turn(here, table)
        await here.press(ana, here.panel(ana), "hint")
        assert re.search(r"💡 \*\*.+\*\* (Esa jugada|Otra jugada)", text_of(here.panel(ana)))


@pytest.mark.spanish
@pytest.mark.thorough
async def test_a_review_can_be_read_in_spanish(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        set_locale(ana, "es-ES")
        await played(here, target=11)
        await here.review(ana)
        summary = here.private_text(ana)
        assert "Tu juego:" in summary
        assert "Mejor:" in summary
        assert "Your play" not in summary
