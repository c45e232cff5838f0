"""A table's decks come from its seal and from the number that Discord gives its message, for which the deal waits."""

from collections.abc import Sequence

import pytest

from bot.engine import deals
from bot.platform.database.errors import Fault, StoreUnavailable
from bot.replays.live.proofs import decks_of
from bot.tables.boards.table_message import NOTE_AGAIN_SECONDS
from bot.tables.live.chance import SystemChance
from bot.tables.live.table import Table
from bot.tables.log.codec import decode
from bot.tables.log.events import Phase
from bot.tables.store.deals import Deal
from bot.tables.words.scores import SHOWN
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person


def scores(table: Table) -> int:
    """How many rounds are over."""
    match = table.view().match
    return 0 if match is None else len(match.scores)


async def deal_of(here: Room, game_id: int) -> Deal:
    """What a table's decks are drawn with."""
    deal = await here.bot.parts.stores.deals.of(game_id)
    assert deal is not None
    return deal


async def decks(here: Room, game_id: int) -> Sequence[object]:
    """The decks in a table's log."""
    return decks_of(decode(entry.kind, entry.body) for entry in await here.bot.parts.stores.games.log(game_id))


def drawn(deal: Deal, number: int, here: Room) -> object:
    """The deck that a round must have."""
    assert deal.message_id is not None
    match = here.table.view().match
    assert match is not None
    link = deals.link_of(deals.from_text(deal.seed), number)
    return deals.deck(link, deal.message_id, number, match.seating)


async def test_the_lobby_shows_the_seal_and_the_first_deck_follows_from_it_and_the_messages_id(
    room_of: RoomOf,
) -> None:
    async with room_of(2, chance=SystemChance()) as here:
        ana, bea = here.people
        await here.lobby(bea)
        deal = await deal_of(here, here.table.id)
        assert (deal.message_id, deal.posted, deal.dealt) == (here.shown.id, 1, 0)
        assert f"🔒 Seal of the decks: `{deal.commitment[:SHOWN]}`" in here.public_text
        assert deal.commitment == deals.to_text(deals.commitment_of(deals.from_text(deal.seed)))
        table = here.table
        await here.press(ana, here.shown, "start")
        dealt = await deal_of(here, table.id)
        assert (dealt.message_id, dealt.dealt) == (deal.message_id, 1)
        assert await decks(here, table.id) == (drawn(dealt, 1, here),)
        assert deal.commitment[:SHOWN] in here.public_text
        said = "\n".join(here.public_texts())
        assert deal.seed not in said
        assert deals.to_text(deals.link_of(deals.from_text(deal.seed), 1)) not in said


async def test_a_table_that_is_posted_again_says_so_and_is_dealt_by_the_latest_message(room_of: RoomOf) -> None:
    async with room_of(2, chance=SystemChance()) as here:
        ana, bea = here.people
        await here.lobby(bea)
        first = here.shown.id
        await ana.slash(here.channel, "escoba table")
        await here.env.settle()
        deal = await deal_of(here, here.table.id)
        assert here.shown.id != first
        assert (deal.message_id, deal.posted) == (here.shown.id, 2)
        assert "posted 2 times" in here.public_text, "before the first deal, this number is all that players have"
        await here.restart()
        await here.press(ana, here.shown, "start")
        assert "posted 2 times" in here.public_text
        await ana.slash(here.channel, "escoba table")
        await here.env.settle()
        dealt = await deal_of(here, here.table.id)
        assert (dealt.message_id, dealt.posted) == (deal.message_id, 2), "nothing changes that after the first deal"
        assert await decks(here, here.table.id) == (drawn(deal, 1, here),)


async def test_a_lobby_that_is_posted_again_says_how_often_in_the_message_itself(room_of: RoomOf) -> None:
    async with room_of(2, chance=SystemChance()) as here:
        ana, bea = here.people
        await here.lobby(bea)
        await ana.slash(here.channel, "escoba table")
        answers = [each.body for each in here.tap.requests if each.path.endswith("/callback")]
        assert "posted 2 times" in str(answers[-1]), "nobody has to wait for an edit"
        here.env.backend.delete_message(here.channel.id, here.shown.id)
        await bea.slash(here.channel, "escoba leave")
        await here.env.settle()
        posts = [each.body for each in here.tap.requests if each.method == "POST" and each.path.endswith("/messages")]
        assert "posted 3 times" in str(posts[-1])
        assert (await deal_of(here, here.table.id)).posted == 3


async def test_nothing_is_dealt_before_the_store_knows_the_message(
    room_of: RoomOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room_of(2, chance=SystemChance()) as here:
        ana, bea = here.people

        async def full(*_: object) -> int:
            raise StoreUnavailable(Fault.DISK_FULL, "the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(here.bot.parts.stores.games, "set_message", full)
            await here.lobby(bea)
            await here.press(ana, here.shown, "start")
            assert here.private_text(ana).startswith("The number of the table's message cuts the deck")
            assert here.table.phase is Phase.LOBBY
        await here.env.advance_time(NOTE_AGAIN_SECONDS + 1)
        await here.env.settle()
        await here.press(ana, here.shown, "start")
        assert here.table.phase is Phase.PLAYING


async def check_deal(here: Room, person: Person) -> None:
    """Check how the person's latest match was dealt."""
    await here.open_match(person)
    await person.press(here.channel, custom_id="^w:verify:")


async def test_each_round_that_is_over_can_be_checked_and_no_other(room_of: RoomOf) -> None:
    async with room_of(2, chance=SystemChance()) as here:
        ana, bea = here.people
        await ana.slash(here.channel, "escoba games")
        assert "haven't played" in here.private_text(ana)
        await here.begin(target=5)
        table = here.table
        await check_deal(here, ana)
        assert "No round is over yet" in here.private_text(ana)
        await here.skip(lambda view: view.moves[0], until=lambda match: len(match.scores) > 0)
        await here.play_out(until=lambda: scores(table) > 0)  # `skip` stops before a move that may end the match
        deal = await deal_of(here, table.id)
        keys = [deals.to_text(deals.link_of(deals.from_text(deal.seed), number)) for number in (1, 2)]
        await check_deal(here, ana)
        shown = here.private_text(ana)
        assert "These decks follow from the seal" in shown
        assert deal.commitment in shown
        assert str(deal.message_id) in shown
        assert keys[0] in shown
        assert keys[1] not in shown
        if table.phase.open:
            await here.finish()
        await check_deal(here, bea)
        assert "These decks follow from the seal" in here.private_text(bea)


async def test_a_rematch_against_computers_begins_once_its_message_is_there(room_of: RoomOf) -> None:
    async with room_of(1, chance=SystemChance()) as here:
        ana = await here.lobby(target=5)
        await here.press(ana, here.shown, "addc")
        await here.choose_option(ana, "comp", "easy", seat=1)
        await here.press(ana, here.shown, "start")
        await here.press(ana, here.shown, "hand")
        await here.finish()
        await here.press(ana, here.shown, "rematch")
        assert here.table.phase is Phase.PLAYING
        deal = await deal_of(here, here.table.id)
        assert await decks(here, here.table.id) == (drawn(deal, 1, here),)
