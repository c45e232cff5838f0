"""The rematch of a match: the same rules, and the same people if they join."""

from contextlib import suppress
from dataclasses import dataclass

from bot.platform.people import Person
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.settings.language import LanguageSettings
from bot.tables.live.logbook import Finished
from bot.tables.live.manager import TableManager
from bot.tables.live.table import Table
from bot.tables.log.actions import Start
from bot.tables.log.codec import MATCH
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat
from bot.tables.refusals import TableRefusal
from bot.tables.store.logs import Games


@dataclass(frozen=True, slots=True)
class Rematch:
    """A rematch that one of the players asks for.

    Attributes:
        before: the match that is over.
        asker: the player.
        invited: the people of that match, by seat; None for a computer, and for those who left or were erased.
        first: whether none of them has opened another table on the server since. Only then may the invitations ping:
            a cancelled rematch can be asked for once more, so people could be pinged again and again.
        instead_of: a challenge to the winner that waits for its answer in their channel: a rematch goes first.
    """

    before: Finished
    asker: Person
    invited: tuple[Person | None, ...]
    first: bool
    instead_of: Table | None = None


async def rematch_of(
    manager: TableManager, games: Games, game_id: int, asker: Person, *, guild_id: int, channel_id: int
) -> Rematch:
    """The rematch of a match that was finished in a channel, if it can be opened.

    Raises:
        Refusal: if there is no such match there, its channel has a game, or the asker didn't play to its end.
        StoreError: if it can't be read.
    """
    before = await manager.finished(game_id)
    if before is None or before.state.fixture is not None:
        raise Refusal(CommonRefusal.STALE)
    if (before.row.guild_id, before.row.channel_id) != (guild_id, channel_id):
        raise Refusal(CommonRefusal.STALE)
    invited = tuple(map(_invited, before.state.seats))
    people = [person.id for person in invited if person is not None]
    running = manager.at(channel_id)
    if running is None and manager.has_table(channel_id):
        raise Refusal(TableRefusal.CHANNEL_BUSY)
    if running is not None and not await _yields(manager, games, running, before):
        raise Refusal(TableRefusal.CHANNEL_BUSY)
    if asker.id not in people:
        raise Refusal(TableRefusal.NOT_PLAYED)
    first = not await games.opened_since(before.row, people)
    return Rematch(before, asker, invited, first, running)


async def _yields(manager: TableManager, games: Games, table: Table, before: Finished) -> bool:
    """Whether a table is somebody else's open challenge to the winner of the channel's latest match, by its rules."""
    view, players = table.view(), [seat.person_id for seat in before.state.seats]
    if view.phase is not Phase.LOBBY or not view.challenge or view.config.rules != before.state.config.rules:
        return False
    past = await manager.past(before.row.id)
    winner = None if past is None else past.view().winner_to_play
    if winner is None or winner.id not in (person.id for person in view.missing) or view.opener_id in players:
        return False
    return not await games.played_between(before.row.channel_id, before.row.id, table.id, MATCH)


async def open_rematch(
    manager: TableManager, guild_settings: GuildSettingsCache, rematch: Rematch, *, movable: bool = False
) -> Table:
    """Open a lobby for the asker with the rules and the computer players of the match that is over.

    The people of that match are invited. If it is `movable`, its lobby may go on in a thread.

    Raises:
        Refusal: if its channel has a game by now, or the store can't write.
        StoreError: if the server's settings can't be read.
    """
    row, state = rematch.before.row, rematch.before.state
    assert row.guild_id is not None, "it was finished in a channel"
    settings = await guild_settings.of(row.guild_id, LanguageSettings)
    return await manager.open(
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        opener=rematch.asker,
        config=state.config,
        locale=settings.language or row.locale,
        computers=[seat for seat in state.seats if seat.is_computer],
        invited=rematch.invited,
        instead_of=rematch.instead_of,
        goes_first=True,
        movable=movable,
        dealer=None if state.match is None else (state.match.dealer + 1) % len(state.seats),
    )


async def begin_rematch(table: Table, rematch: Rematch) -> None:
    """Begin the match if nobody is missing, once its message has been posted."""
    view = table.view()
    if view.phase is Phase.LOBBY and not view.missing and len(view.seats) == len(rematch.before.state.seats):
        with suppress(Refusal):  # the lobby is open, and its people can start
            await table.submit(Start(rematch.asker, table.version))


def _invited(seat: Seat) -> Person | None:
    """The person to invite from a seat of the previous match; None for a computer, or if they left or were erased."""
    if seat.person_id is None or seat.person_id < 0 or not seat.may_return:
        return None
    return Person(seat.person_id, seat.name)
