"""A kind of screen: what its buttons refer to, what handles each, and who sees its messages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import discord

from bot.platform.kit.codec import PUBLIC, Reference, Verbs
from bot.platform.kit.press import Handler, Handling, Press, RefHandler
from bot.platform.transport.permissions import check_manages

R = TypeVar("R", bound=Reference[Any])
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
