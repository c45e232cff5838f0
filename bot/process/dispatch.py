"""The one place where a custom_id is read: finds its handler, and answers unknown and forged ones."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import discord

from bot.club.clicks import ranking, stats
from bot.platform.kit.interactions import respond
from bot.platform.kit.screen import ClickHandler, Screen
from bot.platform.layout import notice
from bot.platform.transport.reply import private_words, reply_to
from bot.privacy.clicks import privacy
from bot.process.setting_pages import OWN_PAGES, SERVER_PAGES
from bot.replays.clicks import replay
from bot.tables.clicks import alone, ending, finding, lobby, match, opening, options, own_rules, press, rules
from bot.tournaments.clicks import appointment, corrections, manage, setup, sheet, tournament
from bot.training.clicks import coach, day, lessons, practice

SCREENS: Final[tuple[Screen[Any], ...]] = (
    press.SCREEN,
    ranking.SCREEN,
    stats.SCREEN,
    setup.SCREEN,
    tournament.SCREEN,
    sheet.SCREEN,
    day.SCREEN,
    practice.HOME,
    practice.SCREEN,
    lessons.MENU,
    lessons.SCREEN,
    coach.SCREEN,
    replay.SCREEN,
    SERVER_PAGES.screen("settings", managers_only=True),
    own_rules.SCREEN,
    OWN_PAGES.screen("preferences"),
    privacy.SCREEN,
)
"""All kinds of screens that have buttons, menus or forms."""
_ADDING: Final = (
    *(alone, ending, finding, lobby, match, opening, options, rules),
    *(appointment, corrections, manage),
)
"""The other modules with handlers: they add them to these screens when they are imported."""
for _screen in SCREENS:
    _screen.check_complete()
_BY_VERB: Final = {(each.refers_to.kind, str(verb)): each for each in SCREENS for verb in each.refers_to.verbs}


async def dispatch(interaction: discord.Interaction[Any]) -> None:
    """Handle a click or a form, and answer it whatever happens. The command tree handles commands."""
    custom_id = str((interaction.data or {}).get("custom_id", ""))
    if interaction.type is discord.InteractionType.modal_submit:
        handler = handler_of(custom_id, list(_written((interaction.data or {}).get("components", ())))) or _unknown
        await respond(interaction, handler(interaction))
    elif interaction.type is discord.InteractionType.component and interaction.message is not None:
        handler = handler_of(custom_id)
        shown = interaction.message.components
        if handler is None or (shown and custom_id not in _custom_ids(shown)):  # a message may come without components
            handler = _unknown
        await respond(interaction, handler(interaction))


def handler_of(custom_id: str, written: Sequence[str] | None = None) -> ClickHandler | None:
    """The handler of a button, a menu, or a form in which something was `written`; None if the bot has none such."""
    screen = screen_of(custom_id)
    if screen is None:
        return None
    _, verb, *parts = custom_id.split(":")
    return screen.click(verb, parts) if written is None else screen.form(verb, parts, written)


def screen_of(custom_id: str) -> Screen[Any] | None:
    """The kind of screen that a custom_id belongs to; None if there is none with its kind and verb."""
    kind, verb, *_ = (*custom_id.split(":", 2), "")
    return _BY_VERB.get((kind, verb))


async def _unknown(interaction: discord.Interaction[Any]) -> None:
    """Answer a click on a component of an older version of the bot, or a forged one."""
    t = private_words(interaction)
    text = t("That button is out of date. `/escoba table` shows the table as it is now.")
    await reply_to(interaction).send_private(notice(text))


def _written(components: Iterable[Any]) -> Iterator[str]:
    """Yield what was typed into a form's fields, as Discord sends it."""
    for component in components:
        if isinstance(value := component.get("value"), str):
            yield value
        yield from _written(component.get("components", ()))
        yield from _written([inner] if (inner := component.get("component")) else ())


def _custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """The custom_ids of a message's components: a click with any other is forged."""
    for component in components:
        if (custom_id := getattr(component, "custom_id", None)) is not None:
            yield custom_id
        yield from _custom_ids(getattr(component, "children", ()))
        if (accessory := getattr(component, "accessory", None)) is not None:
            yield from _custom_ids((accessory,))
