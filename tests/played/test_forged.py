"""Each guard against forged clicks, with a click that this guard alone stops.

Discord lets no such click through (see `Person.click`); but some come late, and not every client is Discord's. What a
table itself refuses, from whom and in which state, is tested in `tests/tables/log`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.club.settings import ClubSettings
from bot.platform.kit.codec import base36
from bot.platform.refusals import CommonRefusal
from bot.platform.settings.documents import Choices
from bot.process.setting_pages import SERVER_PAGES
from bot.training.refusals import TrainingRefusal
from tests.support.escoba import Room, RoomOf
from tests.support.people import Person, components_of, forge, forge_form, text_of
from tests.support.phrases import NEEDS_EVERYBODY, NO_SEAT, OVER, STALE, YOUR_HAND, refusal_text

NO_LONGER = "That button is out of date."
NO_REVIEW = refusal_text(TrainingRefusal.NO_REVIEW)
NO_POSITION = refusal_text(TrainingRefusal.NO_POSITION)
NOT_MANAGER = refusal_text(CommonRefusal.NOT_MANAGER)


class Guarded(NamedTuple):
    """A click that a guard stops, and its answer.

    In the custom_id `{game}` and `{now}` are the table's number and version, and `{held}` a card of the player.
    """

    guard: str
    custom_id: str
    answer: str
    values: list[str] | None = None


BY_THE_PLAYER_AT_TURN = (
    Guarded("dispatch.dispatch: there is such a button", "e:nosuch:{game}:{now}", NO_LONGER),
    Guarded("codec.Reference.read: it names a game and a version", "e:panel:{game}", NO_LONGER),
    Guarded("codec.Reference.read: nothing follows", "p:erase:1", NO_LONGER),
    Guarded("codec.Text: there is such a period", "r:next:wins:never:0", NO_LONGER),
    Guarded("codec.Number: it names a person", "c:show:!", NO_LONGER),
    Guarded("codec.OneOf: it names a page", "c:page:1:x", NO_LONGER),
    Guarded("stats.StatsRef: a duel has a rival", "c:show:1:duel", NO_LONGER),
    Guarded("codec.OneOf: it is true or false", "v:show:{game}:0:x", NO_LONGER),
    Guarded("codec.Text: it names a position", "k:play:{game}:1:0", NO_LONGER),
    Guarded("codec.Number: it names a move", "k:play:again/1/0:1:zzz", NO_LONGER),
    Guarded("practice._reviewed: they have reviewed the match", "k:play:again/999/0:1:0", NO_REVIEW),
    Guarded("practice._reviewed: it names a decision", "k:play:again/x:1:0", STALE),
    Guarded("practice._asked: they practise it", "k:play:review/999/9:1:0", "You missed nothing so far"),
    Guarded("codec.Reference.read: nothing follows the menu's verb", "l:menu:escoba", NO_LONGER),
    Guarded("codec.OneOf: there is such a lesson", "l:open:chess:0:0", NO_LONGER),
    Guarded("codec.Number: it names a step", "l:try:escoba:x!:0:7o", NO_LONGER),
    Guarded("lessons.attempt: it has an answer", "l:try:escoba:0:0", "step 1 of"),
    Guarded("codec.Day: there is such a day", "d:open:20260230:0", NO_LONGER),
    Guarded("day._page: it has come", "d:open:20990101:0", NO_POSITION),
    Guarded("day._page: it can still be solved", "d:move:20250101:0", "That puzzle is too old."),
    Guarded("day.move: there is such a move", "d:move:20260101:rr", STALE),
    Guarded("day.share: they have answered", "d:share:20260101:0", STALE),
    Guarded("presenter.open_end: the game was played here", "e:panel:99:0", OVER),
    Guarded("press.GamePress.argument: it is there", "e:card:{game}:{now}", STALE),
    Guarded("questions.answer: the question is a number", "e:agree:{game}:0:x", STALE),
    Guarded("questions.answer: that question is open", "e:disagree:{game}:0:3", STALE),
    Guarded("questions.take_seat: the seat is a number", "e:takeseat:{game}:0:x", STALE),
    Guarded("questions.asked: a quick match has no pauses", "e:pause:{game}:0", STALE, ["7"]),
    Guarded("questions.resumed: there is a pause", "e:resume:{game}:0", STALE),
    Guarded("decide: there is a win to take", "e:takewin:{game}:0", STALE),
    Guarded("decide: the match can be claimed", "e:claimall:{game}:{now}", STALE),
    Guarded("press.card_of: it names a card", "e:card:{game}:{now}:13o", STALE),
    Guarded("match.take: the cards are a set", "e:take:{game}:{now}:{held}:zzzzzzzzz", STALE),
    Guarded("match.take: it names what takes them", "e:take:{game}:{now}:any:1", STALE),
    Guarded("match.choose: the cards are a set", "e:choose:{game}:{now}:any:zzzzzzzzz", STALE),
    Guarded("match._touched: the choice was begun in this turn", "e:choose:{game}:0:any:1", STALE),
    Guarded("match.pick: the cards are a set", "e:pick:{game}:{now}:any:zzzzzzzzz:0", STALE, []),
    Guarded("match.pick: the menu has a number", "e:pick:{game}:{now}:any:0:x", STALE, []),
    Guarded("match.react: there is such a face", "e:react:{game}:0:shout", STALE),
    Guarded("match.vote: the round is a number", "e:wins:{game}:0:x:0", STALE),
    Guarded("match.vote: the side is a number", "e:wins:{game}:0:1:x", STALE),
    Guarded("crowd.Ballot.press: there is such a side", "e:wins:{game}:0:1:2", STALE),
    Guarded("opening._wanted: the target is a number", "e:clearyes:{game}:0:0:x", STALE),
    Guarded("opening._wanted: the target may be played to", "e:clearyes:{game}:0:0:999", STALE),
    Guarded("opening._wanted: there are such rules", "e:clearyes:{game}:0:chess:0", STALE),
    Guarded("Choice.read: the menu has such an option", "m:turn_notice", STALE, ["loudly"]),
    Guarded("holidays.remove_holiday: there is such a holiday", "m:holidays", STALE, ["2026-01-01"]),
    Guarded("screen.Screen: they may manage the server", "s:preset", NOT_MANAGER, ["quince"]),
)
BY_A_STRANGER = (
    Guarded("match._touched: they have a seat", "e:choose:{game}:{now}:any:1", NO_SEAT),
    Guarded("ending.ask_to_cancel: they may end the game", "e:cancel:{game}:0", NEEDS_EVERYBODY),
    Guarded("privacy.answer: it was asked in private", "p:eraseyes", "Your data"),
)
IN_THE_LOBBY_BY_A_STRANGER = (
    Guarded("lobby.open_rules: they have a seat", "e:rules:{game}:0", NO_SEAT),
    Guarded("presenter.open_panel: they have a seat", "e:hand:{game}:0", NO_SEAT),
)
IN_THE_LOBBY = (
    Guarded("lobby.choose_target: it is a number", "e:target:{game}:{now}", STALE, ["x"]),
    Guarded("lobby.choose_target: it is a number in digits", "e:target:{game}:{now}", STALE, ["²"]),
    Guarded("lobby.choose_partner: it is a number", "e:partner:{game}:{now}", STALE, ["x"]),
    *(
        Guarded(f"rules._menu: {menu} has such a choice", f"e:{menu}:{{game}}:{{now}}", STALE, ["chess"])
        for menu in ("preset", "capture", "duty", "opening", "prime", "seats")
    ),
    Guarded("rules.show_rule: there is such a rule", "e:rule:{game}:0", STALE, ["chess"]),
    Guarded("rules._menu: something was chosen", "e:preset:{game}:{now}", STALE, []),
)


async def let_through(
    here: Room, person: Person, message: discord.Message, clicks: Sequence[Guarded]
) -> list[tuple[str, str]]:
    """The guards whose click changes something or gets another answer than expected, each with the actual answer."""
    seat = here.table.seat_of(person.id)
    view = None if seat is None else here.table.seat_view(seat)
    names = {
        "game": base36(here.table.id),
        "now": base36(here.table.view().version),
        "held": "" if view is None else str(next(iter(view.hand))),
    }
    found: list[tuple[str, str]] = []
    before = here.table.version, here.public_text
    for each in clicks:
        result = await forge(person, message, each.custom_id.format(**names), each.values)
        said = "nothing" if result.response is None else text_of(result.response)
        if each.answer not in said or (here.table.version, here.public_text) != before:
            found.append((each.guard, said))
    return found


async def test_each_guard_of_a_match_stops_the_click_that_it_is_for(room_of: RoomOf):
    async with room_of(3) as here:
        await here.begin(2)
        player, stranger = here.people[turn_of(here)], here.people[2]
        assert await let_through(here, player, here.panel(player), BY_THE_PLAYER_AT_TURN) == []
        assert await let_through(here, stranger, here.shown, BY_A_STRANGER) == []


async def test_each_guard_of_a_lobby_stops_the_click_that_it_is_for(room_of: RoomOf):
    async with room_of(2) as here:
        ana = await here.lobby()
        await here.options(ana, "rules")
        assert await let_through(here, ana, ana.panel(here.channel), IN_THE_LOBBY) == []
        assert await let_through(here, here.people[1], here.shown, IN_THE_LOBBY_BY_A_STRANGER) == []


async def test_menus_take_only_what_they_offer(room_of: RoomOf):
    """The guards of `Choice.read`, `settings`, `role_settings`, `ranking.order_by` and `ranking.count`."""
    async with room_of(1) as here:
        ana = here.people[0]
        here.env.backend.get_guild(here.world.guild.id).owner_id = ana.id
        await here.bot.parts.guild_settings.change(
            here.world.guild.id, ClubSettings, podium_role=1
        )  # one more setting is listed
        before = await here.bot.parts.guild_settings.of(here.world.guild.id, Choices)
        await ana.slash(here.channel, "escoba settings")
        await forge(ana, ana.panel(here.channel), "s:change", ["chess"])
        assert STALE in here.private_text(ana)
        for menu in (page.choice for page in SERVER_PAGES.pages if page.choice.field in page.handlers):
            await here.setting(ana, menu.field)
            result = await forge(ana, ana.panel(here.channel), f"s:{menu.field}", ["chess"])
            assert result.response is not None
            assert STALE in text_of(result.response), menu.field
        assert await here.bot.parts.guild_settings.of(here.world.guild.id, Choices) == before
        await ana.slash(here.channel, "escoba leaderboard")
        page = here.private_text(ana)
        for menu in ana.selects(ana.panel(here.channel)):
            await forge(ana, ana.panel(here.channel), menu.custom_id, ["chess"])
            assert here.private_text(ana) == page, menu.custom_id


async def test_a_form_that_the_bot_never_opens_does_nothing(room_of: RoomOf):
    """The guard of `dispatch.handler_of`."""
    async with room_of(1) as here:
        ana = await here.lobby()
        before = here.table.version
        for custom_id in ("e:start:1:1", "e:aim:1", "aim", ""):
            await forge_form(ana, here.channel, custom_id, [])
            assert NO_LONGER in here.private_text(ana), custom_id
        assert here.table.version == before


class TestTheIdMustBeOnTheClickedMessage:
    """The guard of `dispatch.dispatch`."""

    async def test_a_card_of_the_panel_cannot_be_played_on_the_table_message(self, room_of: RoomOf):
        async with room_of(2) as here:
            await here.begin()
            card, player = a_card(here)
            before = here.table.version
            await forge(player, here.shown, card, among=components_of(here.shown))
            assert NO_LONGER in here.private_text(player)
            assert here.table.version == before

    async def test_a_message_that_comes_without_its_components_is_believed(self, room_of: RoomOf):
        async with room_of(2) as here:
            await here.begin()
            card, player = a_card(here)
            before = here.table.version
            await forge(player, here.panel(player), card, among=[])
            assert here.table.version == before + 1
            await forge(player, here.shown, f"e:hand:{base36(here.table.id)}:0", among=[])
            assert YOUR_HAND in here.private_text(player)


def turn_of(here: Room) -> int:
    """The index of the person whose turn it is."""
    match = here.table.view().match
    assert match is not None
    assert match.turn is not None
    return match.turn


def a_card(here: Room) -> tuple[str, Person]:
    """The custom_id of a card on the panel of the player whose turn it is, and that player."""
    player = here.people[turn_of(here)]
    return next(each.custom_id for each in player.buttons(here.panel(player)) if ":card:" in each.custom_id), player
