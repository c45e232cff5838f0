"""A tournament of people who only press buttons: from the command to the podium, and everything that is refused."""

import re
import sqlite3
from contextlib import closing

import pytest

from bot.platform import people as club
from bot.platform.kit.channel_access import LONGEST_WAIT
from bot.platform.refusals import CommonRefusal
from bot.platform.shards import Shards
from bot.platform.transport.channels import APART
from bot.privacy.live.erasure import Disguise
from bot.tables.settings import TablePreferences, TurnNotice
from bot.tournaments.clicks import manage
from bot.tournaments.ids.tournament import MANAGERS, Draft, DraftVerb, TournamentRef, TournamentVerb
from bot.tournaments.live.codec import LOG
from bot.tournaments.live.view import NoThreadsReason
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import CancelTournament, Enter
from bot.tournaments.rules.tournament import Outcome, Setup
from tests.played.tables.test_threads import forbid
from tests.played.tournaments.evening import Evening, let, mentioned
from tests.support.errors import Expected
from tests.support.escoba import RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import STALE, refusal_text

NO_LONGER = "That button is out of date."


async def test_an_evening_of_four_people_is_played_by_buttons_alone(room_of: RoomOf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(manage, "MENTIONED", 2)  # as if they were many
    async with room_of(4) as here:
        ana, bea, _, dora = here.people
        evening = Evening(here)
        await evening.announce(format="knockout", target="7")
        assert "Tournament: Knockout · Escoba to 7 points" in evening.text
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(dora, "leave")
        assert "**3 players joined**" in evening.text
        await evening.press(dora, "join")
        assert "**4 players joined**\n▫️ Ana\n▫️ Bea\n▫️ Ciro\n▫️ Dora" in evening.text
        await evening.press(ana, "manage")
        await evening.on_own(ana, "checkin")
        assert "It's about to start" in evening.text
        assert mentioned(here) == [person.id for person in here.people if person is not dora], "she chose never"
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
        other = evening.manager()
        await evening.decide(other, 1, 2, "fixo", 1)
        assert "The result is noted." in evening.own_text(other)
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
        assert here.bot.host.of(TournamentParts).tournaments.within() == []
        podium = evening.text
        assert re.match(r"## 🏆 \w+ wins the tournament!", podium)
        assert podium.count("🥉") >= 2, "a knockout's third place is shared"
        await evening.press(dora, "table")
        assert "📊 Standings" in evening.own_text(dora)


async def test_a_pair_is_formed_by_buttons(room_of: RoomOf):
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
        assert "**1 pair joined**\n▫️ Bea & Ciro" in evening.text
        await evening.press(ana, "join")
        assert "options" not in str(ana.selects(ana.panel(here.channel)))
        assert refusal_text(TournamentRefusal.ALREADY_ENTERED) == await evening.said(ciro, "join")


async def test_server_managers_decide_who_may_organise(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        await bea.slash(here.channel, "escoba tournament")
        assert here.private_text(bea) == refusal_text(
            TournamentRefusal.MAY_NOT_ORGANISE, here.bot.parts.wording.command_ids
        )
        let(here, ana, manage_guild=True)
        await ana.slash(here.channel, "escoba tournament")
        await Evening(here).edit(ana, "who", "1")
        assert "✅ **Organisers** · Everyone" in here.private_text(ana)
        await bea.slash(here.channel, "escoba tournament")
        assert "A tournament in this channel" in here.private_text(bea)
        await forge(bea, bea.panel(here.channel), Draft.of(Setup()).custom_id(DraftVerb.WHO), ["1"])
        assert here.private_text(bea) == refusal_text(CommonRefusal.NOT_MANAGER)


@pytest.mark.thorough
async def test_only_organisers_manage_and_every_forged_click_is_answered(room_of: RoomOf):
    async with room_of(4) as here:
        _, bea, *_ = here.people
        evening = Evening(here)
        await evening.begin()
        before = evening.state
        not_organiser = refusal_text(TournamentRefusal.NOT_ORGANISER)
        assert await evening.said(bea, "manage") == not_organiser
        for verb in TournamentVerb.marked(MANAGERS):
            result = await forge(bea, evening.shown, TournamentRef(evening.live.id).custom_id(verb, 1, 1), ["1.1"])
            assert result.response is not None
            assert text_of(result.response) == not_organiser, verb
        ana = evening.organiser
        await evening.press(ana, "manage")
        gone, nowhere = refusal_text(TournamentRefusal.OVER), refusal_text(TournamentRefusal.NO_TABLE)
        for custom_id, value, answer in (
            ("t:join:99", None, gone),
            ("t:nosuch:1", None, NO_LONGER),
            ("t:format:swiss:0:chess:15:0:2:0:0", "swiss", NO_LONGER),
            ("t:format:swiss:0:escoba:15:0:2:0:0", "chess", STALE),
            ("t:target:swiss:0:escoba:15:0:2:0:0", "4", STALE),
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
        assert await evening.said(bea, "join") == refusal_text(TournamentRefusal.ALREADY_ENTERED)
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
        evening = Evening(here)
        await evening.begin(target="11")
        ana = evening.manager()
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


async def test_an_erasure_that_another_process_has_noted_is_done_after_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        bea, evening = here.people[1], Evening(here)
        await evening.announce()
        await evening.press(bea, "join")
        await here.bot.parts.stores.tournaments.forget(bea.id, Disguise(bea.id, LOG).rewriter, shards=Shards((), 1))
        assert evening.state.entries[0].people[0].name == "Bea", "only the process that has it may change it"
        await here.restart()
        await evening.wait()
        assert not any(entry.people for entry in evening.state.entries)
        assert str(bea.id) not in str(await here.bot.parts.stores.tournaments.log(evening.live.id))


async def test_a_tournament_whose_channel_was_deleted_is_not_taken_up_again_after_a_restart(room_of: RoomOf):
    async with room_of(2) as here:
        evening = Evening(here)
        await evening.announce()
        number = evening.live.id
        here.env.backend.delete_channel(here.channel.id)
        await evening.wait()
        await here.wait(APART.total_seconds() + LONGEST_WAIT)
        store = here.bot.parts.stores
        row = await store.tournaments.get(number)
        assert row is not None
        assert row.closed_at is not None
        assert row.message_id is None
        assert here.bot.host.of(TournamentParts).tournaments._kept == {}


async def test_a_table_that_waits_for_its_channel_opens_once_a_restart_has_found_that_free(
    room_of: RoomOf, expected_errors: Expected
):
    expected_errors.append(("bot.tables.live.logbook", "can't be replayed"))
    async with room_of(4) as here:
        forbid(here, "create_public_threads")
        await here.lobby()
        waited_for, evening = here.table, Evening(here)
        # The organiser would be told that the channel has no threads.
        await here.bot.parts.preferences.change(evening.organiser.id, TablePreferences, turn_notice=TurnNotice.NEVER)
        await evening.begin(format="knockout")
        assert here.table is waited_for
        with closing(sqlite3.connect(here.bot.parts.settings.database)) as connection, connection:
            connection.execute("UPDATE events SET body = 'x' WHERE game_id = ?", (waited_for.id,))
        await here.restart(killed=True)
        await here.env.settle()
        assert here.table.view().fixture is not None


async def test_when_asked_for_again_it_is_posted_below_newer_messages(room_of: RoomOf):
    async with room_of(2) as here:
        ana, bea = here.people
        evening = Evening(here)
        await evening.announce()
        before = evening.shown.id
        await bea.slash(here.channel, "escoba tournament")  # she doesn't take part: nothing is posted for her
        assert evening.shown.id == before
        assert "You aren't in it." in here.private_text(bea)
        await ana.slash(here.channel, "escoba tournament")
        assert evening.shown.id != before
        assert str(evening.shown.id) in str(ana.panel(here.channel).components), "a button leads there"
        await here.env.settle()
        assert any("goes on [further down]" in text for text in here.public_texts())


async def test_a_match_that_is_over_leads_back_to_the_tournament_even_when_that_is_over(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        await evening.begin(format="knockout")
        threads = list(evening.channel.threads)
        for here.channel in threads:
            loser = next(person for person in here.people if here.table.seat_of(person.id) is not None)
            await here.press(loser, here.shown, "hand")
            await evening.leave_table(loser)
        live, ended = evening.live, [each for each in loser.messages(here.channel) if "t:back:" in str(each.components)]
        await loser.press(ended[-1], custom_id="^t:back:")
        shown = evening.shown.id
        assert "You were knocked out." in text_of(loser.panel(here.channel))
        assert f"{evening.channel.id}/{shown}" in str(loser.panel(here.channel).components)
        assert evening.shown.id == shown, "it isn't posted again for somebody in another channel"

        await live.submit(CancelTournament(live.state.organiser), manages=True)
        await here.restart(killed=True)
        await loser.press(ended[-1], custom_id="^t:back:")
        assert "You were knocked out." in text_of(loser.panel(here.channel))


async def test_late_entry_withdrawal_and_return_are_confirmed_in_private(room_of: RoomOf):
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
        assert "You play from the next round on." in await evening.said(late, "join")
        await evening.press(late, "mine")
        await evening.on_own(late, "out")
        await evening.on_own(late, "outyes")
        assert len([each for each in evening.state.entries if not each.withdrawn]) == 4
        await evening.press(evening.organiser, "manage")
        await evening.on_own(evening.organiser, "cancel")
        await evening.on_own(evening.organiser, "cancelyes")
        await evening.wait()
        assert "🏆 **Ana** cancelled the tournament." in here.public_texts()


async def test_a_withdrawal_is_told_at_the_table_once_and_undone_by_a_button(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        await evening.begin()
        first = evening.channel.threads[0]
        [pairing] = [each for each in evening.state.rounds[0].pairings if each.table == 1]
        person = here.named(evening.state.entry(pairing.first).people[0].name)
        for _ in range(2):
            await evening.press(person, "mine")
            await evening.on_own(person, "out")
            await evening.on_own(person, "outyes")
            await evening.on_own(person, "join")
            await here.env.settle()
        here.channel = first
        told = [text for text in here.public_texts() if "has withdrawn from the tournament" in text]
        assert told == [
            f"🚪 **{person.name}** has withdrawn from the tournament. "
            "If they don't play this match to its end, you win it."
        ]
        assert evening.state.entry_of(person.id) is not None


async def test_somebody_late_takes_a_bye_of_a_knockout_and_plays_at_once(room_of: RoomOf):
    async with room_of(6) as here:
        *five, late = here.people
        evening = Evening(here)
        await evening.announce(format="knockout")
        for person in five:
            await evening.press(person, "join")
        await evening.press(evening.organiser, "manage")
        await evening.on_own(evening.organiser, "begin")
        await evening.on_own(evening.organiser, "beginyes")
        await here.env.settle()
        assert len(evening.channel.threads) == 1
        assert "You're in." in await evening.said(late, "join")
        await here.env.settle()
        assert len(evening.channel.threads) == 2
        assert "Quarter-finals**: you play" in await evening.said(late, "mine")


async def test_a_tournament_in_a_thread_plays_its_tables_there_one_after_the_other(room_of: RoomOf):
    async with room_of(4) as here:
        here.env.backend.create_thread(here.channel.id, "torneo", here.people[0].id)
        here.channel = here.channel.threads[-1]
        evening = Evening(here)
        # The organiser would be told that the channel has no threads.
        await here.bot.parts.preferences.change(evening.organiser.id, TablePreferences, turn_notice=TurnNotice.NEVER)
        await evening.begin(target="7")
        assert here.table.view().fixture is not None
        assert evening.live.no_threads_reason is NoThreadsReason.NO_PLACE
