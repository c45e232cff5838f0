"""The check of how a match was dealt, for one of its players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.platform.kit.press import Press, RefHandler
from bot.platform.refusal import Refusal
from bot.replays.proofs import checked
from bot.replays.refusals import ReplayRefusal
from bot.store.tables.deals import Deals
from bot.store.tables.logs import Games
from bot.ui.ids.replay import ReplayRef, ReplayVerb
from bot.ui.replays.screens.verify import verify_layout


async def check(press: Press, ref: ReplayRef) -> None:
    """Check the match, and show the deck of the round that was chosen in the menu, if one was."""
    games, deals = press.host.of(Games), press.host.of(Deals)
    found = await checked(games, deals, press.server, press.person.id, ref.game)
    if found is None:
        raise Refusal(ReplayRefusal.NO_LOG)
    await press.answer(verify_layout(found, press.t, number=press.number))


HANDLERS: Final[Mapping[str, RefHandler[ReplayRef]]] = {
    ReplayVerb.VERIFY: check,
    ReplayVerb.VERIFY_ROUND: check,
}
