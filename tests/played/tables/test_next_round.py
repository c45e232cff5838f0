"""The pause after a round: who is ready is shown to everybody, and the totals stand there once."""

from bot.engine.moves import Stage
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, text_of


async def scored(here: Room) -> None:
    """Play a match's first round to its end."""
    await here.skip(lambda view: view.moves[0], until=lambda match: match.stage is Stage.TO_DEAL)


def verbs(here: Room, person: Person) -> list[str]:
    """The verbs of the buttons on a person's panel."""
    return [each.custom_id.split(":")[1] for each in person.buttons(here.private(person))]


async def test_the_table_and_the_panels_say_who_is_ready_until_all_are(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(target=21)
        await scored(here)
        ana, bea, ciro = here.people
        assert "Ready" not in here.public_text
        await here.press(bea, here.private(bea), "next")
        assert all("✅ Ready: Bea" in text for text in (here.public_text, *map(here.private_text, here.people)))
        assert (verbs(here, bea), verbs(here, ana)) == ([], ["next"])
        await here.press(ana, here.shown, "next")
        assert "✅ Ready: Ana, Bea" in here.private_text(ciro)
        await here.press(ciro, here.private(ciro), "next")
        assert "Round 2" in here.public_text
        assert "Ready" not in here.private_text(bea)


async def test_the_others_go_on_without_somebody_who_leaves(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(target=21)
        await scored(here)
        ana, bea, ciro = here.people
        for person in (ana, bea):
            await here.press(person, here.shown, "next")
        await ciro.slash(here.channel, "escoba leave")
        await here.press(ciro, here.private(ciro), "leaveyes")
        assert "Round 2" in here.public_text


async def test_below_its_picture_a_score_doesnt_say_the_totals_again(room_of: RoomOf):
    async with room_of(2, pictures=True) as here:
        await here.begin(target=21)
        await scored(here)
        await here.env.advance_time(5)
        for message in (here.shown, here.private(here.people[0])):
            assert "Round 1: the score" in text_of(message)
            assert "Total" not in text_of(message)
