"""The buttons and menus of a match, on the public table and on the private panel."""

from collections.abc import Awaitable, Callable
from typing import Final

from bot.engine.cards import EMPTY, CardSet
from bot.engine.moves import Claim, Play, Sing
from bot.engine.rules import Duty
from bot.platform.kit.codec import number_in
from bot.platform.kit.links import channel_url
from bot.platform.kit.screen import Press
from bot.platform.layout import notice
from bot.platform.people import Person
from bot.platform.place import Spot
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import GuildSettingsCache
from bot.platform.transport.permissions import check_may_speak, check_may_write, may_open_threads
from bot.tables.clicks.aside import set_aside
from bot.tables.clicks.door import call_waiting
from bot.tables.clicks.press import SCREEN, GamePress, at_table, card_of, handle, submits
from bot.tables.ids.game import Ref, Verb, unpack
from bot.tables.live import rematch
from bot.tables.live.ahead import name_ahead, next_turn
from bot.tables.live.manager import TableManager
from bot.tables.live.running import by_deadline
from bot.tables.live.showing import press_in_crowd
from bot.tables.live.table import Table
from bot.tables.log.actions import Join, LayCard, LetComputerPlay, NextRound, Nudge, PlayMove, Touch
from bot.tables.log.topics import Face
from bot.tables.parts import TableParts
from bot.tables.refusals import TableRefusal
from bot.tables.screens.ahead import NONE_AHEAD, read_ahead
from bot.tables.screens.guide import guide_layout
from bot.tables.screens.picking import ANY, CLAIM, Picking, claim_of, menu_of
from bot.tables.screens.table import is_dealt
from bot.tables.store.logs import Games
from bot.tables.words.names import own_rules_name

MOST_ROUNDS: Final = 999
"""More rounds than any match has."""
ARRIVAL_SECONDS: Final = 1.5
"""Longest wait of a rematch for its message in a thread, without which nothing is dealt."""


@at_table(Verb.HAND)
async def open_hand(press: GamePress) -> None:
    """Open the player's private panel: the buttons "My hand", "Play" on a list and, once the match is over, "My
    result"."""
    if press.found is None:
        parts = press.host.of(TableParts)
        await parts.presenter.open_end(press.interaction, press.ref.game, parts.matches)
        return
    await press.table.submit(Touch(press.person))
    await press.host.of(TableParts).presenter.open_panel(press.interaction, press.table)


@at_table(Verb.ROUNDS)
async def show_round(press: GamePress) -> None:
    """Show one person the score of a round of a match that is over: the last one, or the one that the button names."""
    number = number_in(press.ref.args[0], MOST_ROUNDS) if press.ref.args else MOST_ROUNDS
    if number is None:
        raise Refusal(CommonRefusal.STALE)
    await press.host.of(TableParts).presenter.show_round(press.interaction, press.ref.game, number)


@at_table(Verb.PANEL)
async def refresh_panel(press: GamePress) -> None:
    """Show the panel afresh: "Refresh", or "Back" from a choice that isn't public."""
    if await _shows_end(press):
        return
    async with press.answering():
        await press.table.submit(Touch(press.person))


@SCREEN.on(Verb.OPEN_GAME)
async def open_chosen(press: Press, _: Ref) -> None:
    """Open the panel of the match that was chosen in a menu."""
    await handle(Verb.HAND, open_hand, press, Ref(press.number))


@at_table(Verb.NEXT_GAME)
async def open_next_game(press: GamePress) -> None:
    """Open the panel of the most urgent other match that waits for the person."""
    parts, person = press.host.of(TableParts), press.person
    for table in by_deadline(press.host.of(TableManager).awaiting(person.id)):
        if table.id != press.ref.game and await parts.members.has(table.guild_id, person.id):
            await table.submit(Touch(person))
            await parts.presenter.go_on(press.interaction, press.found, table)
            return
    async with press.answering() as answer:
        answer.note = press.t("No other match waits for you now.")


async def _shows_end(press: GamePress) -> bool:
    """Whether the match is over; if so, what it has brought the person is the answer."""
    if press.found is None:
        await press.host.of(TableParts).presenter.open_end(press.interaction, press.ref.game)
    return press.found is None


@at_table(Verb.CARD)
async def play_card(press: GamePress) -> None:
    """Play a card if the rules leave no choice; otherwise lay it face up, or begin choosing what it takes."""
    card = press.card()
    person = press.person
    version = press.ref.version
    async with press.answering() as answer:
        view = press.seat_view()
        groups = [] if view is None else [m.captured for m in view.moves if isinstance(m, Play) and m.card is card]
        if view is not None and view.has_turn and view.public.table and view.public.rules.duty is not Duty.COMPULSORY:
            await press.table.submit(Touch(person))
            held = view.public.version == version and card in view.hand
            answer.picking = Picking(card) if held else None
        elif len(groups) > 1 and any(groups):
            await press.table.submit(LayCard(person, version, card))
        else:
            await press.table.submit(PlayMove(person, version, Play(card, groups[0] if groups else EMPTY)))


@at_table(Verb.TAKE)
async def take(press: GamePress) -> None:
    """Capture with the laid card, or capture the table cards chosen in a menu.

    A wrong sum costs nothing: the choice stays as it is.
    """
    what, cards = press.argument(0), unpack(press.argument(1))
    if cards is None:
        raise Refusal(CommonRefusal.STALE)
    picking = _picking(what, cards)
    if not picking.begun:
        raise Refusal(CommonRefusal.STALE)
    move = Claim(cards) if picking.card is None else Play(picking.card, cards)
    async with press.answering(picking=picking):
        await press.table.submit(PlayMove(press.person, press.ref.version, move))


@at_table(Verb.LAY)
async def lay(press: GamePress) -> None:
    """Lay a card on the table without capturing, where the player may decide that."""
    move = Play(press.card())
    async with press.answering():
        await press.table.submit(PlayMove(press.person, press.ref.version, move))


@at_table(Verb.CLAIM)
async def begin_claim(press: GamePress) -> None:
    """Begin choosing a missed capture to claim."""
    async with press.answering() as answer:
        await press.table.submit(Touch(press.person))
        view = press.seat_view()
        answer.picking = None if view is None else claim_of(view.public)


@at_table(Verb.CHOOSE)
async def choose(press: GamePress) -> None:
    """Choose one table card more, or one fewer. The custom_id holds the resulting choice."""
    what, chosen = press.argument(0), unpack(press.argument(1))
    if chosen is None:
        raise Refusal(CommonRefusal.STALE)
    async with press.answering() as answer:
        table = await _touched(press)
        answer.picking = _picking(what, chosen & table)


@at_table(Verb.PICK)
async def pick(press: GamePress) -> None:
    """Choose table cards in a menu. The custom_id holds the cards chosen in other menus."""
    what = press.argument(0)
    before = unpack(press.argument(1))
    number = number_in(press.argument(2))
    if before is None or number is None:
        raise Refusal(CommonRefusal.STALE)
    async with press.answering() as answer:
        table = await _touched(press)
        chosen = (before - menu_of(table, number)) | CardSet.of(map(card_of, press.values))
        answer.picking = _picking(what, chosen & table)


async def _touched(press: GamePress) -> CardSet:
    """The cards on the table, from which a player chooses; a player who was away counts as back.

    Raises:
        Refusal: if the choice was begun at another turn.
    """
    await press.table.submit(Touch(press.person))
    view = press.seat_view()
    if view is None or view.public.version != press.ref.version:
        raise Refusal(CommonRefusal.STALE)
    return view.public.table


@at_table(Verb.GUIDE)
async def explain_rules(press: GamePress) -> None:
    config = press.table.view().config
    press.host.of(TableParts).presenter.seen_by(press.person.id, press.table)
    own = own_rules_name(config, press.t)
    await press.reply.send_private(guide_layout(config.preset, config.rules, press.t, own))


@at_table(Verb.REACT)
async def react(press: GamePress) -> None:
    """Show a face at the table, or take it back, as a player or an onlooker; the answer shows it to everybody."""
    if not press.ref.args:
        await refresh_panel(press)  # the menu of a panel of 1.0
        return
    if press.argument() not in set(Face):
        raise Refusal(CommonRefusal.STALE)
    await _in_crowd(press, lambda table: table.faces.press(press.person.id, Face(press.argument())))


@at_table(Verb.WINS)
async def vote(press: GamePress) -> None:
    """Vote, as an onlooker, for the side that is to win the round; the answer shows everybody how many have."""
    number, side = number_in(press.argument(0), MOST_ROUNDS), number_in(press.argument(1))
    if number is None or side is None:
        raise Refusal(CommonRefusal.STALE)
    await _in_crowd(press, lambda table: table.votes.press(table.view().match, press.person.id, number, side))


async def _in_crowd(press: GamePress, change: Callable[[Table], Awaitable[None]]) -> None:
    """Carry out the press of a player, or of an onlooker who may write there."""
    seated = press.table.seat_of(press.person.id) is not None
    if not seated:
        check_may_write(press.interaction)
    async with press.answering():
        if seated:
            await press.table.submit(Touch(press.person))
        await press_in_crowd(press.host.of(TableManager), press.table, change)


@at_table(Verb.REMATCH)
async def open_rematch(press: GamePress) -> None:
    """Open a lobby with the rules of the match that is over, and seat the asker and the computers.

    Only the players of that match may do so, and only the first time pings the others. If another of them has opened a
    rematch, take a seat there.
    """
    manager, presenter = press.host.of(TableManager), press.host.of(TableParts).presenter
    channel_id = press.interaction.channel_id or 0
    opened = manager.at(channel_id)
    if opened is None or not _awaits(opened, press.person):
        check_may_speak(press.interaction)
        where = {"guild_id": press.guild_id, "channel_id": channel_id}
        wanted = await rematch.rematch_of(manager, press.host.of(Games), press.ref.game, press.person, **where)
        if not wanted.first:
            press.host.throttle.tables.take_or_refuse(press.person.id, TableRefusal.TOO_MANY_OPENED)
        movable = may_open_threads(press.interaction)
        table = await rematch.open_rematch(manager, press.host.of(GuildSettingsCache), wanted, movable=movable)
        await presenter.post(press.interaction, table, inviting=wanted.first)
        if await set_aside(press.interaction, table):
            await presenter.board_of(table).message.settled(ARRIVAL_SECONDS)
        await rematch.begin_rematch(table, wanted)
        await call_waiting(press.interaction, table)
        return
    before = await manager.finished(press.ref.game)
    friendly = before is not None and not before.state.config.rated  # that is all they know of the rematch
    view = opened.view()
    if view.changed or (friendly and view.config.rated):
        raise Refusal(TableRefusal.CHANNEL_BUSY)  # it is another match's, or was changed: one joins where that is seen
    await opened.submit(Join(press.person, friendly, seen=0))
    if is_dealt(opened.view()):
        await presenter.open_panel(press.interaction, opened)
        return
    presenter.board_of(opened).follow_deal(press.interaction)
    text, url = press.t("You have a seat at the rematch."), presenter.link(opened)
    if url is not None:
        text += " " + press.t("[Go to the table]({url})", url=url)
    await press.reply.send_private(notice(text))


@at_table(Verb.THATS_ALL)
async def thats_all(press: GamePress) -> None:
    """End the channel's evening, and answer with a link to its card: the message that was pressed goes."""
    check_may_speak(press.interaction)
    place = Spot(press.interaction.channel_id or 0, press.guild_id)
    card_id = await press.host.of(TableParts).evenings.finish(place, press.ref.game, press.person.id)
    await press.reply.send_private(notice(f"🌙 {channel_url(place.guild_id, place.channel_id, card_id)}"))


def _awaits(table: Table, person: Person) -> bool:
    """Whether a table is a rematch that a person is invited to."""
    view = table.view()
    return not view.challenge and person.id in (each.id for each in view.missing)


def _picking(what: str, chosen: CardSet) -> Picking:
    """The choice that an argument of a custom_id names.

    Raises:
        Refusal: if it names none.
    """
    if what == CLAIM:
        return Picking(chosen=chosen, claim=True)
    return Picking(None if what == ANY else card_of(what), chosen)


@at_table(Verb.AHEAD)
async def choose_ahead(press: GamePress) -> None:
    """Keep the card that somebody names for their next turn, or withdraw it."""
    async with press.answering():
        await press.table.submit(Touch(press.person))
        async with press.table.standing_still():
            view = press.seat_view()
            ahead = None if view is None else read_ahead(press.value, next_turn(view), view)
            if ahead is None and press.value != NONE_AHEAD:
                raise Refusal(CommonRefusal.STALE)
            await name_ahead(press.host.of(Games), view, press.table.view(), press.person, ahead)


submits(Verb.SING, lambda press: PlayMove(press.person, press.ref.version, Sing()))
submits(Verb.LET_COMPUTER_PLAY, lambda press: LetComputerPlay(press.person, press.ref.version))
submits(Verb.NUDGE, lambda press: Nudge(press.person, press.ref.version))
submits(Verb.NEXT_ROUND, lambda press: NextRound(press.person, press.ref.version))
