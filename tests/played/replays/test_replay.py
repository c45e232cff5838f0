"""Replays, which only the match's players open once it is over: by clicks, across a restart, and shown to all."""

import pytest

from bot.engine.match_file import read
from bot.platform.eventlog import EventLog
from bot.platform.kit.codec import base36
from bot.platform.people import Person as Player
from bot.platform.refusals import CommonRefusal
from bot.replays.live import replay
from bot.replays.refusals import ReplayRefusal
from tests.support.escoba import Room, RoomOf
from tests.support.files import file_of
from tests.support.people import Person, alt_texts_of, forge, text_of
from tests.support.phrases import refusal_text
from tests.support.recorded import log_events, store_log

NO_REPLAY = refusal_text(ReplayRefusal.NO_REPLAY).partition("`")[0]


async def played(here: Room, seed: int = 1) -> int:
    """Store a match between the first two people, without clicks. Returns its game's id."""
    events = log_events("escoba", [Player(person.id, person.name) for person in here.people[:2]], seed=seed)
    return await store_log(
        here.bot.parts.stores, here.world.guild.id, 10_000 + seed, events, here.bot.parts.clock.now()
    )


async def choose(here: Room, person: Person, verb: str, label: str) -> None:
    """Choose an option of a menu on the person's newest private message."""
    [menu] = [each for each in person.selects(person.panel(here.channel)) if each.custom_id.startswith(f"w:{verb}:")]
    await person.choose(here.channel, [menu.values[menu.labels.index(label)]], custom_id=f"^w:{verb}:")


async def open_first(here: Room, person: Person) -> None:
    """See the latest match of the list again."""
    await here.open_match(person)
    await person.press(here.channel, custom_id="^w:go:")


async def test_a_player_steps_through_a_match_also_after_a_restart(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        await open_first(here, ana)
        assert "step 1 of" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^w:next:")
        second = here.private_text(ana)
        assert "step 2 of" in second
        await here.restart()
        await ana.press(here.channel, custom_id="^w:next:")
        assert "step 3 of" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^w:back:")
        assert here.private_text(ana) == second
        await ana.press(here.channel, custom_id="^w:last:")
        assert "**Total**" in here.private_text(ana)
        await choose(here, ana, "jump", "Round 2")
        assert "round 2, deal 1" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^w:match:")
        assert "Your match" in here.private_text(ana)
        await ana.press(here.channel, custom_id="^w:list:")
        assert "Your matches" in here.private_text(ana)
        assert all("🎞️" not in text for text in bea.sees(here.channel))


@pytest.mark.thorough
async def test_the_coachs_grade_stands_beside_ones_own_moves_once_there_is_a_review(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, _ = here.people
        await played(here)
        await here.review(ana)
        await ana.press(here.channel, custom_id="^v:show:")
        await ana.press(here.channel, custom_id="^w:open:")
        assert "👉 **Ana**" in here.private_text(ana), "the first decision is hers"
        graded = 0
        for _ in range(8):
            await ana.press(here.channel, custom_id="^w:next:")
            text = here.private_text(ana)
            assert ("You played:" in text) <= ("**Ana** plays" in text or "**Ana** lays" in text)
            graded += "You played:" in text
        assert graded > 1


async def test_one_step_can_be_shown_to_everybody_once_a_minute(room_of: RoomOf) -> None:
    async with room_of(3, pictures=True) as here:
        ana, _, ciro = here.people
        await played(here)
        await open_first(here, ana)
        await ana.press(here.channel, custom_id="^w:show:")
        [shown] = [message for message in ciro.messages(here.channel) if not message.flags.ephemeral]
        assert "Shown by Ana" in text_of(shown)
        assert "Ana holds" in alt_texts_of(shown)[0]
        assert ciro.buttons(shown) == []
        await ana.press(here.channel, custom_id="^w:show:")
        assert refusal_text(CommonRefusal.SHOWN_JUST_NOW) in here.private_text(ana)


@pytest.mark.thorough
async def test_the_best_moment_is_a_clip_for_oneself_and_then_for_everybody(room_of: RoomOf) -> None:
    async with room_of(3, pictures=True) as here:
        ana, _, ciro = here.people
        await played(here)
        await here.open_match(ana)
        await ana.press(here.channel, custom_id="^w:clip:")
        own = ana.panel(here.channel)
        [alt] = alt_texts_of(own)
        assert alt.startswith("A short clip: ")
        assert [file["filename"].endswith(".gif") for file in ana.stored(own).attachments] == [True]
        await ana.press(here.channel, custom_id="^w:showclip:")
        [shown] = [message for message in ciro.messages(here.channel) if not message.flags.ephemeral]
        assert "Shown by Ana" in text_of(shown)
        assert alt_texts_of(shown) == [alt]


async def test_a_match_comes_as_a_file_that_can_be_read_again(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, bea = here.people
        game = await played(here)
        await here.open_match(ana)
        await ana.press(here.channel, custom_id="^w:export:")
        name, content = file_of(here, ana)
        assert name == f"escoba-{game}.txt"
        file = read(content)
        assert file.names == ("Ana", "Bea")
        assert file.match.over
        assert all("📄" not in text for text in bea.sees(here.channel))


async def test_a_running_match_cannot_be_seen_again(room_of: RoomOf) -> None:
    async with room_of(2) as here:
        ana, _ = here.people
        await here.begin(2)
        for verb in ("go", "next", "jump", "show", "clip", "showclip", "export"):
            own = ana.panel(here.channel).id
            await forge(ana, here.panel(ana), f"w:{verb}:{base36(here.table.id)}:2")
            assert ana.panel(here.channel).id != own, verb
            assert NO_REPLAY in here.private_text(ana), verb
            assert not any("🎞️" in text for text in ana.sees(here.channel)), verb


async def test_somebody_elses_match_and_one_without_a_log_are_refused(room_of: RoomOf) -> None:
    async with room_of(3) as here:
        ana, _, ciro = here.people
        game = await played(here)
        for person in (ana, ciro):
            await person.slash(here.channel, "escoba games")
        assert "haven't played a match" in here.private_text(ciro)
        await forge(ciro, ciro.panel(here.channel), f"w:go:{base36(game)}:2")
        assert NO_REPLAY in here.private_text(ciro)
        await here.bot.parts.stores.kept.drop_logs(here.bot.parts.clock.now().replace(year=2099))
        await ana.choose(here.channel, [str(game)], custom_id="^w:choose:")
        assert refusal_text(ReplayRefusal.NO_LOG) in here.private_text(ana)


async def test_the_next_step_reads_nothing_again_and_an_erasure_leaves_nothing_to_read(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(2) as here:
        ana, bea = here.people
        await played(here)
        await open_first(here, ana)

        def not_again(*_: object) -> None:
            raise AssertionError("it was read before")

        with monkeypatch.context() as patched:
            patched.setattr(EventLog, "states", not_again)
            patched.setattr(EventLog, "fold", not_again)
            await ana.press(here.channel, custom_id="^w:next:")
        await here.open_data(bea)
        await bea.press(here.channel, custom_id="^p:erase$")
        await bea.press(here.channel, custom_id="^p:eraseyes$")
        assert replay._read_log.cache_info().currsize == replay._steps_of.cache_info().currsize == 0
        await ana.press(here.channel, custom_id="^w:next:")
        assert bea.name not in text_of(ana.panel(here.channel))
