"""The private options of a lobby, and what a challenge shares with them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.club.store.ratings import Ratings
from bot.platform.kit.codec import number_in
from bot.platform.kit.interactions import member_of, members_in
from bot.platform.layout import Layout, notice
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.permissions import may_moderate
from bot.platform.transport.reply import is_private
from bot.players import Level
from bot.tables.boards.public_message import pointer_to_thread, stakes_in
from bot.tables.clicks.aside import set_aside
from bot.tables.clicks.press import GamePress, at_table, form_at_table
from bot.tables.ids.game import Verb
from bot.tables.live.manager import TableManager
from bot.tables.log.actions import (
    Action,
    ChangeComputer,
    ChooseGuests,
    ChoosePartner,
    Configure,
    SetHints,
    SetRated,
    TakeOff,
)
from bot.tables.log.events import LARGEST_CAPACITY, Config, Guests, Phase
from bot.tables.log.target import with_target
from bot.tables.refusals import TableRefusal
from bot.tables.screens.lobby import FRIENDLY, RATED
from bot.tables.screens.options import (
    MOST_GUESTS,
    NOBODY,
    OFF,
    ON,
    OTHER,
    ROUND,
    TARGET,
    TEMPO,
    options_layout,
    target_form,
)


@at_table(Verb.OPTIONS)
async def open_options(press: GamePress) -> None:
    """Show the options: the button "Options", or "Back" from the rules."""
    if press.table.phase is not Phase.LOBBY:
        raise Refusal(TableRefusal.LOBBY_OVER)
    await press.reply.update_private(await options_of(press))


async def options_of(press: GamePress, note: str | None = None) -> Layout:
    """The options as they are now, for the person who pressed."""
    host, view = press.host, press.table.view()
    stakes = await stakes_in(view, host.of(Ratings), host.of(TableManager).now())
    moderator = may_moderate(press.interaction)
    return options_layout(view, press.person.id, press.t, stakes, moderator=moderator, note=note)


async def agree(press: GamePress, action: Action, shown: Callable[[str | None], Awaitable[Layout]]) -> None:
    """Change something about the lobby, and answer with the private screen it was chosen on.

    Where nothing can be changed any more, only the refusal is left of that screen.

    Args:
        press: the choice.
        action: what it does.
        shown: lays out the screen as it is now; gets why the choice was refused, if it was.
    """
    table = press.table
    note = None
    try:
        await table.submit(action)
    except Refusal as error:
        note = error.reason(press.t)
        if error.code in (TableRefusal.NOT_SEATED, TableRefusal.GAME_OVER, TableRefusal.LOBBY_OVER):
            await press.reply.update_private(notice(note))
            return
    await press.reply.update_private(await shown(note))


async def _change(press: GamePress, action: Action) -> None:
    """Change something about the lobby, from its options or from a challenge's message."""
    if press.interaction.message is None or is_private(press.interaction):  # a forged form may come from no message
        await agree(press, action, lambda note: options_of(press, note))
        return
    async with press.answering():
        await press.table.submit(action)


@at_table(Verb.RATED)
async def set_rated(press: GamePress) -> None:
    """Make the match rated or friendly."""
    if press.argument() not in (RATED, FRIENDLY):
        raise Refusal(CommonRefusal.STALE)
    await _change(press, SetRated(press.person, press.argument() == RATED, may_moderate(press.interaction)))


@at_table(Verb.HINTS)
async def set_hints(press: GamePress) -> None:
    """Allow hints in a friendly match, or not."""
    if press.argument() not in (ON, OFF):
        raise Refusal(CommonRefusal.STALE)
    await _change(press, SetHints(press.person, press.argument() == ON))


@at_table(Verb.COMPUTER)
async def change_computer(press: GamePress) -> None:
    """Seat a computer player of another level in place of one, or remove it."""
    seat = number_in(press.argument())
    if seat is None or press.value not in (NOBODY, *Level):
        raise Refusal(CommonRefusal.STALE)
    level = None if press.value == NOBODY else Level(press.value)
    await _change(press, ChangeComputer(press.person, press.ref.version, seat, level))


@at_table(Verb.TARGET)
async def choose_target(press: GamePress) -> None:
    """Set the points to play to, or ask for any other number."""
    if press.value == OTHER:
        await press.reply.modal(target_form(press.table.view(), press.ref, press.t))
    elif press.value == ROUND:
        config = press.table.view().config
        await _configure(press, replace(config, rules=replace(config.rules, rounds=1)))
    else:
        await _play_to(press, TARGET.read(press.value))


@form_at_table(Verb.TARGET)
async def set_target(press: GamePress, written: Sequence[str]) -> None:
    """Set the target that somebody typed; anything but a number is refused as a target."""
    await _play_to(press, number_in(next(iter(written), "").strip()) or 0)


async def _play_to(press: GamePress, target: int) -> None:
    view = press.table.view()
    await _configure(press, with_target(view.config, target, slow=view.slow))


@at_table(Verb.TEMPO)
async def choose_tempo(press: GamePress) -> None:
    """Set how long a turn may take; a slow table leaves its channel."""
    config = replace(press.table.view().config, tempo=TEMPO.read(press.value))
    await agree(press, Configure(press.person, press.ref.version, config), partial(_options_aside, press))


async def _options_aside(press: GamePress, note: str | None) -> Layout:
    """The options with a new pace, or where the lobby is if that has moved it to a thread."""
    if note is None and await set_aside(press.interaction, press.table):
        return pointer_to_thread(press.table, press.t)
    return await options_of(press, note)


@at_table(Verb.FORCED)
async def switch_forced(press: GamePress) -> None:
    """Have cards without a choice play themselves, or not."""
    config = press.table.view().config
    await _configure(press, replace(config, forced=not config.forced))


@at_table(Verb.SERIES)
async def switch_series(press: GamePress) -> None:
    """Make the match one of a best of three, or not."""
    config = press.table.view().config
    await _configure(press, replace(config, best_of_three=not config.best_of_three))


@at_table(Verb.TEAMS)
async def switch_teams(press: GamePress) -> None:
    """Switch four players between each for themselves and two pairs, six between three pairs and two sides of three."""
    view = press.table.view()
    config = view.config
    if len(view.seats) == LARGEST_CAPACITY:
        await _configure(press, replace(config, threes=not config.threes))
    else:
        await _configure(press, replace(config, teams=not config.teams))


async def _configure(press: GamePress, config: Config) -> None:
    await _change(press, Configure(press.person, press.ref.version, config))


@at_table(Verb.PARTNER)
async def choose_partner(press: GamePress) -> None:
    """Make the holder of the chosen seat the person's partner."""
    if (seat := number_in(press.value)) is None:
        raise Refusal(CommonRefusal.STALE)
    await _change(press, ChoosePartner(press.person, press.ref.version, seat))


@at_table(Verb.GUESTS)
async def choose_guests(press: GamePress) -> None:
    """Have only the chosen people and the holders of the chosen roles sit down, or everyone if none is chosen."""
    chosen = press.values[:MOST_GUESTS]
    members = members_in(press.interaction)
    people = tuple(member_of(members[each]) for each in chosen if each in members and not members[each].get("bot"))
    roles = tuple(number for each in chosen if each not in members and (number := number_in(each)))
    guests = Guests(people, roles) if people or roles else None
    if chosen and guests is None:
        raise Refusal(CommonRefusal.STALE)
    await _change(press, ChooseGuests(press.person, guests, may_moderate(press.interaction)))


@at_table(Verb.TAKE_OFF)
async def take_off(press: GamePress) -> None:
    """Take the holder of the chosen seat off the lobby."""
    if (seat := number_in(press.value)) is None:
        raise Refusal(CommonRefusal.STALE)
    await _change(press, TakeOff(press.person, press.ref.version, seat, may_moderate(press.interaction)))
