"""Kinds of screens: what their buttons refer to, and the presses that their handlers answer."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar, cast

import discord

from bot.platform.kit.codec import PUBLIC, Reference, Verbs, number_in
from bot.platform.kit.host import Display, host_of
from bot.platform.layout import Layout
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.transport.channels import NOBODY
from bot.platform.transport.gallery import EDIT_SECONDS
from bot.platform.transport.permissions import check_manages, check_may_speak, check_may_write, own_language, own_server
from bot.platform.transport.reply import Reply, person_of, private_words, reply_to


def public_locale(interaction: discord.Interaction[Any], chosen: str | None) -> str:
    """The language of public messages: what the server has chosen in the bot, a Community's own, or else the asker's.

    Discord lets only Communities choose a language, and reports American English for every other server.
    """
    return chosen or own_language(interaction.guild) or private_locale(interaction)


def private_locale(interaction: discord.Interaction[Any]) -> str:
    """The language of the asker: their choice in the bot, or else in Discord."""
    return host_of(interaction).language_of(interaction.user.id) or interaction.locale.value


def server_of(interaction: discord.Interaction[Any]) -> int:
    """The server of an interaction, where the bot is installed.

    Raises:
        Refusal: if there is none.
    """
    guild_id = own_server(interaction)
    if guild_id is None:
        raise Refusal(CommonRefusal.NEEDS_SERVER)
    return guild_id


class Press:
    """A press on anything that doesn't belong to a game."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self.interaction = interaction
        self.host = host_of(interaction)
        self.person = person_of(interaction)
        self.t = private_words(interaction)

    @property
    def values(self) -> list[str]:
        """The choice in a menu, as it was sent: a forged click may not come from a menu at all."""
        data = cast("dict[str, Any]", self.interaction.data or {})
        return [value for value in data.get("values", ()) if isinstance(value, str)]

    @property
    def value(self) -> str:
        """The single value that was chosen in a menu; empty if none was."""
        return next(iter(self.values), "")

    @property
    def number(self) -> int:
        """The number that was chosen in a menu; 0 if it isn't one."""
        return number_in(self.value) or 0

    @property
    def server(self) -> int | None:
        """The server where the press was made, if the bot is installed there."""
        return own_server(self.interaction)

    @property
    def guild_id(self) -> int:
        """The server where the press was made.

        Raises:
            Refusal: if there is none.
        """
        return server_of(self.interaction)

    @property
    def reply(self) -> Reply:
        return reply_to(self.interaction)

    @property
    def display(self) -> Display:
        """The way something is shown to the person alone."""
        return self.host.tools.display_for(self.interaction)

    async def public_display(self) -> Display:
        """Find how something is shown to everybody on the server: in its language, and with its deck.

        Raises:
            StoreError: if the server's settings can't be read.
        """
        chosen = await self.host.language_on(self.server)
        return self.host.tools.display(public_locale(self.interaction, chosen), self.server)

    def count_change(self) -> None:
        """Count a change of a lobby or a tournament that can be made again and again.

        Raises:
            Refusal: if the person has made too many.
        """
        self.host.throttle.changes.take_or_refuse(self.person.id, CommonRefusal.TOO_MANY_CHANGES)

    async def answer(self, layout: Layout) -> None:
        """Show a layout to the person alone: on the message they clicked, if only they see that."""
        await self.host.tools.answer(self.interaction, layout)

    async def show_to_all(self, made: Callable[[Display], Layout], *, seconds: float = EDIT_SECONDS) -> None:
        """Show a layout to everybody in the channel, in the language of the server; it pings nobody.

        Without a server Discord alone decides whether the others see it.

        Args:
            made: lays it out as it is shown to everybody.
            seconds: how long it waits for its picture.

        Raises:
            StoreError: if the server's settings can't be read.
            Refusal: if the person or the bot may not write there, or if something was shown there not long ago.
        """
        if self.server is not None:
            check_may_write(self.interaction)
            check_may_speak(self.interaction)
        layout = made(await self.public_display())
        channel_id = self.interaction.channel_id or 0
        self.host.throttle.shows.take_or_refuse(channel_id, CommonRefusal.SHOWN_JUST_NOW)
        send = partial(self.reply.send_public, allowed_mentions=NOBODY)
        await self.host.tools.send(channel_id, layout, self.reply, send, seconds)


R = TypeVar("R", bound=Reference[Any])
Handling = Coroutine[Any, Any, None]
Handler = Callable[[Press], Handling]
RefHandler = Callable[[Press, R], Handling]
"""Handles a press on what a custom_id refers to."""


ClickHandler = Callable[[discord.Interaction[Any]], Coroutine[Any, Any, None]]
FormHandler = Callable[[Press, R, Sequence[str]], Handling]
"""Handles a form: what its custom_id refers to, and what was typed into its fields."""
H = TypeVar("H", bound=RefHandler[Any])
F = TypeVar("F", bound=FormHandler[Any])


@dataclass(frozen=True)
class Screen(Generic[R]):
    """A kind of screen.

    Attributes:
        name: what people call it, in the plural.
        refers_to: what the custom_ids of its buttons, menus and forms carry.
        handlers: what a press of each button or menu does, by its verb; `on` adds them.
        forms: what a submitted form does, by its verb; `on_form` adds them.
        managers_only: whether it is only for people who may manage the server.
    """

    name: str
    refers_to: type[R]
    handlers: dict[str, RefHandler[R]] = field(default_factory=dict[str, RefHandler[R]])
    forms: dict[str, FormHandler[R]] = field(default_factory=dict[str, FormHandler[R]])
    managers_only: bool = False

    @property
    def public(self) -> Collection[str]:
        """The verbs of the buttons that are on messages for everybody."""
        return [verb for verb in self.refers_to.verbs if isinstance(verb, Verbs) and PUBLIC in verb.marks]

    def on(self, *verbs: str) -> Callable[[H], H]:
        """Decorate the handler of these buttons or menus."""

        def add(handler: H) -> H:
            self.handlers.update(dict.fromkeys(verbs, handler))
            return handler

        return add

    def on_form(self, verb: str) -> Callable[[F], F]:
        """Decorate the handler of a form."""

        def add(handler: F) -> F:
            self.forms[verb] = handler
            return handler

        return add

    def check_complete(self) -> None:
        """Check that every verb has a handler, and nothing else has one."""
        if odd := set(map(str, self.refers_to.verbs)) ^ set(map(str, self.handlers)):
            raise LookupError(f"{self.name}: verb or handler missing for {sorted(odd)}")

    def click(self, verb: str, parts: Sequence[str]) -> ClickHandler | None:
        """The handler of a press; None if there is no such button, or its custom_id is malformed."""
        handler, ref = self.handlers.get(verb), self.refers_to.read(parts)
        if handler is None or ref is None:
            return None
        return lambda interaction: self._handle(interaction, lambda press: handler(press, ref))

    def form(self, verb: str, parts: Sequence[str], written: Sequence[str]) -> ClickHandler | None:
        """The handler of a submitted form; None if there is no such form, or its custom_id is malformed."""
        handler, ref = self.forms.get(verb), self.refers_to.read(parts)
        if handler is None or ref is None:
            return None
        return lambda interaction: self._handle(interaction, lambda press: handler(press, ref, written))

    async def _handle(self, interaction: discord.Interaction[Any], handle: Handler) -> None:
        press = Press(interaction)
        if self.managers_only:
            check_manages(interaction)
        await handle(press)


def without_reference(handlers: Mapping[str, Handler]) -> dict[str, RefHandler[Any]]:
    """Handlers of buttons that refer to nothing but what they are on."""

    def ignoring(handler: Handler) -> RefHandler[Any]:
        return lambda press, _: handler(press)

    return {verb: ignoring(handler) for verb, handler in handlers.items()}
