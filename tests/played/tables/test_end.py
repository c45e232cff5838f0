"""The end of a match: the table says who won, and each player's panel what it means to them, also after a restart."""

from bot.engine.moves import Stage
from bot.engine.views import seat_view
from bot.tables.refusals import TableRefusal
from tests.played import brief
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person
from tests.support.phrases import refusal_text
from tests.support.truth import match_of

NOT_SEATED = refusal_text(TableRefusal.NOT_SEATED)


def buttons(here: Room, person: Person) -> list[str]:
    """The labels of the buttons on a person's newest private message."""
    return [each.label or "" for each in person.buttons(here.private(person))]


async def test_the_table_says_who_won_and_each_panel_what_it_means_to_its_player(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        ana, bea = here.people
        await here.begin(target=5)
        panels = [here.panel(person).id for person in (ana, bea)]
        await here.finish()
        assert [here.private(person).id for person in (ana, bea)] == panels, "no panel answers one that was deleted"
        assert len(here.public_texts()) == 1, "a match leaves one message"
        assert not any(word in here.public_text for word in ("Rating", "Leaderboard"))
        assert here.public_text.count("**First win**") == 1
        assert [each.label for each in ana.buttons(here.shown)] == [
            "Rematch",
            "I play the winner",
            "My result",
            "Rounds",
        ]
        told = [here.private_text(person) for person in (ana, bea)]
        assert [text.count("📈 Rating: 1,000 →") for text in told] == [1, 1]
        assert ["You won!" in text for text in told] != ["Well played" in text for text in told]
        assert not any("🏅" in text for text in told), "everybody reads that"
        assert [text.count("📊 Leaderboard: ") for text in told] == [1, 1]
        assert all(buttons(here, person) == ["Rematch", "Review", "Replay"] for person in (ana, bea))


async def test_a_friendly_match_brags_of_nothing_that_counts(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5, friendly=True)
        await here.finish()
        assert not any(word in here.public_text for word in ("🏅", "🎖️", "🔥", "💥"))
        assert not any("📊" in here.private_text(person) for person in here.people)


async def test_my_result_brings_it_back_after_a_restart_to_those_who_played(room_of: RoomOf):
    async with room_of(3, chance=brief.TWO, luck_games=2) as here:
        ana, _, ciro = here.people
        await here.begin(2, target=5)
        await here.finish()
        await here.env.advance_time(10)
        told = here.private_text(ana)
        assert "🎲" not in told + here.public_text, "luck is in the review only"
        await here.restart(killed=True)
        await here.press(ana, here.shown, "hand")
        assert here.private_text(ana) == told
        await here.press(ciro, here.shown, "hand")
        assert here.private_text(ciro).startswith(NOT_SEATED)


async def test_a_panel_that_a_restart_has_cut_off_shows_the_end_when_refreshed(room_of: RoomOf):
    async with room_of(2, chance=brief.TWO) as here:
        await here.begin(target=5)
        await here.skip(lambda view: view.moves[0])
        match = match_of(here.table)
        assert match is not None
        assert match.turn is not None
        view = seat_view(match, match.turn)
        last = next(move for move in view.moves if match.apply(match.event_of(move)).stage is Stage.OVER)
        await here.restart(killed=True)
        await here.play(here.people[match.turn], last, view)
        other = here.people[1 - match.turn]
        assert "Rating" not in here.private_text(other)
        await here.press(other, here.panel(other), "panel")
        assert "📈 Rating: 1,000 →" in here.private_text(other)
