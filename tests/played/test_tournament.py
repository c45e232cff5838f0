"""A tournament by people who only press buttons: from the command to the podium, and everything that is refused."""

from __future__ import annotations

import re

import discord
from simcord.builders import ChannelHandle

from bot.club import person as club
from bot.club.tournament import Outcome, Tournament
from bot.club.tournament_actions import Enter
from bot.club.tournament_refusal import TournamentRefusal
from bot.tables.errors import RefusalCode
from bot.tournaments.live import LiveTournament
from bot.ui.boards.tournament_board import GAP
from bot.ui.clicks import tournament_manage
from bot.ui.screens.tournament_ids import Draft, DraftVerb, TournamentRef, TournamentVerb
from tests.played.conftest import RoomOf
from tests.support.escoba import Room
from tests.support.people import Person, forge, text_of
from tests.support.phrases import STALE, refusal_text

NO_LONGER = "That button is no longer in use."
PUBLIC = re.compile(r"t:(join|here|table):")


def let(here: Room, person: Person, **permissions: bool) -> None:
    """Give somebody permissions on the server."""
    role = here.world.guild.create_role("more", permissions=discord.Permissions(**permissions))
    here.env.backend.add_member_role(here.world.guild.id, person.id, role.id)


class Evening:
    """A tournament in a room's channel, organised by its first person."""

    def __init__(self, here: Room) -> None:
        self.here = here
        self.channel: ChannelHandle = here.channel
        self.organiser = here.people[0]

    @property
    def live(self) -> LiveTournament:
        [live] = self.here.bot.tournaments.within()
        return live

    @property
    def state(self) -> Tournament:
        return self.live.state

    @property
    def shown(self) -> discord.Message:
        """The tournament's message."""
        viewer = self.here.people[-1]
        fits = lambda message: any(PUBLIC.match(each.custom_id) for each in viewer.buttons(message))  # noqa: E731
        return viewer.latest(self.channel, fits, ephemeral=False)

    @property
    def text(self) -> str:
        return text_of(self.shown)

    async def press(self, person: Person, verb: str) -> None:
        """Press a button of the public message."""
        await person.press(self.shown, custom_id=f"^t:{verb}:")

    async def on_own(self, person: Person, verb: str, *args: object) -> None:
        """Press a button of the newest private message."""
        tail = "".join(f":{arg}" for arg in args)
        await person.press(person.panel(self.channel), custom_id=f"^t:{verb}:[0-9a-z]+{tail}$")

    def own_text(self, person: Person) -> str:
        return text_of(person.panel(self.channel))

    async def choose(self, person: Person, verb: str, value: str) -> None:
        await person.choose(person.panel(self.channel), [value], custom_id=f"^t:{verb}:")

    async def announce(self, **choices: str) -> None:
        let(self.here, self.organiser, manage_events=True)
        await self.organiser.slash(self.channel, "escoba tournament")
        for verb, value in choices.items():
            await self.choose(self.organiser, verb, value)
        await self.organiser.press(self.organiser.panel(self.channel), custom_id="^t:announce:")

    async def begin(self, **choices: str) -> None:
        """Announce it, and begin with everybody."""
        await self.announce(**choices)
        for person in self.here.people:
            await self.press(person, "join")
        await self.press(self.organiser, "manage")
        await self.on_own(self.organiser, "begin")
        await self.on_own(self.organiser, "beginyes")
        await self.here.env.settle()

    async def leave_table(self, person: Person) -> None:
        """Leave the table in the room's present channel, and so lose."""
        here = self.here
        await person.slash(here.channel, "escoba leave")
        await here.press(person, person.panel(here.channel), "leaveyes")
        await here.env.settle()

    async def wait(self) -> None:
        """Let the next edit come."""
        await self.here.wait(GAP.total_seconds() + 1)


async def test_an_evening_of_four_people_is_played_by_buttons_alone(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, _, dora = here.people
        evening = Evening(here)
        await evening.announce(format="knockout", target="7")
        assert "Tournament: Knockout · Escoba to 7 points" in evening.text
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(dora, "leave")
        assert "**3 signed up**" in evening.text
        await evening.press(dora, "join")
        assert "**4 signed up**\n▫️ Ana\n▫️ Bea\n▫️ Ciro\n▫️ Dora" in evening.text
        await evening.press(ana, "manage")
        await evening.on_own(ana, "checkin")
        assert "It is about to begin" in evening.text
        for person in here.people:
            await evening.press(person, "here")
        assert "Here: 4" in evening.text
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        assert "4 entries play 2 rounds" in evening.own_text(ana)
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        assert "Semi-finals" in evening.text
        await evening.wait()
        assert evening.text.count("▶️") == 2
        await evening.press(bea, "mine")
        assert "**Semi-finals**: you play" in evening.own_text(bea)
        await evening.press(ana, "manage")
        await evening.on_own(ana, "fix")
        await evening.choose(ana, "fix", "1.2")
        await evening.on_own(ana, "fixo", 1, 2, 1)
        assert "The result is noted." in evening.own_text(ana)
        await here.env.settle()
        here.channel = evening.channel.threads[0]
        seated = [person for person in here.people if here.table.seat_of(person.id) is not None]
        for person in seated:
            await here.press(person, here.shown, "hand")
        moves = iter(range(6))
        await here.play_out(until=lambda: next(moves, None) is None)
        await evening.leave_table(seated[0])
        assert evening.state.round is not None
        assert evening.state.round.over
        await evening.wait()
        assert evening.text.count("✅") == 2
        await evening.press(ana, "manage")
        await evening.on_own(ana, "next")
        await here.env.settle()
        assert "## 🏆 Final" in evening.text
        assert "[further down]" in "\n".join(ana.sees(evening.channel))
        here.channel = evening.channel.threads[-1]
        await evening.leave_table(next(each for each in here.people if here.table.seat_of(each.id) is not None))
        assert here.bot.tournaments.within() == []
        podium = evening.text
        assert re.match(r"## 🏆 \w+ wins the tournament!", podium)
        assert podium.count("🥉") >= 2, "a knockout's third place is shared"
        await evening.press(dora, "table")
        assert "📊 Standings" in evening.own_text(dora)


async def test_a_pair_finds_together_by_buttons(room_of: RoomOf):
    async with room_of(3) as here:
        ana, bea, ciro = here.people
        evening = Evening(here)
        await evening.announce(pairs="1")
        await evening.press(bea, "join")
        await evening.on_own(bea, "alone")
        await evening.wait()
        assert "Bea (looks for a partner)" in evening.text
        await evening.press(ciro, "join")
        await evening.choose(ciro, "partner", "1")
        await evening.wait()
        assert "**1 pair signed up**\n▫️ Bea & Ciro" in evening.text
        await evening.press(ana, "join")
        assert "options" not in str(ana.selects(ana.panel(here.channel)))
        assert refusal_text(TournamentRefusal.ALREADY_ENTERED) == await said(evening, ciro, "join")


async def said(evening: Evening, person: Person, verb: str) -> str:
    """What somebody is told privately when they press a button of the public message."""
    await evening.press(person, verb)
    return evening.own_text(person)


async def test_who_may_organise_is_for_those_to_say_who_manage_the_server(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await bea.slash(here.channel, "escoba tournament")
        assert here.private_text(bea) == refusal_text(RefusalCode.MAY_NOT_ORGANISE, here.bot.parts.wording.command_ids)
        let(here, ana, manage_guild=True)
        await ana.slash(here.channel, "escoba tournament")
        await ana.press(ana.panel(here.channel), custom_id="^t:who:")
        assert "Everybody who may write here" in here.private_text(ana)
        await bea.slash(here.channel, "escoba tournament")
        assert "A tournament in this channel" in here.private_text(bea)
        await forge(bea, bea.panel(here.channel), Draft().custom_id(DraftVerb.WHO))
        assert here.private_text(bea) == refusal_text(RefusalCode.NOT_MANAGER)


async def test_only_organisers_manage_and_every_forged_click_is_answered(room_of: RoomOf):
    async with room_of(4) as here:
        _, bea, *_ = here.people
        evening = Evening(here)
        await evening.begin()
        before = evening.state
        not_organiser = refusal_text(TournamentRefusal.NOT_ORGANISER)
        assert await said(evening, bea, "manage") == not_organiser
        for verb in map(TournamentVerb, tournament_manage.HANDLERS):
            result = await forge(bea, evening.shown, TournamentRef(evening.live.id).custom_id(verb, 1, 1), ["1.1"])
            assert result.response is not None
            assert text_of(result.response) == not_organiser, verb
        ana = evening.organiser
        await evening.press(ana, "manage")
        gone, nowhere = refusal_text(TournamentRefusal.OVER), refusal_text(TournamentRefusal.NO_TABLE)
        for custom_id, value, answer in (
            ("t:join:99", None, gone),
            ("t:nosuch:1", None, NO_LONGER),
            ("t:format:swiss:0:chess:15:0:2:0", "swiss", NO_LONGER),
            ("t:format:swiss:0:escoba:15:0:2:0", "chess", STALE),
            ("t:target:swiss:0:escoba:15:0:2:0", "4", STALE),
            ("t:fixo:1:9:9:0", None, nowhere),
            ("t:fixo:1:1:1:7", None, nowhere),
            ("t:fix:1", "1.9", nowhere),
            ("t:fixr:1", "9", nowhere),
            ("t:removeyes:1:99", None, nowhere),
            ("t:remove:1:0", "x", nowhere),
            ("t:sums:1:0", "99", nowhere),
            ("t:partner:1:0", "1", refusal_text(TournamentRefusal.NOT_PAIRS)),
            ("t:add:1", str(bea.id), STALE),
        ):
            result = await forge(ana, ana.panel(here.channel), custom_id, None if value is None else [value])
            assert result.response is not None
            assert answer in text_of(result.response), custom_id
        assert evening.state == before


async def test_pressing_twice_changes_nothing(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, *_ = here.people
        evening = Evening(here)
        await evening.announce()
        await evening.press(bea, "join")
        assert await said(evening, bea, "join") == refusal_text(TournamentRefusal.ALREADY_ENTERED)
        for person in here.people:
            if person is not bea:
                await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        question = ana.panel(here.channel)
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        threads = len(here.channel.threads)
        await forge(ana, question, TournamentRef(evening.live.id).custom_id(TournamentVerb.CONFIRM_BEGIN))
        assert here.private_text(ana) == refusal_text(TournamentRefusal.STARTED)
        assert (len(evening.state.rounds), len(here.channel.threads)) == (1, threads)


async def test_points_are_corrected_in_a_form(room_of: RoomOf):
    async with room_of(4) as here:
        evening, ana = Evening(here), here.people[0]
        await evening.begin(target="11")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "fix")
        await evening.choose(ana, "fix", "1.1")
        for first, second, answer in (("3", "x", "can't end like that"), ("4", "11", "The result is noted.")):
            panel = ana.panel(here.channel)
            form = await ana.press(panel, custom_id="^t:fixp:")
            await ana.submit(form, {"points0": first, "points1": second})
            assert answer in evening.own_text(ana)
        assert evening.state.rounds[0].outcomes[1] == Outcome((4, 11), 1)
        await evening.wait()
        assert "· 4 – 11" in evening.text


async def test_the_message_survives_a_restart_and_comes_back_when_it_is_deleted(room_of: RoomOf):
    async with room_of(4) as here:
        bea = here.people[1]
        evening = Evening(here)
        await evening.announce()
        await evening.press(bea, "join")
        before = evening.shown.id
        await here.restart(killed=True)
        await evening.press(here.people[2], "join")
        assert evening.shown.id == before
        assert "▫️ Bea\n▫️ Ciro" in evening.text
        here.env.backend.delete_message(here.channel.id, before)
        await evening.live.submit(Enter(club.Person(here.people[3].id, "Dora")))
        await evening.wait()
        assert evening.shown.id != before
        assert "▫️ Bea\n▫️ Ciro\n▫️ Dora" in evening.text


async def test_asked_for_again_it_is_posted_below_what_was_said_since(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        evening = Evening(here)
        await evening.announce()
        before = evening.shown.id
        await bea.slash(here.channel, "escoba tournament")  # she doesn't take part: nothing is posted for her
        assert evening.shown.id == before
        assert "You don't take part." in here.private_text(bea)
        await ana.slash(here.channel, "escoba tournament")
        assert evening.shown.id != before
        assert "[Go to the tournament]" in here.private_text(ana)
        await here.env.settle()
        assert any("goes on [further down]" in text for text in here.public_texts())


async def test_late_entry_withdrawal_and_return_are_told_in_private(room_of: RoomOf):
    async with room_of(5) as here:
        *four, late = here.people
        evening = Evening(here)
        await evening.announce()
        for person in four:
            await evening.press(person, "join")
        await evening.press(evening.organiser, "manage")
        await evening.on_own(evening.organiser, "begin")
        await evening.on_own(evening.organiser, "beginyes")
        await here.env.settle()
        assert "You take part from the next round on." in await said(evening, late, "join")
        await evening.press(late, "mine")
        await evening.on_own(late, "out")
        await evening.on_own(late, "outyes")
        assert len([each for each in evening.state.entries if not each.withdrawn]) == 4
        await evening.press(evening.organiser, "manage")
        await evening.on_own(evening.organiser, "cancel")
        await evening.on_own(evening.organiser, "cancelyes")
        await evening.wait()
        assert "🏆 The tournament was cancelled." in here.public_texts()
