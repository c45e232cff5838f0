"""The one place where a custom_id is read: finds its handler, and answers unknown and forged ones."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.ui.club.clicks import ranking, stats
from bot.ui.club.screens import ranking as ranking_screens
from bot.ui.club.screens.ranking import LeaderboardRef
from bot.ui.kit.ids import game as ids
from bot.ui.kit.ids import lesson as lesson_ids
from bot.ui.kit.ids import practice as practice_screens
from bot.ui.kit.ids import replay as replay_ref
from bot.ui.kit.ids import review as review_ids
from bot.ui.kit.ids import sheet as sheet_ids
from bot.ui.kit.ids import stats as stats_ref
from bot.ui.kit.ids import tournament as tournament_ids
from bot.ui.kit.ids.game import Ref, Verb
from bot.ui.kit.ids.lesson import LessonRef
from bot.ui.kit.ids.practice import PracticeRef
from bot.ui.kit.ids.replay import ReplayRef
from bot.ui.kit.ids.review import ReviewRef
from bot.ui.kit.ids.sheet import SheetRef
from bot.ui.kit.ids.stats import StatsRef
from bot.ui.kit.ids.tournament import Draft, TournamentRef, TournamentVerb
from bot.ui.kit.interactions import respond
from bot.ui.kit.press import Handler, Press, R, RefHandler, managers_only
from bot.ui.layout import notice
from bot.ui.replays.clicks import replay, verify
from bot.ui.server.clicks import club_settings, day_settings, guild_settings, me, own_rules, privacy, season_settings
from bot.ui.server.screens import guild_settings as settings_screens
from bot.ui.server.screens import me as me_screens
from bot.ui.server.screens import own_rules as own_rules_screens
from bot.ui.server.screens import privacy as privacy_screens
from bot.ui.server.screens.own_rules import OwnRulesRef, OwnRulesVerb
from bot.ui.tables.clicks import ending, finding, lobby, opening, rules
from bot.ui.tables.clicks import match as matches
from bot.ui.tables.clicks.press import GameHandler, GamePress
from bot.ui.tournaments.clicks import manage as tournament_manage
from bot.ui.tournaments.clicks import setup as tournament_setup
from bot.ui.tournaments.clicks import sheet, tournament
from bot.ui.training.clicks import coach, day, lessons, practice
from bot.ui.training.screens import day as day_screens
from bot.ui.training.screens.day import DayRef
from bot.ui.transport.reply import private_words, reply_to

GAME: Final[Mapping[str, GameHandler]] = {
    **lobby.HANDLERS,
    **finding.HANDLERS,
    **matches.HANDLERS,
    **ending.HANDLERS,
    **opening.HANDLERS,
    **rules.HANDLERS,
    **coach.GAME_HANDLERS,
    **lessons.GAME_HANDLERS,
}
"""The handlers of a game's buttons and menus, by their verbs."""

_SETTINGS: Final[Mapping[str, Handler]] = {
    **guild_settings.HANDLERS,
    **day_settings.HANDLERS,
    **season_settings.HANDLERS,
    **club_settings.HANDLERS,
}
_TOURNAMENT: Final = {**tournament.HANDLERS, **tournament_manage.HANDLERS}
ClickHandler = Callable[[discord.Interaction[Any]], Coroutine[Any, Any, None]]
Reader = Callable[[str, list[str]], ClickHandler | None]
"""Finds the handler for a custom_id's verb and arguments; None if there is none, or the arguments make no sense."""


async def dispatch(interaction: discord.Interaction[Any]) -> None:
    """Handle a click or a form, and answer it whatever happens. The command tree handles commands."""
    custom_id = str((interaction.data or {}).get("custom_id", ""))
    if interaction.type is discord.InteractionType.modal_submit:
        await respond(interaction, _form(interaction, custom_id))
    elif interaction.type is discord.InteractionType.component and interaction.message is not None:
        handler = handler_of(custom_id)
        shown = interaction.message.components
        if handler is None or (shown and custom_id not in _custom_ids(shown)):  # a message may come without components
            handler = _unknown
        await respond(interaction, handler(interaction))


def handler_of(custom_id: str) -> ClickHandler | None:
    """The handler of a click on a button or menu; None if the bot has no such button or menu."""
    kind, _, rest = custom_id.partition(":")
    name, *parts = rest.split(":")
    read = _KINDS.get(kind)
    return None if read is None else read(name, parts)


def _of_game(verb: str, parts: list[str]) -> ClickHandler | None:
    handler, ref = GAME.get(verb), Ref.read(parts)
    if handler is None or ref is None:
        return None

    async def handle(interaction: discord.Interaction[Any]) -> None:
        press = GamePress(interaction, ref)
        await press.host.manager.wake(ref.game)  # it may sleep in a thread of the channel
        await handler(press)

    return handle


def _of_lesson(verb: str, parts: list[str]) -> ClickHandler | None:
    if not parts:
        return _of_verb(lessons.MENU)(verb, parts)
    return _with_ref(lessons.HANDLERS, partial(LessonRef.read, verb))(verb, parts)


def _of_tournament(verb: str, parts: list[str]) -> ClickHandler | None:
    setting_up = _with_ref(tournament_setup.HANDLERS, Draft.read)(verb, parts)
    if setting_up is not None:
        return setting_up
    handler, ref = _TOURNAMENT.get(verb), TournamentRef.read(parts)
    if handler is None or ref is None:
        return None
    return lambda interaction: handler(tournament.TournamentPress(interaction, ref))


def _with_ref(
    handlers: Mapping[str, RefHandler[R]], read_ref: Callable[[list[str]], R | None], otherwise: Reader | None = None
) -> Reader:
    """Reads custom_ids that refer to something; `otherwise` reads those that don't."""

    def read(verb: str, parts: list[str]) -> ClickHandler | None:
        handler, ref = handlers.get(verb), read_ref(parts)
        if handler is None or ref is None:
            return None if otherwise is None else otherwise(verb, parts)
        return lambda interaction: handler(Press(interaction), ref)

    return read


def _of_verb(handlers: Mapping[str, Handler]) -> Reader:
    """Reads custom_ids that are a verb and nothing else."""

    def read(name: str, parts: list[str]) -> ClickHandler | None:
        handler = handlers.get(name)
        return None if handler is None or parts else lambda interaction: handler(Press(interaction))

    return read


_KINDS: Final[Mapping[str, Reader]] = {
    ids.GAME: _of_game,
    ranking_screens.KIND: _with_ref(ranking.HANDLERS, LeaderboardRef.read),
    review_ids.KIND: _with_ref(coach.HANDLERS, ReviewRef.read),
    stats_ref.KIND: _with_ref(stats.HANDLERS, StatsRef.read),
    practice_screens.KIND: _with_ref(practice.REF_HANDLERS, PracticeRef.read, _of_verb(practice.HANDLERS)),
    lesson_ids.KIND: _of_lesson,
    tournament_ids.KIND: _of_tournament,
    day_screens.KIND: _with_ref(day.HANDLERS, DayRef.read),
    sheet_ids.KIND: _with_ref(sheet.HANDLERS, SheetRef.read),
    replay_ref.KIND: _with_ref({**replay.HANDLERS, **verify.HANDLERS}, ReplayRef.read),
    settings_screens.KIND: _of_verb(managers_only(_SETTINGS)),
    own_rules_screens.KIND: _with_ref(managers_only(own_rules.HANDLERS), OwnRulesRef.read),
    me_screens.KIND: _of_verb(me.HANDLERS),
    privacy_screens.KIND: _of_verb(privacy.HANDLERS),
}


async def _form(interaction: discord.Interaction[Any], custom_id: str) -> None:
    """Handle a form: for a target, for the name of a server's own rules, or for the points of a tournament's table."""
    kind, _, rest = custom_id.partition(":")
    verb, *parts = rest.split(":")
    written = list(_written((interaction.data or {}).get("components", ())))
    if (kind, verb) == (ids.GAME, Verb.AIM) and (ref := Ref.read(parts)) is not None:
        await rules.set_target(GamePress(interaction, ref), next(iter(written), ""))
    elif (kind, verb) == (ids.GAME, Verb.SAVE_RULES) and (ref := Ref.read(parts)) is not None:
        await rules.save(GamePress(interaction, ref), next(iter(written), ""))
    elif (kind, verb) == (own_rules_screens.KIND, OwnRulesVerb.RENAME) and (own := OwnRulesRef.read(parts)) is not None:
        await own_rules.rename(Press(interaction), own, next(iter(written), ""))
    elif (kind, verb) == (tournament_ids.KIND, TournamentVerb.POINTS) and (of := TournamentRef.read(parts)) is not None:
        await tournament_manage.set_points(tournament.TournamentPress(interaction, of), written)
    else:
        await _unknown(interaction)


async def _unknown(interaction: discord.Interaction[Any]) -> None:
    """Answer a click on a component of an older version of the bot, or a forged one."""
    t = private_words(interaction)
    text = t("That button is no longer in use. `/escoba table` shows the game as it stands.")
    await reply_to(interaction).send_private(notice(text))


def _written(components: Iterable[Any]) -> Iterator[str]:
    """What was typed into a form's fields, as Discord sends it."""
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
