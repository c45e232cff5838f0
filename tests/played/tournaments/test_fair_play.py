"""The tricks of a tournament, tried by presses: nobody is dragged in, pinged twice, or wins by their own decision."""

import discord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.kit.throttle import ASKS, CALLS
from bot.tournaments.ids.tournament import TournamentRef, TournamentVerb
from bot.tournaments.live.running import UNTOUCHED
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.tournament import Gone, TournamentStage
from tests.played.tournaments.evening import Evening, eventually
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, forge, text_of
from tests.support.phrases import refusal_text


def told(here: Room, person: Person) -> int:
    """How many messages may have notified somebody."""
    return sum(
        str(person.id) in str((each.message.get("allowed_mentions") or {}).get("users")) for each in here.tap.requests
    )


async def ask(evening: Evening, person: Person) -> None:
    organiser = evening.organiser
    await evening.press(organiser, "manage")
    await organiser.choose(organiser.panel(evening.channel), [person.actor], custom_id="^t:add:")


async def counted(here: Room, person: Person) -> tuple[int, int, int, bool, int]:
    """Somebody's matches, wins and season points, whether they are rated, and their achievements."""
    career = await here.bot.parts.stores.careers.of(here.world.guild.id, person.id)
    own = career.standing
    return own.matches, own.wins, own.season_points, own.mu is not None, len(career.achievements)


async def test_who_is_asked_is_in_when_they_say_so_and_was_mentioned_once(room_of: RoomOf):
    async with room_of(5) as here:
        ana, bea, ciro, _, elio = here.people
        evening = Evening(here)
        await evening.announce()
        await ask(evening, bea)
        assert evening.state.entries == ()
        [invitation] = [text for text in here.public_texts() if "asks whether you play" in text]
        assert invitation.startswith(f"{bea.mention} **Ana** asks whether you play in the tournament.")
        await evening.wait()
        assert "📨 **Asked to play, and yet to answer:** Bea" in evening.text
        await evening.press(bea, "leave")
        await evening.wait()
        assert "Asked to play" not in evening.text, "she has said no"
        await ask(evening, bea)
        assert told(here, bea) == 1, "she is asked again, but not mentioned"
        await evening.wait()
        await evening.press(bea, "yes")
        assert [each.people[0].name for each in evening.state.entries] == ["Bea"]
        await ask(evening, elio)
        assert told(here, elio) == 0, "he chose never"
        await evening.press(ciro, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "checkin")
        await here.env.settle()
        assert [told(here, each) for each in (bea, ciro, elio)] == [1, 1, 0]


async def test_nobody_is_asked_who_could_not_answer(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, _ = here.people
        evening = Evening(here)
        await evening.announce()
        robot = Person(here.world.guild.add_member(here.env.create_user("Robot", bot=True)))
        deny = discord.PermissionOverwrite(view_channel=False).pair()[1]
        here.env.backend.set_overwrite(here.channel.id, Overwrite(bea.id, OverwriteType.MEMBER, 0, deny.value))
        for person, code in ((bea, TournamentRefusal.ASKS_ABSENT), (robot, TournamentRefusal.ASKS_BOT)):
            await ask(evening, person)
            assert evening.own_text(ana) == refusal_text(code)
            assert told(here, person) == 0
        assert evening.state.asked == ()


async def test_an_organiser_asks_only_so_many_people_in_a_while(room_of: RoomOf):
    async with room_of([f"P{number}" for number in range(ASKS + 3)]) as here:
        evening = Evening(here)
        await evening.announce()
        for person in here.people[1 : ASKS + 1]:
            await ask(evening, person)
        await ask(evening, here.people[ASKS + 1])
        assert refusal_text(TournamentRefusal.TOO_MANY_ASKED) in evening.own_text(evening.organiser)
        assert len(evening.state.asked) == ASKS
        assert sum(told(here, each) for each in here.people) == ASKS
        await here.wait(601)
        await ask(evening, here.people[ASKS + 1])
        assert len(evening.state.asked) == ASKS + 1


async def test_announcing_again_and_again_calls_nobody_again_and_again(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, _ = here.people
        evening = Evening(here)
        for _ in range(CALLS + 1):
            await evening.announce()
            await evening.press(bea, "join")
            await evening.press(ana, "manage")
            await evening.on_own(ana, "checkin")
            said = evening.own_text(ana)
            await evening.on_own(ana, "cancel")
            await evening.on_own(ana, "cancelyes")
            await here.env.settle()
        assert "nobody is notified of it" in said
        assert told(here, bea) == CALLS


async def test_not_coming_loses_the_match_and_no_rating(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        await evening.begin(target="7")
        here.channel = evening.channel.threads[0]
        seated = [person for person in here.people if here.table.seat_of(person.id) is not None]
        for person in seated:
            await here.press(person, here.shown, "hand")
        leaver = seated[0]
        await leaver.slash(here.channel, "escoba leave")
        assert "This tournament match is then over, and you lose it." in here.private_text(leaver)
        assert "computer" not in here.private_text(leaver)
        await here.press(leaver, leaver.panel(here.channel), "leaveyes")
        await here.env.settle()
        [outcome] = evening.state.rounds[0].outcomes.values()
        assert outcome.forfeit
        await here.press(seated[1], here.shown, "hand")
        assert "It counts for the tournament only: not everyone had played a card." in here.private_text(seated[1])
        for person in seated:
            assert await counted(here, person) == (0, 0, 0, False, 0)


async def played(here: Room, evening: Evening) -> tuple[int, list[Person]]:
    """Play a round at the first thread's table, and have its first player leave; returns the table, and the loser
    before the winner."""
    here.channel = evening.channel.threads[0]
    fixture = here.table.view().fixture
    assert fixture is not None
    seated = [person for person in here.people if here.table.seat_of(person.id) is not None]
    for person in seated:
        await here.press(person, here.shown, "hand")
    await here.play_out(until=lambda: (match := here.table.view().match) is not None and match.turn is None)
    await evening.leave_table(seated[0])
    here.channel = evening.channel
    return fixture.table, seated


async def test_a_match_played_again_is_void_and_a_correction_counts(room_of: RoomOf):
    async with room_of(5) as here:
        evening = Evening(here)
        await evening.begin(target="21")
        table, (loser, winner) = await played(here, evening)
        assert (await counted(here, winner))[:4] == (1, 1, 3, True)
        manager = evening.manager()
        pairing = evening.state.rounds[0].pairing(table)
        assert pairing is not None
        side = [evening.state.entry(each).people[0].id for each in (pairing.first, pairing.second)].index(loser.id)
        await evening.decide(manager, 1, table, "fixo", side)
        assert "The result is noted." in evening.own_text(manager)
        assert [(await counted(here, each))[:2] for each in (loser, winner)] == [(1, 1), (1, 0)]
        await evening.wait()
        assert f"✏️ corrected by {manager.name}" in evening.text
        await evening.on_own(manager, "again", 1, table)
        await here.env.settle()
        for person in (loser, winner):
            assert await counted(here, person) == (0, 0, 0, False, 0)
        await evening.wait()
        assert f"🔁 played again (decided by {manager.name})" in evening.text
        assert await here.bot.parts.stores.standings.differences(here.world.guild.id) == []


async def test_a_rated_result_is_changed_only_with_those_whom_that_costs_something(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        await evening.begin(target="21")
        table, (loser, winner) = await played(here, evening)
        organiser = evening.manager(manage_events=True)
        pairing = evening.state.rounds[0].pairing(table)
        assert pairing is not None
        side = [evening.state.entry(each).people[0].id for each in (pairing.first, pairing.second)].index(loser.id)
        before = [await counted(here, each) for each in (loser, winner)]
        calls = [told(here, each) for each in (loser, winner)]
        await evening.decide(organiser, 1, table, "fixo", side)
        assert "has to agree" in evening.own_text(organiser)
        await here.env.settle()
        willing = [each is not here.people[-1] for each in (loser, winner)]  # the last has chosen never to be told
        assert [told(here, each) for each in (loser, winner)] == [
            earlier + once for earlier, once in zip(calls, willing, strict=True)
        ], "each is told once"
        assert [await counted(here, each) for each in (loser, winner)] == before
        await evening.press(loser, "mine")
        assert "This waits for everyone whom it costs something to agree." in evening.own_text(loser)
        await evening.press(winner, "mine")
        await evening.on_own(winner, "agree", 1, table, "[0-9a-z]+")
        await here.env.settle()
        assert [(await counted(here, each))[:2] for each in (loser, winner)] == [(1, 1), (1, 0)]


async def test_an_organiser_who_plays_needs_their_opponent(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        await evening.begin(target="7")
        [pairing] = [each for each in evening.state.rounds[0].pairings if 1 in (each.first, each.second)]
        table, side = pairing.table, int(pairing.first != 1)
        opponent = here.named(evening.state.opponents_of(ana.id, pairing)[0].name)
        await evening.decide(ana, 1, table, "fixo", side)
        assert "The others are asked in **My tournament**." in evening.own_text(ana)
        assert evening.state.rounds[0].outcomes == {}
        [proposal] = evening.state.proposals
        await evening.wait()
        assert "✏️ a correction waits for an answer" in evening.text
        agree = TournamentRef(evening.live.id).custom_id(TournamentVerb.AGREE, 1, table, proposal.number)
        for stranger in (ana, *(each for each in here.people if each not in (ana, opponent))):
            await evening.press(stranger, "mine")
            await forge(stranger, stranger.panel(here.channel), agree)
            assert refusal_text(TournamentRefusal.NOT_ASKED) in evening.own_text(stranger)
        await evening.press(opponent, "mine")
        assert "**Ana** wants your match of Round 1" in evening.own_text(opponent)
        await evening.on_own(opponent, "decline", 1, table, "[0-9a-z]+")
        assert "the result stays as it is" in evening.own_text(opponent)
        assert evening.state.proposals == ()
        await evening.decide(ana, 1, table, "fixo", side)
        await evening.press(opponent, "mine")
        await evening.on_own(opponent, "agree", 1, table, "[0-9a-z]+")
        assert "You agreed, and it is noted." in evening.own_text(opponent)
        await here.env.settle()
        assert evening.state.rounds[0].outcomes[table].winner == side
        thread = next(each for each in evening.channel.threads if f"Table {table}" in str(each.name))
        said = "\n".join(opponent.sees(thread))
        assert "**Ana** ended this match. The tournament's message says what counts." in said
        assert "nothing counts" not in said
        await evening.wait()
        assert "✏️ corrected by Ana, with agreement" in evening.text


async def test_nobody_takes_their_opponent_out_and_the_disqualified_read_it(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        await evening.begin(target="7")
        [pairing] = [each for each in evening.state.rounds[0].pairings if 1 in (each.first, each.second)]
        opponent, number = evening.state.opponents_of(ana.id, pairing)[0], pairing.first + pairing.second - 1
        await evening.press(ana, "manage")
        await evening.on_own(ana, "remove")
        await evening.choose(ana, "remove", str(number))
        question = ana.panel(here.channel)
        await evening.on_own(ana, "disqualify", number)
        assert text_of(ana.panel(here.channel)) == refusal_text(TournamentRefusal.OWN_OPPONENT)
        assert evening.state.entry(number).gone is None
        third = next(each for each in evening.state.entries if each.number not in (1, number))
        out = TournamentRef(evening.live.id).custom_id(TournamentVerb.DISQUALIFY, third.number)
        await forge(ana, question, out)
        assert evening.state.entry(third.number).gone is Gone.DISQUALIFIED
        who = here.named(third.people[0].name)
        assert "disqualified you" in await evening.said(who, "mine")
        assert opponent.name not in evening.own_text(who)


async def test_sign_up_that_nobody_touches_ends_where_everybody_sees_it(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        evening = Evening(here)
        await evening.announce()
        await evening.press(bea, "join")
        said = await evening.said(ana, "manage")
        assert "If nothing happens here for a day, the tournament is cancelled." in said
        before, live = evening.shown.id, evening.live
        await here.wait(UNTOUCHED.total_seconds() + 1)
        await eventually(lambda: live.state.stage is TournamentStage.CANCELLED)
        await here.env.settle()
        said = f"{ana.mention} 🏆 The tournament was cancelled, because nothing happened in it for a day."
        [message] = [each for each in ana.messages(here.channel) if text_of(each) == said]
        assert message.id > before
        assert told(here, ana) == 1
        assert live.state.cancelled_by is None


async def test_an_old_screen_offers_nothing_for_a_tournament_that_is_over(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        await evening.begin(format="knockout", target="7")
        await evening.press(ana, "manage")
        old, number = ana.panel(here.channel), evening.live.id
        assert "Tables done: 0 of 2." in text_of(old)
        assert "This is how it stood <t:" in text_of(old)
        await forge(ana, old, TournamentRef(number).custom_id(TournamentVerb.BEGIN))
        assert "Tables done: 0 of 2." in evening.own_text(ana), "it has begun"
        await evening.press(ana, "mine")
        await evening.on_own(ana, "out")
        question = ana.panel(here.channel)
        assert ":outyes:" in str(ana.buttons(question))
        await evening.press(ana, "manage")
        await evening.on_own(ana, "cancel")
        await evening.on_own(ana, "cancelyes")
        for verb in (TournamentVerb.CANCEL, TournamentVerb.REMOVE, TournamentVerb.BEGIN):
            await forge(ana, old, TournamentRef(number).custom_id(verb))
            assert "The tournament was cancelled." in evening.own_text(ana), verb
            assert ":cancelyes:" not in str(ana.buttons(ana.panel(here.channel)))
        await forge(ana, question, TournamentRef(number).custom_id(TournamentVerb.WITHDRAW))
        assert ":outyes:" not in str(ana.buttons(ana.panel(here.channel)))
        assert here.bot.host.of(TournamentParts).tournaments.within() == []
