"""The day's position: everybody has one try, learns the solution only then, and sees what the others chose."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from bot.coach.analysis import TERMS, Analysis, MoveRating
from bot.engine.cards import DECK
from bot.engine.events import RoundDealt
from bot.engine.notation import Position
from bot.engine.rules import Seating
from bot.platform.refusals import CommonRefusal
from bot.training.ids.lesson import DayRef, DayVerb
from bot.training.live.days import DayPositions
from bot.training.live.finding import Exercise
from bot.training.parts import TrainingParts
from bot.training.refusals import TrainingRefusal
from bot.training.settings import offered_key
from bot.training.store.rows import DayAnswer
from tests.support.engine import random_events
from tests.support.escoba import Room, RoomOf, own
from tests.support.limits_components import walk
from tests.support.people import Person, components_of, forge, text_of
from tests.support.phrases import STALE, refusal_text

DAY = timedelta(days=1)
NO_POSITION, CLOSED = refusal_text(TrainingRefusal.NO_POSITION), "That puzzle is too old."


def exercise(best: int = 0, moves: int = 2) -> Exercise:
    """The first decision of a match, with made-up ratings; `best` is the number of the best move."""
    events = [
        event for (event, _), _ in zip(random_events("quince", Seating.TWO, Random(6)), range(moves), strict=False)
    ]
    position = Position(tuple(events))
    order = list(position.view.moves)
    order.insert(0, order.pop(best))
    terms = dict.fromkeys(TERMS, 0.1)
    ratings = (MoveRating(move, -0.4 * place, terms, 0.5, 0.4 * place, 0.01) for place, move in enumerate(order))
    return Exercise(position, Analysis(tuple(ratings), exact=False))


@pytest.fixture
def opened(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A room where every day has the same position."""

    @asynccontextmanager
    async def open_room(people: int = 2, made: Exercise | None = None, **settings: Any) -> AsyncIterator[Room]:
        async with room_of(people, **settings) as here:
            position = made or exercise()
            monkeypatch.setattr(DayPositions, "of", lambda *_: asyncio.sleep(0, position))
            yield here

    return open_room


def today(here: Room) -> date:
    return here.env.now().date()


async def ask(here: Room, person: Person) -> str:
    """What `/escoba today` shows somebody."""
    result = await person.slash(here.channel, "escoba today")
    assert result.ephemeral
    return here.private_text(person)


def offered(here: Room, person: Person) -> list[str]:
    """The moves in the menu on somebody's newest private message."""
    menus = person.selects(person.panel(here.channel))
    return [value for each in menus if ":move:" in each.custom_id for value in each.values]


async def choose(here: Room, person: Person, number: int) -> str:
    """Choose a move; returns what is shown then."""
    await person.choose(person.panel(here.channel), [str(number)], custom_id=":move:")
    return here.private_text(person)


async def more(here: Room, person: Person) -> str:
    """Press *More* on the verdict; returns what is shown then."""
    await person.press(person.panel(here.channel), label="More")
    return here.private_text(person)


async def test_everybody_has_one_try_and_then_learns_the_solution_and_what_the_others_chose(opened):
    async with opened() as here:
        ana, bea = here.people
        assert "One try." in await ask(here, ana)
        assert len(offered(here, ana)) == len(exercise().view.moves)
        assert "✅ Good" in await choose(here, ana, 0)
        assert "chose" not in await more(here, ana), "nobody else has played"
        assert "%" not in here.private_text(ana)
        assert "✅ Good" in await ask(here, ana)
        assert offered(here, ana) == [], "there is no second try"
        await ask(here, bea)
        verdict = await choose(here, bea, 2)
        assert "🟠 Mistake: −0.8 points" in verdict
        assert "Better: **" in verdict
        assert "1 other: 100% the better move · 0% like you" in verdict
        assert "⬜⬜⬜⬜⬜⬜🟥" in verdict
        told = await more(here, bea)
        assert "**What 2 players chose**" in told
        shares = [line for line in told.splitlines() if "%" in line]
        assert [line.partition(" · ")[0] for line in shares] == ["**50%**", "**0%**", "**50%**", *["**0%**"] * 3]
        assert [number for number, line in enumerate(shares) if "your move" in line] == [2]
        assert "No streak yet" in told
        assert "Your last seven days: ⬜⬜⬜⬜⬜⬜🟥" in told
        await bea.press(bea.panel(here.channel), label="Back")
        assert here.private_text(bea) == verdict
        await ask(here, ana)
        assert "🔥 Streak: **1** day" in await more(here, ana)


async def test_only_the_answer_that_stands_leaves_something_to_practise(opened, monkeypatch: pytest.MonkeyPatch):
    async with opened() as here:
        ana, bea = here.people
        practice = here.bot.host.of(TrainingParts).practice
        await ask(here, ana)
        await choose(here, ana, 2)
        assert len((await practice.queue(ana.id)).later) == 1
        answers = here.bot.parts.stores.answers
        await ask(here, bea)
        with monkeypatch.context() as faster:  # another answer of theirs was stored a moment before
            faster.setattr(answers, "give", lambda answer: asyncio.sleep(0, replace(answer, move="other")))
            await choose(here, bea, 2)
        assert (await practice.queue(bea.id)).seen == frozenset()


async def test_a_manager_is_asked_once_whether_to_have_it_posted(opened):
    async with opened() as here:
        ana, bea = here.people
        for person in (bea, ana, ana):
            if person is ana:
                own(here, ana)
            await ask(here, person)
            if offered(here, person):
                await choose(here, person, 0)
            asks = [each for each in person.sees(here.channel) if "A puzzle a day in a channel." in each]
            assert len(asks) == (person is ana)
        await here.restart(killed=True)
        await ask(here, ana)
        assert len([each for each in ana.sees(here.channel) if "A puzzle a day in a channel." in each]) == 1
        await ana.choose(here.channel, [here.channel], custom_id="s:dayin")
        assert any("It's posted in " in each for each in ana.sees(here.channel))


async def test_a_manager_is_asked_again_if_the_question_could_not_be_sent(opened):
    async with opened() as here:
        ana = here.people[0]
        own(here, ana)
        await ask(here, ana)
        await choose(here, ana, 0)
        await here.bot.parts.stores.values.set(offered_key(here.world.guild.id), None)
        here.env.inject_error("POST", "/webhooks/*/*", status=404, code=10015, times=1)
        await ask(here, ana)
        assert "A puzzle a day in a channel." not in here.private_text(ana)
        await ask(here, ana)
        assert "A puzzle a day in a channel." in here.private_text(ana)


async def test_a_second_click_shows_the_verdict_that_stands(opened):
    async with opened() as here:
        ana = here.people[0]
        await ask(here, ana)
        question = ana.panel(here.channel)
        first = await choose(here, ana, 1)
        for number in (0, 2):  # as if clicked before the verdict came
            await forge(ana, question, DayRef(today(here)).custom_id(DayVerb.MOVE), [str(number)])
            assert here.private_text(ana) == first
        assert (await here.bot.parts.stores.answers.record(ana.id, today(here), today(here), 1)).shares == {
            exercise().name_of(exercise().view.moves[1]): 1
        }


async def test_an_answer_after_midnight_is_to_the_day_of_its_question_and_does_not_count(opened):
    async with opened() as here:
        ana = here.people[0]
        await ask(here, ana)
        asked = today(here)
        await here.wait(86_400)
        text = await choose(here, ana, 0)
        assert "This day was over when you answered" in text
        assert "%" not in text, "nobody answered in time"
        assert not [each for each in ana.buttons(ana.panel(here.channel)) if ":share:" in each.custom_id]
        assert "One try." in await ask(here, ana)
        record = await here.bot.parts.stores.answers.record(ana.id, asked, asked, 1)
        assert not record.answers[asked].counted


async def test_the_last_seven_days_can_be_made_up_for(opened):
    async with opened() as here:
        ana = here.people[0]
        await ana.slash(here.channel, "escoba practice")
        await ana.press(ana.panel(here.channel), custom_id=":week:")
        [menu] = ana.selects(ana.panel(here.channel))
        days = [today(here) - back * DAY for back in range(1, 8)]
        assert menu.values == [f"{day:%Y%m%d}" for day in days]
        await ana.choose(ana.panel(here.channel), [f"{days[6]:%Y%m%d}"], custom_id=":choose:")
        assert "it won't count" in here.private_text(ana)
        assert "✅ Good" in await choose(here, ana, 0)
        await more(here, ana)
        await ana.press(ana.panel(here.channel), custom_id=":week:")
        listed = [each for _, each in sorted(options_of(ana, here).items())]
        assert [each["emoji"]["name"] for each in listed] == ["🟩", *["⬜"] * 6]
        await ask(here, ana)
        await choose(here, ana, 1)
        assert "No streak yet" in await more(here, ana)


async def test_a_day_that_was_missed_can_be_solved_later_to_save_a_streak(opened):
    async with opened() as here:
        ana = here.people[0]
        await ask(here, ana)
        await choose(here, ana, 0)
        await here.wait(2 * DAY.total_seconds())
        await ask(here, ana)
        await choose(here, ana, 0)
        assert "Solve the puzzle you missed (**Earlier days**), and your streak goes on: **2** days" in await more(
            here, ana
        )
        await ana.press(ana.panel(here.channel), custom_id=":week:")
        await ana.choose(ana.panel(here.channel), [f"{today(here) - DAY:%Y%m%d}"], custom_id=":choose:")
        await choose(here, ana, 0)
        assert "🔥 Streak: **2** days" in await more(here, ana)


def options_of(person: Person, here: Room) -> dict[str, Any]:
    """The options of the only menu on somebody's newest private message, by their values."""
    [menu] = [node for _, node in walk(components_of(person.panel(here.channel))) if "options" in node]
    return {each["value"]: each for each in menu["options"]}


async def test_a_month_is_ranked_by_the_answers_given_on_the_server(opened):
    async with opened(3) as here:
        ana, bea, ciro = here.people
        for person, number in ((ana, 1), (bea, 0)):
            await ask(here, person)
            await choose(here, person, number)
        elsewhere = DayAnswer(today(here), ciro.id, 7, "Ciro", "0 1o", 0, True, here.env.now())
        await here.bot.parts.stores.answers.give(elsewhere)
        await more(here, ana)
        await ana.press(ana.panel(here.channel), custom_id=":month:")
        board = here.private_text(ana)
        assert "🥇 **Bea**\n-# 1 of 1 day solved\n" in board
        assert "🥈 __**Ana**__\n-# 0 of 1 day solved · points given away: 0.4" in board
        assert "Ciro" not in board
        await ana.press(ana.panel(here.channel), label="Last month")
        assert "Nobody here tried one that month" in here.private_text(ana)
        await ana.press(ana.panel(here.channel), label="Today's puzzle")
        assert "🟠 Mistake" in here.private_text(ana)


async def test_everybody_can_be_shown_how_it_went_without_the_move(opened):
    async with opened() as here:
        ana, bea = here.people
        await ask(here, ana)
        await choose(here, ana, 0)
        await ana.press(ana.panel(here.channel), custom_id=":share:")
        [shown] = here.public_texts()
        assert shown.splitlines() == ["🧩 **Ana** · daily puzzle, January 1: 🟩", "⬜⬜⬜⬜⬜⬜🟩"]
        await bea.press(bea.latest(here.channel, lambda _: True, ephemeral=False), label="Solve it, too")
        assert "One try." in here.private_text(bea)
        await forge(bea, bea.panel(here.channel), DayRef(today(here)).custom_id(DayVerb.SHARE))
        assert here.private_text(bea) == STALE
        await ana.press(ana.panel(here.channel), custom_id=":share:")
        assert here.private_text(ana) == refusal_text(CommonRefusal.SHOWN_JUST_NOW)
        assert len(here.public_texts()) == 1


async def test_no_position_is_seen_before_its_day_or_solved_long_after_it(opened):
    async with opened() as here:
        ana = here.people[0]
        await ask(here, ana)
        for day, answer in (
            (today(here) + DAY, NO_POSITION),
            (today(here) - 8 * DAY, CLOSED),
            (date(2020, 1, 1), CLOSED),
        ):
            for verb in (DayVerb.OPEN, DayVerb.MOVE, DayVerb.MORE, DayVerb.SHARE):
                result = await forge(ana, ana.panel(here.channel), DayRef(day).custom_id(verb))
                assert result.response is not None
                assert answer in text_of(result.response)
        await forge(ana, ana.panel(here.channel), DayRef(today(here)).custom_id(DayVerb.CHOOSE), ["20991231"])
        assert here.private_text(ana) == NO_POSITION
        assert (await here.bot.parts.stores.personal_data.of(ana.id)).answers == ()


async def test_nothing_before_the_try_depends_on_the_solution_or_on_hidden_cards(
    opened, caplog: pytest.LogCaptureFixture
):
    """All that is sent and logged stays the same with other cards in the other hand, another move as the best, and
    other answers of people elsewhere."""
    sent: list[list[Any]] = []
    logged: list[list[str]] = []
    caplog.set_level(logging.DEBUG, "bot")
    for made, chosen in ((exercise(), 0), (with_other_secrets(exercise(best=2)), 3)):
        async with opened(made=made, pictures=True) as here:
            ana, bea = here.people
            move, now = made.name_of(made.view.moves[chosen]), here.env.now()
            for stranger in range(10 * chosen + 1, 10 * chosen + 4):
                answer = DayAnswer(today(here), stranger, 1, "Zoe", move, 0, counted=True, at=now)
                await here.bot.parts.stores.answers.give(answer)
            caplog.clear()
            await ask(here, ana)
            await ana.slash(here.channel, "escoba practice")
            await ana.press(ana.panel(here.channel), custom_id=":week:")
            await ana.press(ana.panel(here.channel), custom_id=":month:")
            await bea.slash(here.channel, "escoba today")
            requests = [each for each in here.tap.requests if "/interactions/" in each.path]
            sent.append([(each.body, each.files, each.viewer) for each in requests])
            logged.append([record.getMessage() for record in caplog.records if record.name.startswith("bot")])
            files = [each.file_names for each in requests]
        if len(sent) == 1:
            assert ["panel.png"] in files
    assert sent[0] == sent[1]
    assert logged[0] == logged[1]


def with_other_secrets(made: Exercise) -> Exercise:
    """The exercise with the unseen cards in other places."""
    unseen = [card for card in DECK if card in made.view.unseen]
    exchanged = dict(zip(unseen, unseen[::-1], strict=True))
    events = tuple(
        replace(each, deck=tuple(exchanged.get(card, card) for card in each.deck))
        if isinstance(each, RoundDealt)
        else each
        for each in made.position.events
    )
    other = Exercise(Position(events), made.analysis)
    assert other.position.match != made.position.match
    assert other.view == made.view
    return other


async def test_of_two_clicks_at_once_one_is_stored_and_both_show_it(opened):
    """As if one person clicked on two devices: another process has just stored their other answer."""
    async with opened() as here:
        ana = here.people[0]
        await ask(here, ana)
        made, store = exercise(), here.bot.parts.stores
        give = store.answers.give
        other = DayAnswer(
            today(here), ana.id, here.world.guild.id, "Ana", made.name_of(made.view.moves[1]), 400, True, here.env.now()
        )

        async def late(answer: DayAnswer) -> DayAnswer:
            await give(other)
            return await give(answer)

        store.answers.give = late
        assert "🟠 Mistake: −0.4 points" in await choose(here, ana, 0)
        assert "other" not in here.private_text(ana), "she has chosen that alone"
