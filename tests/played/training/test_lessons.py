"""Playing the lessons: they are left and resumed anywhere, withstand old and forged buttons, and are offered once."""

import pytest

from bot.engine.cards import CardSet
from bot.platform.layout import Layout, notice
from bot.platform.transport.channels import EphemeralMessage
from bot.platform.transport.reply import Reply
from bot.tables.ids.game import pack
from bot.tables.log.events import Phase
from bot.tables.log.seats import Alone
from bot.training.live.lesson_deal import LessonDeal, advice
from bot.training.rules.lesson_steps import FIRST, LESSONS
from bot.training.rules.lessons import named
from bot.training.store.rows import LessonRow
from tests.support.dose import thorough_but
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of

STEPS = LESSONS[FIRST].steps


async def press(here: Room, person: Person, verb: str, answer: str | None = None) -> None:
    """Press a button of the lesson on the screen."""
    ending = "" if answer is None else f":{answer}$"
    await person.press(person.panel(here.channel), custom_id=rf"^l:{verb}\b.*{ending}")


async def solve(here: Room, person: Person, first: int, last: int) -> None:
    """Answer these steps of the first lesson, each wrongly at first."""
    for number in range(first, last):
        step = STEPS[number]
        assert f"step {number + 1} of {len(STEPS)}" in here.private_text(person)
        await press(here, person, "try", next(each for each in step.answers if each not in step.right))
        assert "❌" in here.private_text(person)
        await press(here, person, "try", step.right[0])
        assert "✅" in here.private_text(person)
        await press(here, person, "open")


async def at(here: Room, person: Person, lesson: str = FIRST) -> LessonRow:
    """How far somebody has got in a lesson."""
    return next(row for row in await here.bot.parts.stores.lessons.of(person.id) if row.lesson == lesson)


@pytest.mark.thorough
async def test_the_first_lesson_can_be_left_resumed_and_played_to_its_end(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba learn")
        await solve(here, ana, 0, 6)
        await here.restart(killed=True)
        await ana.slash(here.channel, "escoba learn")  # as on another device
        await solve(here, ana, 6, len(STEPS) - 1)
        deal = LessonDeal(STEPS[-1])
        while not deal.over:
            assert "💡" in here.private_text(ana)
            move = advice(deal.view)[0]
            answer = named(move) if deal.view.public.laid is not None else str(move.card)  # type: ignore[union-attr]
            await press(here, ana, "try", answer)
            after = deal.play(answer)
            assert after is not None
            deal = after
            if len(deal.events) == 5:
                await here.restart(killed=True)
                await ana.slash(here.channel, "escoba learn")
        assert "You win the round" in here.private_text(ana)
        assert any(each.label == "Play a robot now" for each in ana.buttons(ana.panel(here.channel)))
        assert (await at(here, ana)).step == len(STEPS)
        await ana.slash(here.channel, "escoba learn")
        assert "✅ done" in here.private_text(ana)
        await press(here, ana, f"again:{FIRST}")
        assert f"step 1 of {len(STEPS)}" in here.private_text(ana)


@pytest.mark.parametrize("lesson", thorough_but([name for name in LESSONS if name != FIRST], "quince"))
async def test_the_other_lessons_are_chosen_from_the_list_and_played(room_of: RoomOf, lesson: str):
    async with room_of(1) as here:
        [ana] = here.people
        await here.bot.parts.stores.lessons.put(
            ana.id, LessonRow(FIRST, len(STEPS), None, here.bot.parts.manager.now())
        )
        await ana.slash(here.channel, "escoba learn")
        await press(here, ana, f"open:{lesson}")
        for step in LESSONS[lesson].steps:
            best = step.right_moves[0]
            wrong = step.view.hand - best.gained
            await press(here, ana, "try", str(next(iter(wrong))))
            assert "❌" in here.private_text(ana)
            verb, chosen = "pick", CardSet()
            if step.right[0].startswith("claim"):
                await press(here, ana, "claim")
                verb, laid = "claim", step.view.memory.claimable
                assert laid is not None
                chosen = chosen.with_card(laid)
            for card in best.captured - chosen:
                chosen = chosen.with_card(card)
                await press(here, ana, verb, pack(chosen))
            await press(here, ana, "try", named(best))
            assert "✅" in here.private_text(ana)
            if step is not LESSONS[lesson].steps[-1]:
                await press(here, ana, "open")
        await press(here, ana, "menu")
        assert here.private_text(ana).count("✅ done") == 2


async def ended(here: Room, person: Person, lesson: str = "quince") -> None:
    """Answer the last question of a lesson."""
    steps = LESSONS[lesson].steps
    now = here.bot.parts.manager.now()
    await here.bot.parts.stores.lessons.put(person.id, LessonRow(lesson, len(steps) - 1, None, now))
    await person.slash(here.channel, "escoba learn")
    best = steps[-1].right_moves[0]
    chosen = CardSet()
    for card in best.captured:
        chosen = chosen.with_card(card)
        await press(here, person, "pick", pack(chosen))
    await press(here, person, "try", named(best))


async def test_at_its_end_a_match_by_its_rules_against_a_robot_is_one_press_away(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ended(here, ana)
        await ana.press(here.channel, label="Play a robot now")
        table = here.bot.parts.manager.at(Alone(ana.id))
        assert table is not None, "nobody else sees it"
        view = table.view()
        assert (view.phase, view.config.preset) == (Phase.PLAYING, "quince")
        assert [seat.name for seat in view.seats] == ["Ana", "Lucía"]
        assert {each.custom_id.split(":")[1] for each in ana.buttons(here.panel(ana))} & {"panel", "card", "choose"}


async def test_the_match_after_a_lesson_replaces_one_that_was_not_begun_and_no_other(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ended(here, ana)
        await ana.slash(here.channel, "escoba solo")
        for _ in range(2):
            await ana.press(here.channel, label="Play a robot now")
            table = here.bot.parts.manager.at(Alone(ana.id))
            assert table is not None
            assert (table.id, table.phase) == (2, Phase.PLAYING)


async def test_an_older_button_shows_the_current_step_and_a_forged_one_changes_nothing(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba learn")
        first = ana.panel(here.channel)
        await ana.slash(here.channel, "escoba learn")
        second = ana.panel(here.channel)
        await press(here, ana, "try", STEPS[0].right[0])
        await ana.click(first, f"l:try:{FIRST}:0:0:{STEPS[0].answers[0]}")
        assert "step 2 of" in text_of(ana.latest(here.channel, lambda each: each.id == first.id))
        before = await at(here, ana)
        assert before.step == 1
        for forged in (
            f"l:try:{FIRST}:1:0:10b-7c",
            f"l:try:{FIRST}:1:1:{STEPS[1].right[0]}",
            f"l:try:{FIRST}:5:0:{STEPS[5].right[0]}",
            f"l:pick:{FIRST}:1:0:1",
            f"l:again:{FIRST}:0:0",
        ):
            await forge(ana, second, forged)
            assert "step 2 of" in here.private_text(ana), forged
            assert await at(here, ana) == before, forged


def offered(here: Room, person: Person) -> int:
    """Count the lessons that a person is offered on all that they see."""
    messages = person.messages(here.channel)
    return sum(each.custom_id.startswith("e:learn:") for message in messages for each in person.buttons(message))


async def noted(here: Room) -> list[bool]:
    """Whether it is stored of each person that they were offered a lesson."""
    return [bool(await here.bot.parts.stores.lessons.of(each.id)) for each in here.people]


@pytest.mark.newcomers
async def test_each_newcomer_is_offered_the_lesson_in_the_lobby_and_nobody_while_the_match_runs(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.lobby(bea, ciro)
        assert [offered(here, each) for each in here.people] == [1, 1, 1]
        assert await noted(here) == [True, True, True]
        assert all("Two minutes" in here.private_text(each) for each in here.people)
        await here.press(bea, here.private(bea), "learn")
        assert f"step 1 of {len(STEPS)}" in here.private_text(bea)
        await here.press(ana, here.shown, "start")
        for each in here.people:
            await here.press(each, here.shown, "hand")
            assert "Two minutes" not in text_of(here.panel(each))
        assert [offered(here, each) for each in here.people] == [1, 1, 1], "nothing more than before the match"


@pytest.mark.newcomers
async def test_somebody_is_offered_the_lesson_once_and_whoever_has_begun_one_is_not(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        await here.bot.parts.stores.lessons.put(bea.id, LessonRow("quince", 1, None, here.bot.parts.manager.now()))
        await here.lobby(bea, ciro)
        assert [offered(here, each) for each in here.people] == [1, 0, 1]
        await here.end(ana)
        await here.lobby(bea, ciro)
        assert [offered(here, each) for each in here.people] == [1, 0, 1]
        await ana.slash(here.channel, "escoba solo")
        assert not any(each.custom_id.startswith("e:learn:") for each in ana.buttons(here.private(ana)))


@pytest.mark.newcomers
async def test_a_match_that_begins_as_somebody_joins_offers_no_lesson(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba challenge", player=bea.actor)
        await here.press(bea, here.shown, "join")
        assert here.table.phase is Phase.PLAYING
        assert [offered(here, each) for each in here.people] == [0, 0]
        assert await noted(here) == [False, False]


@pytest.mark.newcomers
async def test_playing_alone_the_lesson_is_offered_before_the_match_until_it_begins(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba solo")
        assert await noted(here) == [True]
        await here.press(ana, here.private(ana), "addc")
        assert any(each.custom_id.startswith("e:learn:") for each in ana.buttons(here.private(ana)))
        lobby = here.private(ana)
        await here.press(ana, lobby, "learn")
        assert f"step 1 of {len(STEPS)}" in here.private_text(ana)
        await here.press(ana, lobby, "start")
        assert not any(each.custom_id.startswith("e:learn:") for each in ana.buttons(here.panel(ana)))


@pytest.mark.newcomers
@pytest.mark.parametrize("command", ["escoba play", "escoba solo"])
async def test_an_offer_that_could_not_be_sent_is_made_again(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch, command: str
):
    async with room_of(1) as here:
        [ana] = here.people
        send = Reply.send_private

        async def failing(reply: Reply, layout: Layout) -> EphemeralMessage:
            if "e:learn:" in str(layout.to_components()):
                await send(reply, notice("lost on its way"))  # each interaction must have an answer here
                raise TimeoutError
            return await send(reply, layout)

        with monkeypatch.context() as patch:
            patch.setattr(Reply, "send_private", failing)
            await ana.slash(here.channel, command)
        assert await noted(here) == [False]
        assert offered(here, ana) == 0
        if command == "escoba play":
            await here.end(ana)
        await ana.slash(here.channel, command)
        assert await noted(here) == [True]
        assert offered(here, ana) == 1


async def test_the_button_that_dismisses_the_offer_on_a_panel_of_before_an_update_shows_the_panel(room_of: RoomOf):
    async with room_of(2) as here:
        await here.begin()
        ana, _ = here.people
        await forge(ana, here.panel(ana), f"e:nolesson:{here.table.id}:0")
        assert any(each.custom_id.startswith("e:panel:") for each in ana.buttons(here.panel(ana)))


async def test_the_rules_mention_the_lesson(room_of: RoomOf):
    async with room_of(1) as here:
        [ana] = here.people
        await ana.slash(here.channel, "escoba rules")
        assert "/escoba learn" in here.private_text(ana)
