"""Panels move below a table that is posted afresh: with real requests, each with its own token, within all limits."""

from pathlib import Path

import pytest

from tests.support.fake_discord.person import Person
from tests.support.wiretap import Request
from tests.wire.faults import PANELS
from tests.wire.table import Table, tables
from tests.wire.world import Wire

FOLLOW_UPS = "/webhooks/*"
ROOM = 20
"""How many follow-ups a minute may be panels: two thirds of what Discord accepts; the rest is for answers."""


def follow_ups(w: Wire, since: int) -> list[Request]:
    return [each for each in w.sent("POST", FOLLOW_UPS, since=since) if each.path.count("/") == 3]


def panels(w: Wire, table: Table, person: Person) -> list[int]:
    """The private messages that somebody sees."""
    return [seen.id for seen in w.history(table.channel_id, person) if seen.private]


async def panels_sent(w: Wire, made: list[Table], count: int, since: int) -> None:
    """Wait until that many panels have been sent again and then the older ones deleted."""
    seen = [(table, person) for table in made for person in table.party.people]
    await w.bot.until(lambda: len(follow_ups(w, since)) >= count and all(len(panels(w, *each)) == 1 for each in seen))


async def posted_afresh(w: Wire, made: list[Table]) -> None:
    """Somebody deletes the tables' messages, and the next move posts them again."""
    older = {table.channel_id: table.shown.id for table in made}
    for table in made:
        w.realm.delete_message(table.channel_id, table.shown.id)
    for table in made:
        await table.move().end()
    await w.bot.until(
        lambda: all((seen := w.latest(number, "hand")) is not None and seen.id > older[number] for number in older)
    )
    await w.settle()


@pytest.mark.thorough
async def test_a_panel_is_sent_again_by_the_token_it_has_and_then_the_older_one_is_deleted(tmp_path: Path) -> None:
    async with tables(tmp_path, as_discord=True) as (w, [table]):
        for again in (False, True):  # the second time, one of the older panels is a follow-up that nobody has clicked
            waiting = table.other
            since = len(w.requests)
            await w.bot.until(lambda: all(len(panels(w, table, person)) == 1 for person in w.people))
            [older] = panels(w, table, waiting)
            await posted_afresh(w, [table])
            await panels_sent(w, [table], len(w.people), since)
            sent = {each.viewer: each for each in follow_ups(w, since)}
            assert sent.keys() == {person.id for person in w.people}
            for person in w.people:
                post = sent[person.id]
                [panel] = panels(w, table, person)
                assert panel == post.message_id
                assert panel > table.shown.id
                deletes = [each for each in w.sent("DELETE", PANELS, since=since) if each.path.startswith(post.path)]
                assert [each.status for each in deletes] == [204], "with the same token"
                assert deletes[0].number > post.number, "nobody is ever without a panel"
            [delete] = [each for each in w.sent("DELETE", PANELS, since=since) if each.message_id == older]
            assert delete.path.endswith(f"/{older}" if again else "/messages/@original")
            assert w.sent("DELETE", "/channels/*", since=since) == []
            await table.moves(1)  # a click on the newer panel, and an edit of the other's
        assert w.server.rates.refusals == {}


@pytest.mark.thorough
async def test_a_burst_of_ten_tables_with_four_panels_stays_within_the_limit_of_follow_ups(tmp_path: Path) -> None:
    async with tables(tmp_path, 10, people=4, as_discord=True) as (w, made):
        await w.bot.until(
            lambda: all(len(panels(w, table, each)) == 1 for table in made for each in table.party.people)
        )
        await w.restart()  # the panels that were dealt out don't count then
        w.server.rates.forget("follow-up")
        for table in made:
            for person in table.party.people:
                await w.click(person, table.panel(person), table.panel(person).one("panel"))
        since = len(w.requests)
        await posted_afresh(w, made)
        await panels_sent(w, made, ROOM, since)
        assert len(follow_ups(w, since)) == ROOM
        below = above = 0
        for table in made:
            for person in table.party.people:
                [panel] = panels(w, table, person)
                below += panel > table.shown.id
                above += panel < table.shown.id
        assert (below, above) == (ROOM, 40 - ROOM)
        number = len(w.requests)
        await posted_afresh(w, made[:2])
        assert follow_ups(w, number) == [], "nothing is sent where there is no room"
        for table in made:
            await table.moves(1)  # every panel goes on, wherever it is
        assert w.server.rates.refusals == {}
        assert [each for each in w.requests if each.status == 429] == []
