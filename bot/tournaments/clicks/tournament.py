"""People's presses in a tournament: signing up, checking in, where they play, standings, and withdrawing."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.platform.kit.codec import number_in
from bot.platform.kit.screen import Handling, Press, Screen
from bot.platform.people import safe
from bot.platform.refusals import Refusal
from bot.platform.transport.permissions import may_moderate, may_organise
from bot.platform.transport.reply import is_private
from bot.tables.screens.guide import guide_layout
from bot.tournaments.ids.tournament import MANAGERS, TournamentRef, TournamentVerb
from bot.tournaments.live.running import LiveTournament
from bot.tournaments.parts import TournamentParts
from bot.tournaments.refusals import TournamentRefusal
from bot.tournaments.rules.log import (
    Answer,
    CheckIn,
    Enter,
    JoinPartner,
    LeaveEntry,
    TournamentAction,
    Withdraw,
)
from bot.tournaments.rules.tournament import TournamentStage
from bot.tournaments.screens.manage import manage_layout
from bot.tournaments.screens.own import own_layout, partner_layout, withdraw_question
from bot.tournaments.screens.standings import standings_layout, sums_layout


class TournamentPress(Press):
    """A press on a button or menu of a tournament; `ref` is what its custom_id refers to."""

    def __init__(self, interaction: discord.Interaction[Any], ref: TournamentRef) -> None:
        super().__init__(interaction)
        self.ref = ref

    async def live(self) -> LiveTournament:
        """The tournament, which may be over.

        Raises:
            Refusal: if there is none with that number on the server, or it isn't kept any more.
            StoreError: if it can't be read.
        """
        live = await self.host.of(TournamentParts).tournaments.find(self.ref.id)
        if live is None or live.guild_id != self.guild_id:
            raise Refusal(TournamentRefusal.OVER)
        return live

    def manages(self, live: LiveTournament) -> bool:
        """Whether the person may do everything that the organiser may."""
        return live.state.organiser.id == self.person.id or may_organise(self.interaction)

    async def managed(self) -> LiveTournament:
        """The tournament, for somebody who may manage it.

        Raises Refusal for anybody else, or if there is none; StoreError if it can't be read.
        """
        live = await self.live()
        if not self.manages(live):
            raise Refusal(TournamentRefusal.NOT_ORGANISER)
        return live

    async def submit(self, live: LiveTournament, action: TournamentAction) -> None:
        if action.counted:
            self.count_change()
        await live.submit(action, manages=self.manages(live), moderates=may_moderate(self.interaction))

    def chosen(self) -> int:
        """The number that was chosen in a menu. Raises Refusal if nothing was, or something else."""
        number = number_in(self.value)
        if number is None:
            raise Refusal(TournamentRefusal.NO_TABLE)
        return number

    async def show_own(self, live: LiveTournament, note: str | None = None) -> None:
        """Answer with where the person stands, for them alone."""
        await self.reply.update_private(own_layout(live.view(), self.person.id, self.t, note))

    async def show_managed(self, live: LiveTournament, note: str | None = None) -> None:
        """Answer with what can be done about the tournament, for somebody who manages it."""
        now = self.host.tools.clock.now()
        await self.reply.update_private(manage_layout(live.view(), self.t, now, note))


def check_may_change(live: LiveTournament) -> None:
    """Check that the set-up may still be changed: nothing has been drawn.

    Raises Refusal if something has, or the tournament is over.
    """
    if live.state.rounds or not live.open:
        raise Refusal(TournamentRefusal.SETTLED if live.open else TournamentRefusal.OVER)


SCREEN: Final = Screen("tournaments", TournamentRef)
H = TypeVar("H", bound=Callable[[TournamentPress, LiveTournament], Handling])
F = TypeVar("F", bound=Callable[[TournamentPress, LiveTournament, Sequence[str]], Handling])


def in_tournament(*verbs: TournamentVerb) -> Callable[[H], H]:
    """Decorate the handler of these buttons or menus of a tournament, which gets it for those who may press them."""

    def add(handler: H) -> H:
        for verb in verbs:
            SCREEN.handlers[verb] = partial(_handle, verb, handler)
        return handler

    return add


def form_in_tournament(verb: TournamentVerb) -> Callable[[F], F]:
    """Decorate the handler of a form of a tournament."""

    def add(handler: F) -> F:
        SCREEN.forms[verb] = partial(_handle, verb, handler)
        return handler

    return add


async def _handle(
    verb: TournamentVerb, handler: Callable[..., Handling], press: Press, ref: TournamentRef, *written: Sequence[str]
) -> None:
    press = TournamentPress(press.interaction, ref)
    await handler(press, await (press.managed() if MANAGERS in verb.marks else press.live()), *written)


async def _show_tournament(press: TournamentPress, live: LiveTournament, note: str) -> None:
    """Answer with the clicked message as it is now. Where that doesn't name the person, tell them in private."""
    message = press.interaction.message
    if message is None or is_private(press.interaction) or live.state.stage is TournamentStage.PLAYING:
        await press.show_own(live, note)
    else:
        await press.host.of(TournamentParts).boards.of(live).answer(press.reply, message.id)


@in_tournament(TournamentVerb.JOIN, TournamentVerb.YES)
async def join(press: TournamentPress, live: LiveTournament) -> None:
    """Enter the tournament, as somebody who was asked to as well; if it is for pairs, ask with whom."""
    state, own = live.state, live.state.entry_of(press.person.id)
    returns = any(
        entry.gone is not None and not entry.barred and state.complete(entry)
        for entry in state.entries
        if any(person.id == press.person.id for person in entry.people)
    )
    asks = state.setup.pairs and state.stage.open and not returns and (own is None or not state.complete(own))
    if asks:
        await press.reply.update_private(partner_layout(live.view(), press.person.id, press.t))
        return
    await press.submit(live, Enter(press.person))
    await _show_tournament(press, live, _entered(press, live))


def _entered(press: TournamentPress, live: LiveTournament) -> str:
    entry = live.state.entry_of(press.person.id)
    at_once = entry is not None and live.state.open_pairing(entry) is not None
    if live.state.stage is TournamentStage.PLAYING and not at_once:
        return press.t("You play from the next round on.")
    return press.t("You're in.")


@in_tournament(TournamentVerb.ALONE)
async def enter_alone(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, Enter(press.person))
    await press.show_own(live, _entered(press, live))


@in_tournament(TournamentVerb.PARTNER)
async def join_partner(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, JoinPartner(press.person, press.chosen()))
    await press.show_own(live, _entered(press, live))


@in_tournament(TournamentVerb.LEAVE)
async def leave(press: TournamentPress, live: LiveTournament) -> None:
    """Leave the tournament, or say no to being asked."""
    await press.submit(live, LeaveEntry(press.person))
    await _show_tournament(press, live, press.t("You left the tournament."))


@in_tournament(TournamentVerb.AGREE)
async def agree(press: TournamentPress, live: LiveTournament) -> None:
    await _answer(press, live, press.t("You agreed, and it is noted."), agrees=True)


@in_tournament(TournamentVerb.DECLINE)
async def decline(press: TournamentPress, live: LiveTournament) -> None:
    await _answer(press, live, press.t("You haven't agreed: the result stays as it is."), agrees=False)


async def _answer(press: TournamentPress, live: LiveTournament, note: str, *, agrees: bool) -> None:
    round, table, number = (press.ref.number(place) or 0 for place in range(3))
    try:
        await press.submit(live, Answer(press.person, round, table, number, agrees=agrees))
    except Refusal as error:
        note = error.reason(press.t)
    await press.show_own(live, note)
    press.host.of(TournamentParts).boards.corrected(live)


@in_tournament(TournamentVerb.HERE)
async def check_in(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, CheckIn(press.person))
    await _show_tournament(press, live, press.t("You are checked in."))


@in_tournament(TournamentVerb.MINE, TournamentVerb.KEEP)
async def show_own(press: TournamentPress, live: LiveTournament) -> None:
    await press.show_own(live)


@in_tournament(TournamentVerb.WITHDRAW)
async def ask_to_withdraw(press: TournamentPress, live: LiveTournament) -> None:
    if live.state.entry_of(press.person.id) is None:
        raise Refusal(TournamentRefusal.NOT_ENTERED)
    if not live.open:  # the screen is an old one
        await press.show_own(live)
        return
    await press.reply.update_private(withdraw_question(live.view(), press.person.id, press.t))


@in_tournament(TournamentVerb.CONFIRM_WITHDRAW)
async def withdraw(press: TournamentPress, live: LiveTournament) -> None:
    await press.submit(live, Withdraw(press.person))
    await press.show_own(live)


@in_tournament(TournamentVerb.STANDINGS)
async def show_standings(press: TournamentPress, live: LiveTournament) -> None:
    display = press.display
    await press.answer(standings_layout(live.view(), press.ref.number(0) or 0, display))


@in_tournament(TournamentVerb.SUMS)
async def show_sums(press: TournamentPress, live: LiveTournament) -> None:
    """Show what an entry's figures are made up of."""
    layout = sums_layout(live.view(), press.chosen(), press.ref.number(0) or 0, press.t)
    if layout is None:
        raise Refusal(TournamentRefusal.NO_TABLE)
    await press.answer(layout)


@in_tournament(TournamentVerb.RULES)
async def show_rules(press: TournamentPress, live: LiveTournament) -> None:
    setup = live.state.setup
    own = None if setup.own is None else safe(setup.own.name)
    await press.reply.send_private(guide_layout(setup.preset, setup.rules, press.t, own))
