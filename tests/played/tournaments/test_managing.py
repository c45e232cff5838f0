"""What a tournament's organiser presses: another set-up, the role for players, taking people out, and corrections."""

from dataclasses import replace
from typing import Any

import pytest

from bot.club.rules.seasons import RuleSet
from bot.engine.rules import Opening
from bot.platform import people as club
from bot.platform.people import NOBODY
from bot.platform.settings.documents import PreferencesCache
from bot.privacy.live.tournament_erasure import erase
from bot.privacy.parts import PrivacyParts
from bot.privacy.store.erasure import PersonalData
from bot.tables.live.manager import TableManager
from bot.tables.live.own_rules import delete_rules, save_rules
from bot.tables.log.events import Config
from bot.tables.refusals import TableRefusal
from bot.tables.settings import TableSettings
from bot.tournaments.boards.changes import AGAIN_SECONDS
from bot.tournaments.ids.tournament import Draft, DraftVerb
from bot.tournaments.live.running import LiveTournament, key_of
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import CancelTournament, Correct, DrawRound
from bot.tournaments.rules.tournament import Format, Gone, Outcome, Setup
from bot.tournaments.store.logs import TournamentLogs
from tests.played.tournaments.evening import Evening, eventually, let
from tests.support.escoba import RoomOf
from tests.support.people import forge, text_of
from tests.support.phrases import STALE, refusal_text


async def test_the_set_up_is_changed_by_buttons_until_the_first_round(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, *_ = here.people
        evening = Evening(here)
        await evening.announce()
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "change")
        assert "pairs" in ana.selects(ana.panel(here.channel))[0].values
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "checkin")
        await evening.choose(ana, "more", "change")
        assert "pairs" not in ana.selects(ana.panel(here.channel))[0].values
        await evening.edit(ana, "format", "knockout")
        await evening.edit(ana, "target", "11")
        assert evening.state.setup == Setup(), "it isn't saved yet"
        screen = ana.panel(here.channel)
        await ana.press(screen, custom_id="^t:save:")
        assert "Saved." in evening.own_text(ana)
        assert evening.state.setup == Setup(Format.KNOCKOUT, target=11)
        told = "⚙️ **Ana** changed what is played in the tournament: Knockout · Escoba to 11 points."
        assert here.public_texts().count(told) == 1
        await evening.comes_to_show("Tournament: Knockout · Escoba to 11 points")

        saved = Draft.of(Setup(Format.KNOCKOUT, target=21), changes=evening.live.id)
        for person, custom_id, answer in (
            (bea, saved.custom_id(DraftVerb.SAVE), refusal_text(TournamentRefusal.NOT_ORGANISER)),
            (bea, saved.custom_id(DraftVerb.TARGET), refusal_text(TournamentRefusal.NOT_ORGANISER)),
            (ana, Draft.of(Setup()).custom_id(DraftVerb.SAVE), STALE),
            (ana, saved.custom_id(DraftVerb.ANNOUNCE), STALE),
            (ana, Draft.of(Setup(), changes=99).custom_id(DraftVerb.SAVE), refusal_text(TournamentRefusal.OVER)),
        ):
            result = await forge(person, screen, custom_id, ["21"])
            assert result.response is not None
            assert answer in text_of(result.response), custom_id
        for person in here.people:
            await evening.press(person, "here")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        await evening.on_own(ana, "beginyes")
        for verb in (DraftVerb.SAVE, DraftVerb.TARGET):
            result = await forge(ana, screen, saved.custom_id(verb), ["21"])
            assert result.response is not None
            assert text_of(result.response) == refusal_text(TournamentRefusal.SETTLED)
        assert evening.state.setup.target == 11


async def change_target(evening: Evening, target: int) -> None:
    """Have the organiser change how many points are played to."""
    ana = evening.organiser
    await evening.press(ana, "manage")
    await evening.choose(ana, "more", "change")
    await evening.edit(ana, "target", str(target))
    await ana.press(ana.panel(evening.channel), custom_id="^t:save:")
    await evening.here.env.settle()


async def test_changes_again_and_again_are_told_in_one_message_that_is_edited(room_of: RoomOf):
    async with room_of(3) as here:
        evening = Evening(here)
        await evening.announce()
        await evening.press(here.people[1], "join")

        def told() -> list[str]:
            return [text for text in here.public_texts() if "changed what is played" in text]

        for target in (11, 15, 11, 15, 11, 21, 11, 15, 11, 15, 21, 15):
            await change_target(evening, target)
            await here.wait(1)
        assert told() == ["⚙️ **Ana** changed what is played in the tournament: Swiss · Escoba to 15 points."]
        sent = [each for each in here.tap.public() if "changed what is played" in str(each.body)]
        assert [each.method for each in sent] == ["POST", *["PATCH"] * 11]
        assert all(each.message["allowed_mentions"] == {"parse": []} for each in sent)

        here.env.backend.delete_message(here.channel.id, sent[-1].message_id or 0)
        await change_target(evening, 11)
        assert len(told()) == 1, "it was deleted, and is posted again"
        await here.wait(3_600)
        await change_target(evening, 15)
        assert len(told()) == 2, "nobody would see such an old message, and Discord hardly lets it be edited"


async def test_a_change_that_cannot_be_told_stops_nothing(room_of: RoomOf):
    async with room_of(3) as here:
        evening = Evening(here)
        await evening.announce()
        await evening.press(here.people[1], "join")
        here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=403, code=50013, times=1)
        await change_target(evening, 11)
        assert evening.state.setup.target == 11
        await change_target(evening, 15)
        assert [text for text in here.public_texts() if "⚙️" in text][-1].endswith("to 15 points.")


async def test_the_servers_own_rules_are_played_as_they_were_when_they_were_chosen(room_of: RoomOf):
    async with room_of(4) as here:
        ana = here.people[0]
        store, guild, now = here.bot.parts.stores, here.world.guild.id, here.bot.parts.clock.now()
        config = Config.of_preset("quince", target=11)
        number = await save_rules(store.rule_sets, guild, "La *Peña*", config, ana.id, now)
        for_four = replace(config, rules=replace(config.rules, hand=10, table=0, opening=Opening.NONE))
        await save_rules(store.rule_sets, guild, "Scopone", for_four, ana.id, now)
        evening = Evening(here)
        let(here, ana, manage_events=True)
        await ana.slash(here.channel, "escoba tournament")
        await evening.choose(ana, "edit", "preset")
        [_, menu] = ana.selects(ana.panel(here.channel))
        assert menu.labels[:2] == ["La *Peña*", "Escoba"], "scopone is for four"
        await evening.edit(ana, "preset", f"set{number}")
        await evening.edit(ana, "format", "knockout")
        await evening.edit(ana, "seeded", "1")
        await ana.press(ana.panel(here.channel), custom_id="^t:announce:")
        title = "Tournament: Knockout · La \\*Peña\\* to 11 points · seeded by rating"
        assert title in evening.text
        await delete_rules(store.rule_sets, guild, number)
        await evening.press(ana, "manage")
        await evening.choose(ana, "more", "change")
        await evening.edit(ana, "target", "15")
        await ana.press(ana.panel(here.channel), custom_id="^t:save:")
        await evening.press(ana, "rules")
        assert "## 📜 La \\*Peña\\*" in evening.own_text(ana)
        for person in here.people:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        assert sorted(evening.state.seeds) == [1, 2, 3, 4]
        here.channel = evening.channel.threads[0]
        played = here.table.view().config
        assert (played.rules, played.own) == (
            replace(config.rules, target=15),
            RuleSet(number, "La *Peña*", config.rules),
        )


async def test_rules_that_were_deleted_cannot_be_announced(room_of: RoomOf):
    async with room_of(2) as here:
        ana = here.people[0]
        store, guild = here.bot.parts.stores, here.world.guild.id
        number = await save_rules(store.rule_sets, guild, "Peña", Config(), ana.id, here.bot.parts.clock.now())
        evening = Evening(here)
        let(here, ana, manage_events=True)
        await ana.slash(here.channel, "escoba tournament")
        await evening.edit(ana, "preset", f"set{number}")
        await delete_rules(store.rule_sets, guild, number)
        await ana.press(ana.panel(here.channel), custom_id="^t:announce:")
        assert here.private_text(ana) == refusal_text(TableRefusal.RULES_DELETED)


async def test_the_announcement_mentions_the_role_for_players_once_in_ten_minutes(room_of: RoomOf):
    async with room_of(2) as here:
        ana, _ = here.people
        role = here.world.guild.create_role("escoba", mentionable=True)
        await here.bot.parts.guild_settings.change(here.world.guild.id, TableSettings, players_role=role.id)
        evening = Evening(here)
        await evening.announce(tell="1")
        [told] = [each for each in ana.messages(here.channel) if each.content.startswith("<@&")]
        assert told.content.startswith(f"<@&{role.id}> **Ana** set up a tournament: Swiss · Escoba to 15 points. ")
        [request] = [each for each in here.tap.requests if told.content in str(each.body)]
        assert request.message["allowed_mentions"] == {"parse": [], "roles": [role.id]}
        await evening.press(ana, "manage")
        await evening.on_own(ana, "cancel")
        await evening.on_own(ana, "cancelyes")
        await here.env.settle()
        await evening.announce(tell="1")
        assert "A tournament in this channel" in evening.own_text(ana)
        assert here.bot.host.of(TournamentParts).tournaments.within() == [], "it says why, and asks again"
        await ana.press(ana.panel(here.channel), custom_id="^t:announce:")
        assert len(here.bot.host.of(TournamentParts).tournaments.within()) == 1
        assert len([each for each in ana.messages(here.channel) if each.content.startswith("<@&")]) == 1


async def test_the_organiser_asks_somebody_and_takes_somebody_out(room_of: RoomOf):
    async with room_of(4) as here:
        ana, bea, ciro, dora = here.people
        evening = Evening(here)
        await evening.announce()
        for person in (ana, bea, ciro):
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await ana.choose(ana.panel(here.channel), [dora.actor], custom_id="^t:add:")
        assert "**Dora** is asked to play." in evening.own_text(ana)
        assert [each.people[0].name for each in evening.state.entries] == ["Ana", "Bea", "Ciro"]
        await ana.choose(ana.panel(here.channel), [dora.actor], custom_id="^t:add:")
        assert "They were asked already" in evening.own_text(ana)
        await evening.wait()
        await evening.press(dora, "yes")
        assert [each.people[0].name for each in evening.state.entries] == ["Ana", "Bea", "Ciro", "Dora"]
        await ana.choose(ana.panel(here.channel), [dora.actor], custom_id="^t:add:")
        assert "They joined already." in evening.own_text(ana)
        await evening.on_own(ana, "remove")
        await evening.choose(ana, "remove", "2")
        assert "Remove Bea from the tournament: how?" in evening.own_text(ana)
        await evening.on_own(ana, "manage")
        assert evening.state.entries[1].gone is None, "the answer was no"
        await evening.on_own(ana, "remove")
        await evening.choose(ana, "remove", "2")
        await evening.on_own(ana, "removeyes", 2)
        assert evening.state.entries[1].gone is Gone.REMOVED
        assert refusal_text(TournamentRefusal.REMOVED) in await evening.said(bea, "join")
        await ana.choose(ana.panel(here.channel), [bea.actor], custom_id="^t:add:")
        assert "They were removed, so they can't come back." in evening.own_text(ana)
        await evening.on_own(ana, "begin")
        assert "Only 3 entries could play" in evening.own_text(ana)


@pytest.mark.thorough
async def test_results_are_corrected_in_earlier_rounds_too_and_the_log_says_so(room_of: RoomOf):
    async with room_of(5) as here:
        *four, ana = here.people
        evening = Evening(here)
        await evening.announce(target="7")
        let(here, ana, manage_messages=True)
        for person in four:
            await evening.press(person, "join")
        await evening.press(ana, "manage")
        await evening.on_own(ana, "begin")
        await evening.on_own(ana, "beginyes")
        await here.env.settle()
        for round, table, side in ((1, 1, 0), (1, 2, 1), (2, 1, 0)):
            if round > len(evening.state.rounds):
                await evening.press(ana, "manage")
                await evening.on_own(ana, "next")
            await evening.decide(ana, round, table, "fixo", side)
            assert evening.state.rounds[round - 1].outcomes[table] == Outcome((0, 0), side, forfeit=True)
        await evening.on_own(ana, "fix")
        await evening.choose(ana, "fixr", "1")
        await evening.choose(ana, "fix", "1.2")
        buttons = [each.custom_id for each in ana.buttons(ana.panel(here.channel))]
        assert not any(each.startswith("t:again:") for each in buttons), "the second round was paired by it"
        await evening.on_own(ana, "fixo", 1, 2, 2)
        assert evening.state.rounds[0].outcomes[2] == Outcome((0, 0), None, forfeit=True)
        await evening.press(ana, "manage")
        await evening.on_own(ana, "log")
        text = evening.own_text(ana)
        assert text.count("no result →") == 3
        assert "**Round 1 of 3, table 2**" in text
        assert "both lost (by Elio)" in text


OTHER = club.Person(77, "Olga")
"""A manager who plays at no table."""


async def decided(evening: Evening) -> tuple[LiveTournament, club.Person, club.Person]:
    """A knockout of four that the organiser has decided and whose end is shown; and who won its final, who lost it."""
    await evening.begin(format="knockout", target="7")
    live, by = evening.live, club.Person(evening.organiser.id, "Ana")
    for round, table in ((1, 1), (1, 2), (2, 1)):
        await live.submit(Correct(OTHER, round, table, Outcome((7, 3), 0)), manages=True)
        if table == 2:
            await live.submit(DrawRound(by))
            await eventually(lambda: key_of(2, 1, 0) in live.games)
    # The correction closes the final's table too; after that nothing is under way.
    await eventually(lambda: not any(table.open for table in live.games.values()))
    [final] = live.state.rounds[1].pairings
    first, second = (live.state.entry(each).people[0] for each in (final.first, final.second))
    await evening.comes_to_show(f"## 🏆 {first.name} wins the tournament!")
    return live, first, second


@pytest.mark.thorough
async def test_an_end_that_is_corrected_after_a_restart_is_shown_again(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        _, _, second = await decided(evening)
        await here.restart(killed=True)
        manager = evening.manager()
        await evening.press(manager, "manage")
        await evening.on_own(manager, "fix")
        await evening.choose(manager, "fix", "2.1")
        await evening.on_own(manager, "fixo", 2, 1, 1)
        await evening.comes_to_show(f"## 🏆 {second.name} wins the tournament!")


async def test_an_end_loses_the_name_of_somebody_erased_and_is_still_corrected_in_place(room_of: RoomOf):
    async with room_of(4) as here:
        evening, host = Evening(here), here.bot.host
        live, *finalists = await decided(evening)
        gone = next(each for each in finalists if each.id != evening.organiser.id)
        message = evening.shown.id
        await erase(
            host.of(PersonalData),
            host.of(TournamentLogs),
            host.of(TableManager),
            host.of(TournamentParts).tournaments,
            host.of(PreferencesCache),
            gone,
            memories=host.of(PrivacyParts).memories,
        )
        await evening.wait()
        assert (evening.shown.id, gone.name in evening.text) == (message, False)
        names = [NOBODY if each == gone else each.name for each in finalists]
        for side, points in ((1, (3, 7)), (0, (7, 3))):
            found = await host.of(TournamentParts).tournaments.find(live.id)
            assert found is not None
            await found.submit(Correct(OTHER, 2, 1, Outcome(points, side)), manages=True, moderates=True)
            await evening.wait()
            assert evening.shown.id == message
            assert f"## 🏆 {names[side]} wins the tournament!" in evening.text
            host.of(TournamentParts).tournaments._over.clear()  # as if many others had been looked at since


async def test_the_names_of_a_tournaments_threads_are_forgotten_when_it_is_over(room_of: RoomOf):
    async with room_of(4) as here:
        evening = Evening(here)
        places: Any = here.bot.host.of(TournamentParts).tournaments._places
        await evening.begin(format="knockout", target="7")
        await eventually(lambda: bool(places._there))
        await evening.live.submit(CancelTournament(club.Person(evening.organiser.id, "Ana")))
        await here.env.settle()
        assert places._there == {}


async def test_a_change_is_posted_once_more_only_if_its_message_is_certainly_gone(room_of: RoomOf):
    async with room_of(3) as here:
        evening = Evening(here)
        await evening.announce()
        await evening.press(here.people[1], "join")
        await change_target(evening, 11)
        here.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=0, times=1)
        await change_target(evening, 15)
        await change_target(evening, 21)
        told = [text for text in here.public_texts() if "⚙️" in text]
        assert len(told) == 1
        assert told[0].endswith("to 21 points.")


@pytest.mark.parametrize(("status", "code"), [(503, 0), (403, 0), (429, 0)])
async def test_a_change_that_could_not_be_told_for_now_is_told_a_little_later(room_of: RoomOf, status: int, code: int):
    async with room_of(3) as here:
        evening = Evening(here)
        await evening.announce()
        await evening.press(here.people[1], "join")
        path = f"/channels/{here.channel.id}/messages"
        here.env.inject_error("POST", path, status=status, code=code, times=1)
        await change_target(evening, 11)
        assert [text for text in here.public_texts() if "⚙️" in text] == []
        await here.wait(AGAIN_SECONDS + 1)
        [told] = [text for text in here.public_texts() if "⚙️" in text]
        assert told.endswith("to 11 points.")
