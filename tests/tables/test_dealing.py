"""A table's cards come from its seed and its message's id, once the store knows the id, whatever happens in between."""

import asyncio
import hmac
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import sha256

import pytest

from bot.engine import deals
from bot.engine.cards import Card
from bot.engine.proofs import DealFault, Flaw
from bot.engine.rules import Seating
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.platform.database.tools.audit import auditing
from bot.platform.refusals import CommonRefusal
from bot.replays.live.proofs import checked, decks_of, unfinished, wrong_deals
from bot.tables.live.chance import SystemChance
from bot.tables.live.table import Table
from bot.tables.log.actions import Cancel, Leave, Start
from bot.tables.log.events import Config, Fixture, Phase
from bot.tables.refusals import TableRefusal
from bot.tables.store.deals import Deal
from tests.support.patience import HANG_SECONDS
from tests.support.tables.hall import Build, Hall, play_round, turn_of
from tests.support.tables.kit import ANA, BEA, CHANNEL, GUILD, config_of, next_round, refused
from tests.support.tables.timing import START

MESSAGE = 1_442_000_000_000_000_001
FIXTURE = Fixture(7, 1, 1)


@pytest.fixture
async def sealed(build: Build) -> Hall:
    """A hall whose tables have seeds."""
    return await build(chance=SystemChance())


async def deal_of(hall: Hall, table: Table) -> Deal:
    deal = await hall.store.deals.of(table.id)
    assert deal is not None
    return deal


async def post(hall: Hall, table: Table, message_id: int = MESSAGE) -> None:
    """Note a message, as the bot does when it posts the table."""
    table.note_posted(await hall.store.games.set_message(table.id, message_id, START))


async def pairing(hall: Hall, fixture: Fixture = FIXTURE, config: Config | None = None) -> Table:
    return await hall.manager.open_fixture(
        fixture, [ANA, BEA], config or config_of(), guild_id=GUILD, channel_id=CHANNEL, locale="es-ES"
    )


def drawn(deal: Deal, table: Table, number: int) -> tuple[Card, ...]:
    """The deck of a round, drawn from the stored seed and message."""
    match = table.view().match
    assert match is not None
    assert deal.message_id is not None
    link = deals.link_of(deals.from_text(deal.seed), number)
    return deals.deck(link, deal.message_id, number, match.seating)


async def test_the_first_deal_of_a_lobby_waits_for_its_message_also_after_a_restart(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA)
    with refused(TableRefusal.UNPOSTED):
        await table.submit(Start(ANA, table.version))
    assert table.phase is Phase.LOBBY
    await post(sealed, table)
    hall = await sealed.restarted()
    table = hall.manager.at(CHANNEL)
    assert table is not None
    await table.submit(Start(ANA, table.version))
    deal = await deal_of(hall, table)
    assert (deal.message_id, deal.posted, deal.dealt) == (MESSAGE, 1, 1)
    assert decks_of(await hall.log(table)) == (drawn(deal, table, 1),)
    match = table.view().match
    assert match is not None
    assert match.dealer == deals.dealer(deals.link_of(deals.from_text(deal.seed), 1), MESSAGE, match.seating)


async def test_a_computers_chance_is_a_secret_of_its_table_that_survives_restarts(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA)
    await post(sealed, table)
    await table.submit(Start(ANA, table.version))
    deal = await deal_of(sealed, table)
    seed = await table._dealing.computers_seed(2, 1)
    known = f"{START.isoformat()}/{table.id}/2/1"
    assert known not in seed
    assert seed not in {sha256(known.encode()).hexdigest(), deal.seed, deal.commitment}
    assert len({seed, *[await table._dealing.computers_seed(*place) for place in ((2, 0), (3, 1))]}) == 3
    key = deals.computers_key(deals.from_text(deal.seed))
    assert seed == hmac.digest(key, known.encode(), "sha256").hex()
    assert key not in {deals.link_of(deals.from_text(deal.seed), number) for number in range(1, deals.LINKS + 1)}
    again = (await sealed.restarted()).manager.at(CHANNEL)
    assert again is not None
    assert await again._dealing.computers_seed(2, 1) == seed


async def test_a_computer_moves_once_the_store_can_be_read_again(sealed: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await sealed.lobby(ANA, BEA)
    await post(sealed, table)
    await table.submit(Start(ANA, table.version))
    await table.submit(Leave((ANA, BEA)[turn_of(table)]))

    def plays() -> int:
        match = table.view().match
        assert match is not None
        return match.version

    begun = plays()

    async def locked(*_: object) -> Deal:
        raise StoreUnavailable(Fault.LOCKED, "not now")

    with monkeypatch.context() as patched:
        patched.setattr(sealed.store.deals, "of", locked)
        await sealed.clock.advance(60)
        assert plays() == begun
    await sealed.clock.advance(60)
    assert plays() > begun


def test_boards_have_a_secret_for_the_computers_at_each_of_their_tables() -> None:
    chance, other = SystemChance(), SystemChance()
    chance.deal_boards_by("one")
    other.deal_boards_by("another")
    keys = {chance.computers_key(1), chance.computers_key(2), other.computers_key(1)}
    assert len(keys) == 3
    assert b"" not in keys


async def test_later_rounds_are_dealt_by_the_first_message_whatever_is_posted(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA, config=config_of(target=101))
    await post(sealed, table)
    await table.submit(Start(ANA, table.version))
    await post(sealed, table, MESSAGE + 5)
    await play_round(table)
    await next_round(table)
    deal = await deal_of(sealed, table)
    assert (deal.message_id, deal.posted, deal.dealt) == (MESSAGE, 1, 2)
    assert decks_of(await sealed.log(table)) == (drawn(deal, table, 1), drawn(deal, table, 2))
    found = await checked(sealed.store.games, sealed.store.deals, GUILD, ANA.id, table.id)
    assert found is not None
    assert found.proof is not None
    assert (found.flaws, len(found.decks), len(found.proof.links), found.running) == ((), 1, 1, True)
    assert await checked(sealed.store.games, sealed.store.deals, GUILD, 5, table.id) is None, (
        "people without a seat don't see it"
    )
    assert await checked(sealed.store.games, sealed.store.deals, GUILD + 1, ANA.id, table.id) is None


async def test_a_seed_that_isnt_the_one_that_was_sealed_is_found(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA, config=config_of(target=101))
    await post(sealed, table)
    shown = (await deal_of(sealed, table)).commitment
    with closing(sqlite3.connect(sealed.path)) as connection, connection:
        connection.execute("UPDATE deals SET seed = ?", (deals.to_text(bytes(32)),))
    await table.submit(Start(ANA, table.version))
    await play_round(table)
    found = await checked(sealed.store.games, sealed.store.deals, GUILD, ANA.id, table.id)
    assert found is not None
    assert found.proof is not None
    assert found.proof.commitment == shown, "it is the one that everybody has seen"
    assert found.flaws == (Flaw(1, DealFault.LINK),)


async def test_tables_that_never_began_dont_hide_the_latest_match(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA)
    await post(sealed, table)
    await table.submit(Start(ANA, table.version))
    await table.abandon()
    for channel in range(CHANNEL, CHANNEL + 6):
        lobby = await sealed.lobby(ANA, channel=channel)
        await lobby.submit(Cancel(ANA))
    found = await unfinished(sealed.store.games, sealed.store.deals, sealed.store.matches, GUILD, ANA.id)
    assert found is not None
    assert (found.row.id, found.running, found.broken_off) == (table.id, False, True)
    with closing(sqlite3.connect(sealed.path)) as connection, connection:
        connection.execute("UPDATE events SET body = '?' WHERE game_id = ? AND version = 2", (table.id,))
    assert await unfinished(sealed.store.games, sealed.store.deals, sealed.store.matches, GUILD, ANA.id) is None, (
        "a match with a damaged log is passed over"
    )


async def test_a_message_that_another_process_has_noted_meanwhile_isnt_overlooked(
    sealed: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await sealed.lobby(ANA, BEA)
    await post(sealed, table)
    before = await deal_of(sealed, table)
    await post(sealed, table, MESSAGE + 1)

    async def late(_: int) -> Deal:
        return before

    with monkeypatch.context() as patched:
        patched.setattr(sealed.store.deals, "of", late)
        with refused(CommonRefusal.STALE):
            await table.submit(Start(ANA, table.version))
    assert table.phase is Phase.LOBBY
    await table.submit(Start(ANA, table.version))
    deal = await deal_of(sealed, table)
    assert (deal.message_id, deal.posted) == (MESSAGE + 1, 2)
    assert decks_of(await sealed.log(table)) == (drawn(deal, table, 1),)


def test_rounds_after_the_end_of_the_chain_are_dealt_without_it() -> None:
    chance, seed = SystemChance(), bytes(32)
    deal = Deal(deals.to_text(seed), "", MESSAGE, 1, dealt=1)
    by_chain = deals.deck(deals.link_of(seed, 2), MESSAGE, 2, Seating.TWO)
    assert chance.by(deal).deck(1, 2, Seating.TWO) == by_chain
    used_up = chance.by(replace(deal, dealt=deals.LINKS))
    assert len({used_up.deck(1, deals.LINKS + 1, Seating.TWO) for _ in range(3)}) == 3


async def test_a_pairings_table_is_dealt_once_its_message_is_there(sealed: Hall) -> None:
    table = await pairing(sealed)
    view = table.view()
    assert view.match is not None
    assert (view.phase, view.match.round_number, view.match.turn, view.deadline) == (Phase.PLAYING, 0, None, None)
    with refused(TableRefusal.UNPOSTED):
        await next_round(table)
    await sealed.clock.advance(3_600)
    assert decks_of(await sealed.log(table)) == ()
    await post(sealed, table)
    await sealed.clock.advance(1)
    deal = await deal_of(sealed, table)
    assert decks_of(await sealed.log(table)) == (drawn(deal, table, 1),)
    view = table.view()
    assert view.match is not None
    assert view.match.turn == 0


async def test_a_pairings_table_is_dealt_after_a_restart_if_its_message_was_noted_before(sealed: Hall) -> None:
    table = await pairing(sealed)
    await sealed.store.games.set_message(table.id, MESSAGE, START)
    hall = await sealed.restarted()
    found = hall.manager.at(CHANNEL)
    assert found is not None
    async with asyncio.timeout(HANG_SECONDS):
        while not decks_of(await hall.log(found)):
            await hall.clock.advance(1)
    assert decks_of(await hall.log(found)) == (drawn(await deal_of(hall, found), found, 1),)


async def test_boards_are_dealt_at_once_and_have_no_seal(build: Build) -> None:
    chance = SystemChance()
    chance.deal_boards_by("a secret")
    hall = await build(chance=chance)
    table = await pairing(hall, replace(FIXTURE, boards=(1, 2)), config_of(rounds=2))
    assert table.view().commitment is None
    assert await hall.store.deals.of(table.id) is None
    assert decks_of(await hall.log(table)) == (chance.board(7, 1),)


async def test_the_check_of_a_database_draws_every_deck_again(sealed: Hall) -> None:
    table = await sealed.lobby(ANA, BEA)
    await post(sealed, table)
    await table.submit(Start(ANA, table.version))

    def found(change: str, rows: str = "deals") -> list[str]:
        with closing(sqlite3.connect(sealed.path)) as connection, connection:
            connection.execute(f"UPDATE {rows} SET {change}")  # noqa: S608 - our own words
        with auditing(sealed.path) as audit:
            return list(wrong_deals(audit))

    assert found("posted = 1") == []
    match = table.view().match
    assert match is not None
    drawn, other = f"dealer={match.dealer}", f"dealer={1 - match.dealer}"
    assert found(f"body = replace(body, '{drawn}', '{other}')", "events") == [
        f"game {table.id}: round 1: {DealFault.DEALER}"
    ]
    assert found(f"body = replace(body, '{other}', '{drawn}')", "events") == []
    assert "game 1: round 1: its deck isn't the one that its link and the message's id give" in found(
        "message_id = message_id + 1"
    )
    assert found("dealt = 2") == ["game 1: it should have 2 decks drawn with its seed, but its log has 1 decks"]
    assert found("dealt = 0, commitment = 'x'") == ["game 1: its commitment doesn't match its seed"]
    assert found("seed = 'x'") == ["game 1: what its decks are drawn with can't be read"]
