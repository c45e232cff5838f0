"""The choice of a time zone: of a server, for those who may manage it, and of a person."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from bot.platform.kit.screen import Press
from bot.platform.language.calendar import countries_of_zones, zones_for
from bot.platform.language.texts import Words
from bot.platform.people import safe
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.documents import Choices
from bot.platform.settings.language import LanguageSettings
from bot.platform.settings.pages import Pages, ServerPages, SettingPage
from bot.platform.settings.zone_screen import ASK, OWN_ZONE, SERVERS, ZONE, zone_form, zone_layout


def zone_page(pages: type[Pages], kind: type[Choices], which: Choice) -> SettingPage:
    """Make the page of a time zone, a field of some choices."""

    async def ask(press: Press) -> None:
        await press.reply.modal(zone_form(pages.listing, press.t))

    async def read(press: Press, _: object, written: Sequence[str]) -> None:
        """Keep the zone of the city or country that was typed, or offer those that it has."""
        typed = written[0] if written else ""
        found = await asyncio.to_thread(zones_for, typed)  # the first search collects the names in all languages
        if len(found) == 1:
            await keep(press, found[0])
        elif found:
            await show(press, found=found)
        else:
            text = press.t(
                "I know no time zone like “{typed}”. Write a large city near you, or a country.", typed=safe(typed)
            )
            await show(press, (which.field, text))

    async def choose(press: Press) -> None:
        if press.value == SERVERS and which is OWN_ZONE:
            await keep(press, None)
        elif press.value in countries_of_zones():
            await keep(press, press.value)
        else:
            raise Refusal(CommonRefusal.STALE)

    async def keep(press: Press, zone: str | None) -> None:
        await pages.keep(press, which, pages.change(press, kind, **{which.field: zone}), show)

    async def show(press: Press, note: Note | None = None, *, found: Sequence[str] = ()) -> None:
        choices, now = await pages.choices(press, kind), press.host.tools.clock.now()
        await press.reply.update_private(
            zone_layout(pages.listing, which, choices, now, press.t, found=found, note=note)
        )

    return SettingPage(
        choice=which, show=show, kind=kind, value=_value, handlers={ASK: ask, which.field: choose}, forms={ASK: read}
    )


def _value(which: Choice, choices: Any, t: Words) -> str:
    zone: str | None = getattr(choices, which.field)
    return t("As on the server") if zone is None else zone


PAGE: Final = zone_page(ServerPages, LanguageSettings, ZONE)
