"""Learning from mistakes: a review's worst decisions are tried again, and what was missed comes back over days."""

import asyncio
import logging
import re
from pathlib import Path

import pytest

from bot.coach.grading import Grade
from bot.engine.moves import Move
from bot.engine.rules import Seating
from bot.training.live.finding import Exercise
from bot.training.live.practice import Practice, exercise_of
from bot.training.parts import TrainingParts
from bot.training.refusals import TrainingRefusal
from bot.training.store.rows import PracticeState
from tests.played.training.test_coach import played
from tests.support.escoba import Room, RoomOf, room
from tests.support.people import Person, forge, set_locale
from tests.support.phrases import STALE, refusal_text
from tests.training.screens.test_exercise import exercises
from tests.training.screens.test_practice import twins

DAY = 24 * 60 * 60.0
WHAT = "**What do you play?**"
SOURCE = "review/7/9"


async def review(here: Room, person: Person) -> None:
    await played(here, seed=22)  # one round long, and both make mistakes in it that come back
    await here.review(person)


def worst(here: Room, person: Person, place: int) -> Exercise:
    """The decision of the person's review that they are asked about again at this place."""
    [made] = [made for (_, owner), made in here.bot.host.of(TrainingParts).reviews._made.items() if owner == person.id]
    return exercise_of(made, made.moments[place])


def graded(exercise: Exercise, grades: set[Grade]) -> Move:
    """A move with one of these grades."""
    return next(move for move in exercise.view.moves if exercise.judged(move).grade in grades)


async def play(here: Room, person: Person, exercise: Exercise, move: Move) -> str:
    """Choose the move; returns what is shown then."""
    await person.choose(here.channel, [str(exercise.view.moves.index(move))], custom_id="^k:play:")
    return here.private_text(person)


def choices(here: Room, person: Person) -> int:
    """The number of moves that somebody can choose on their newest private message."""
    menus = person.selects(person.panel(here.channel))
    return sum(len(each.values) for each in menus if each.custom_id.startswith("k:play:"))


GOOD = {Grade.GOOD}
WRONG = {Grade.MISTAKE, Grade.BLUNDER, Grade.SMALL}


async def test_the_worst_decisions_of_a_review_are_tried_again_one_after_the_other(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await review(here, ana)
        summary = here.private_text(ana)
        count = summary.count("Better:")
        requests = len(here.tap.requests)
        await ana.press(here.channel, label="Try again")
        for place in range(count):
            exercise = worst(here, ana, place)
            question = here.private_text(ana)
            assert f"Your match again: {place + 1} of {count}" in question
            assert WHAT in question
            assert not re.search("Better|Good|Mistake|Blunder|slip", question), "no hint at first"
            first = await play(here, ana, exercise, graded(exercise, WRONG))
            assert re.search(r"(slip|Mistake|Blunder): [−-]?\d", first), first
            assert choices(here, ana) == len(exercise.view.moves) - 1, "not the wrong move again"
            assert "Better:" not in first
            second = await play(here, ana, exercise, graded(exercise, GOOD))
            assert "✅ Good" in second
            assert not choices(here, ana)
            if place + 1 < count:
                await ana.press(here.channel, label="Next")
        await ana.press(here.channel, label="Summary")
        assert here.private_text(ana) == summary
        assert not bea.sees(here.channel), "all of it is private"
        for request in here.tap.requests[requests:]:
            assert request.viewer == ana.id
            assert request.path.startswith(("/interactions/", "/webhooks/")), "none of it counts towards the limit"


async def test_the_solution_is_shown_after_a_second_wrong_move_or_on_giving_up(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here, seed=20)  # a match with two decisions that come back, and several wrong moves in each
        await here.review(ana)
        await ana.press(here.channel, label="Try again")
        exercise = worst(here, ana, 0)
        first, other = [move for move in exercise.view.moves if exercise.judged(move).grade in WRONG][:2]
        await play(here, ana, exercise, first)
        assert "Better: **" in await play(here, ana, exercise, other)
        await ana.press(here.channel, label="Next")
        exercise = worst(here, ana, 1)
        await play(here, ana, exercise, graded(exercise, WRONG))
        await ana.press(here.channel, label="Show me")
        assert "Better: **" in here.private_text(ana)


async def test_nothing_before_the_second_try_depends_on_which_move_is_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """All that is sent and logged after a wrong move stays the same with another move as the best."""
    caplog.set_level(logging.DEBUG, "bot")
    [position] = [each.position for each in exercises("quince", Seating.TWO, 1)]
    wrong = position.view.moves[0]
    sent: list[list[object]] = []
    for number, made in enumerate(twins(position, wrong)[:3]):
        (folder := tmp_path / str(number)).mkdir()
        monkeypatch.setattr(Practice, "due", lambda *_, made=made: asyncio.sleep(0, (SOURCE, made)))
        monkeypatch.setattr(Practice, "exercise", lambda *_, made=made: asyncio.sleep(0, made))
        async with room(folder, 1, pictures=True) as here:
            [ana] = here.people
            caplog.clear()
            await ana.slash(here.channel, "escoba practice")
            await ana.press(here.channel, label="Another puzzle")
            await play(here, ana, made, wrong)
            assert choices(here, ana) == len(made.view.moves) - 1
            answers = [each for each in here.tap.requests if "/interactions/" in each.path]
            requests = [(each.body, each.files, each.viewer) for each in answers]
            logged = [record.getMessage() for record in caplog.records if record.name.startswith("bot")]
            sent.append([requests, logged])
            assert made.judged(made.analysis.best.move).grade is Grade.GOOD
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]


@pytest.mark.thorough
async def test_a_decision_is_tried_again_after_a_restart_once_the_review_is_made_again(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await review(here, ana)
        summary = here.private_text(ana)
        await ana.press(here.channel, label="Try again")
        exercise = worst(here, ana, 0)
        await here.restart()
        await play(here, ana, exercise, graded(exercise, WRONG))
        assert here.private_text(ana) == summary, "it is made again, as with the other buttons"
        await ana.press(here.channel, label="Try again")
        assert "✅ Good" in await play(here, ana, exercise, graded(exercise, GOOD))


# ------------------------------------------------------------------------------------------------- over days


async def rows(here: Room, person: Person) -> list[PracticeState]:
    return await here.bot.parts.stores.practice.of(person.id)


async def asked(here: Room, person: Person) -> tuple[str, Exercise]:
    """The source and the position that the newest private message asks about, read from its menu."""
    menu = next(each for each in person.selects(person.panel(here.channel)) if each.custom_id.startswith("k:play:"))
    source = menu.custom_id.split(":")[2]
    exercise = await here.bot.host.of(TrainingParts).practice.exercise(person.id, source)
    assert exercise is not None
    return source, exercise


async def practise(here: Room, person: Person, wrong: set[str]) -> list[str]:
    """Practise everything that is due, the `wrong` sources wrongly at first; returns the sources that were asked."""
    await person.slash(here.channel, "escoba practice")
    found: list[str] = []
    if any(b.label == "Start" for b in person.buttons(person.panel(here.channel))):
        await person.press(here.channel, label="Start")
    while choices(here, person):
        source, exercise = await asked(here, person)
        found.append(source)
        if source in wrong:
            await play(here, person, exercise, graded(exercise, WRONG))
        assert "✅ Good" in await play(here, person, exercise, graded(exercise, GOOD))
        if not any(b.label == "Next" for b in person.buttons(person.panel(here.channel))):
            await person.press(here.channel, label="Overview")
            break
        await person.press(here.channel, label="Next")
    return found


@pytest.mark.thorough
async def test_mistakes_found_by_a_review_come_back_over_days_until_learned(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await review(here, ana)
        [made] = here.bot.host.of(TrainingParts).reviews._made.values()
        missed = [each for each in made.judged if each.grade in (Grade.MISTAKE, Grade.BLUNDER)]
        sources = {f"review/{made.game_id}/{each.decision.version}" for each in missed}
        assert {state.source for state in await rows(here, ana)} == sources
        assert len(sources) >= 2, "or the test shows too little"
        assert await practise(here, ana, set()) == []
        assert "✅ Done for now." in here.private_text(ana)
        assert f"{len(sources)} later" in here.private_text(ana)
        await here.wait(DAY)
        again = min(sources)
        assert set(await practise(here, ana, {again})) == sources
        assert "✅ Done for now." in here.private_text(ana)
        assert await practise(here, ana, set()) == []
        await here.wait(DAY)
        assert await practise(here, ana, set()) == [again], "it was missed, and starts over"
        await here.wait(2 * DAY)
        assert set(await practise(here, ana, set())) == sources - {again}
        await here.wait(10 * DAY)
        assert set(await practise(here, ana, set())) == sources
        assert re.search(rf"🎓 {len(sources) - 1} learned", here.private_text(ana))
        await here.wait(10 * DAY)
        await here.restart()
        assert await practise(here, ana, set()) == [again]
        assert f"🎓 {len(sources)} learned" in here.private_text(ana)
        assert [state.step for state in await rows(here, ana)] == [3] * len(sources)


async def test_an_answer_counts_once_even_if_its_button_is_pressed_again(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await review(here, ana)
        await here.wait(DAY)
        await ana.slash(here.channel, "escoba practice")
        await ana.press(here.channel, label="Start")
        source, exercise = await asked(here, ana)
        right, wrong = (exercise.view.moves.index(graded(exercise, grades)) for grades in (GOOD, WRONG))
        panel = ana.panel(here.channel)
        await forge(ana, panel, f"k:play:{source}:1:0", [str(right)], among=[])
        [state] = [state for state in await rows(here, ana) if state.source == source]
        assert state.step == 1
        for number in (right, wrong):
            await forge(ana, panel, f"k:play:{source}:1:0", [str(number)], among=[])
        assert state in await rows(here, ana), "it isn't due any more"


async def test_a_position_takes_only_its_moves_from_the_person_practising_it(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await review(here, ana)
        await here.wait(DAY)
        before = await rows(here, ana)
        source, game_id = before[0].source, int(before[0].source.split("/")[1])
        await ana.slash(here.channel, "escoba practice")
        await ana.press(here.channel, label="Start")
        for custom_id in (f"k:play:{source}:1:99", f"k:tell:{source}:1:99", f"k:play:again/{game_id}/0:1:99"):
            await forge(ana, ana.panel(here.channel), custom_id, among=[])
            assert STALE in here.private_text(ana), custom_id
            await ana.slash(here.channel, "escoba practice")
        assert await rows(here, ana) == before
        for person in (bea, ciro):
            await person.slash(here.channel, "escoba practice")
            for verb in ("ask", "play", "tell"):
                await forge(person, person.panel(here.channel), f"k:{verb}:{source}:1:0", among=[])
                assert "You missed nothing so far" in here.private_text(person)
            assert await rows(here, person) == []
        await forge(ciro, ciro.panel(here.channel), f"k:ask:again/{game_id}/0:1:0", among=[])
        assert refusal_text(TrainingRefusal.NO_REVIEW) in here.private_text(ciro)
        await forge(ana, ana.panel(here.channel), f"k:ask:again/{game_id}/9:1:0", among=[])
        assert "Your play:" in here.private_text(ana), "there is no such decision: the review is shown"


@pytest.mark.thorough
async def test_an_erased_person_has_nothing_to_practise_and_an_answer_under_way_brings_nothing_back(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        await review(here, ana)
        await here.wait(DAY)
        await ana.slash(here.channel, "escoba practice")
        await ana.press(here.channel, label="Start")
        source, _ = await asked(here, ana)
        panel = ana.panel(here.channel)
        await here.open_data(ana)
        await ana.press(here.channel, custom_id="^p:erase$")
        await ana.press(here.channel, custom_id="^p:eraseyes$")
        await ana.choose(panel, ["0"], custom_id=rf"^k:play:{source}:1:0$")
        assert any("You missed nothing so far" in text for text in ana.sees(here.channel))
        assert await rows(here, ana) == []


@pytest.mark.spanish
@pytest.mark.thorough
async def test_practice_can_be_read_in_spanish(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        set_locale(ana, "es-ES")
        await review(here, ana)
        await ana.press(here.channel, label="Probar otra vez")
        exercise = worst(here, ana, 0)
        first = await play(here, ana, exercise, graded(exercise, WRONG))
        assert re.search("Error|Descuido|Fallo", first), first
        await here.wait(DAY)
        await ana.slash(here.channel, "escoba practice")
        assert "para practicar" in here.private_text(ana)


@pytest.mark.thorough
async def test_somebody_with_nothing_to_practise_gets_other_positions_until_all_are_seen(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba practice")
        assert "You missed nothing so far" in here.private_text(ana)
        await ana.press(here.channel, label="Another puzzle")
        missed, _ = await asked(here, ana)
        found: list[str] = []
        while choices(here, ana):
            source, exercise = await asked(here, ana)
            found.append(source)
            if source == missed:
                await play(here, ana, exercise, graded(exercise, WRONG))
            assert "✅ Good" in await play(here, ana, exercise, graded(exercise, GOOD))
            await ana.press(here.channel, label="Another puzzle")
        assert "You've seen every puzzle I have." in here.private_text(ana)
        assert len(found) == len(set(found)) >= 5
        queue = await here.bot.host.of(TrainingParts).practice.queue(ana.id)
        assert ([each.source for each in queue.later], queue.learned) == ([missed], 0)
        assert queue.seen == set(found)
        await here.wait(DAY)
        assert await practise(here, ana, set()) == [missed], "what was missed comes back"


async def test_the_days_position_comes_first_until_answered_and_comes_back_if_missed(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        day = here.bot.parts.days.today
        exercise = await here.bot.parts.days.of(day)
        for person, grades in ((ana, WRONG - {Grade.SMALL}), (bea, GOOD)):
            await person.slash(here.channel, "escoba practice")
            assert "Today's puzzle is waiting for you." in here.private_text(person)
            await person.press(here.channel, label="Today's puzzle")
            number = exercise.view.moves.index(graded(exercise, grades))
            await person.choose(here.channel, [str(number)], custom_id=rf"^d:move:{day:%Y%m%d}:")
            await person.slash(here.channel, "escoba practice")
            assert "Today's puzzle" not in here.private_text(person)
        assert [state.source for state in await rows(here, ana)] == [f"day/{day.isoformat()}"]
        assert await rows(here, bea) == [], "she found it"
        await here.wait(DAY)
        await ana.slash(here.channel, "escoba practice")
        assert "Today's puzzle is waiting for you." in here.private_text(ana), "it is another day's"
        await ana.press(here.channel, label="Start")
        await here.restart()
        assert "✅ Good" in await play(here, ana, exercise, graded(exercise, GOOD)), "its buttons outlive the bot"
        assert [state.step for state in await rows(here, ana)] == [1]


@pytest.mark.thorough
async def test_stats_show_practice_only_to_their_owner(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await review(here, ana)
        missed = len(await rows(here, ana))
        await here.wait(DAY)
        await ana.slash(here.channel, "escoba stats")
        stats = here.private_text(ana)
        assert f"🎯 **{missed}** to practise · **{missed}** of them now" in stats
        assert "What you miss most: " in stats
        assert "Day's positions" not in stats, "she has answered none"
        day = here.bot.parts.days.today
        exercise = await here.bot.parts.days.of(day)
        await ana.slash(here.channel, "escoba practice")
        await ana.press(here.channel, label="Today's puzzle")
        number = exercise.view.moves.index(graded(exercise, GOOD))
        await ana.choose(here.channel, [str(number)], custom_id=rf"^d:move:{day:%Y%m%d}:")
        await ana.slash(here.channel, "escoba stats")
        assert "🧩 Daily puzzles: **1** of 1 solved in the last 30 days" in here.private_text(ana)
        await ana.press(here.channel, label="Show to everyone")
        await here.review(bea)
        assert await rows(here, bea), "she has something to practise, too"
        await bea.slash(here.channel, "escoba stats", player=ana.actor)
        for text in (*bea.sees(here.channel), *here.public_texts()):
            assert not re.search("🎯|🧩|miss most|reviewed match", text)
