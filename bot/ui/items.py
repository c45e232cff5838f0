"""The base of every button and menu: reads its place from the custom_id, and never leaves a click unanswered.

Every interactive item is a `DynamicItem`, and every render makes a fresh view: a view that mixes kinds and times out
would unregister the pattern for the whole bot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import discord
from discord.ui import Button, DynamicItem, Item, Select

from bot.tables.errors import Refusal, RefusalCode
from bot.tables.table import Table
from bot.ui.ids import Ref, template
from bot.ui.interactions import answered, host_of, person_of, private_words, values_of
from bot.ui.reply import Reply

if TYPE_CHECKING:
    from bot.tables.actions import Action
    from bot.ui.picking import Picking

NEVER = r"(?!)"
"""A pattern that nothing matches, for the bases, which are never registered."""


class Press:
    """A click on an item of a game: who, where, and how to answer."""

    def __init__(self, interaction: discord.Interaction[Any], ref: Ref) -> None:
        self.interaction = interaction
        self.ref = ref
        self.host = host_of(interaction)
        self.person = person_of(interaction)
        self.t = private_words(interaction)

    @property
    def values(self) -> list[str]:
        """What was chosen in a menu."""
        return values_of(self.interaction)

    @property
    def reply(self) -> Reply:
        """How to answer."""
        return Reply.of(self.interaction)

    @property
    def private(self) -> bool:
        """Whether the clicked message is one that only its person sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def table(self) -> Table:
        """The open table that the item belongs to.

        Raises:
            Refusal: if it is over.
        """
        table = self.host.manager.get(self.ref.game)
        if table is None:
            raise Refusal(RefusalCode.GAME_OVER)
        return table

    def argument(self, index: int = 0) -> str:
        """An argument of the custom_id.

        Raises:
            Refusal: if it has none there.
        """
        if index >= len(self.ref.args):
            raise Refusal(RefusalCode.STALE)
        return self.ref.args[index]

    async def act(self, table: Table, action: Action, *, picking: Picking | None = None) -> None:
        """Carry out an action, and answer the click with the newest state."""
        await self.host.presenter.act(self, table, action, picking=picking)


I = TypeVar("I", bound="Item[Any]")  # noqa: E741 - discord.py's own name for it


class GameItem(DynamicItem[I], template=NEVER):
    """An item of a game. A subclass names its verb, and does its work in `press`."""

    verb: ClassVar[str]
    __item_repr_attributes__ = ()  # a repr ends in discord.py's log, where no card's label may be

    def __init__(self, item: I, ref: Ref) -> None:
        super().__init__(item)
        self.ref = ref

    def __init_subclass__(cls, *, verb: str | None = None, template: str | re.Pattern[str] = NEVER) -> None:
        if verb is not None:
            cls.verb = verb
        super().__init_subclass__(template=template if verb is None else _template(verb))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item[Any], match: re.Match[str], /
    ) -> Self:
        """The item that was clicked."""
        return cls(item, Ref.parse(match))  # pyright: ignore[reportArgumentType] - the pattern belongs to one kind

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do the work, and answer whatever happens."""
        await answered(interaction, self.press(Press(interaction, self.ref)))

    async def press(self, press: Press) -> None:
        """What a click does."""
        raise NotImplementedError


def _template(verb: str) -> str:
    return template(verb)


class GameButton(GameItem[Button[Any]], template=NEVER):
    """A button of a game."""

    @classmethod
    def make(
        cls,
        ref: Ref,
        label: str,
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        emoji: str | None = None,
        disabled: bool = False,
    ) -> Self:
        """The button to put in a layout. `label` is at most 80 characters."""
        return cls(
            Button(label=label, style=style, emoji=emoji, disabled=disabled, custom_id=ref.custom_id(cls.verb)), ref
        )


class GameSelect(GameItem[Select[Any]], template=NEVER):
    """A menu of a game."""

    @classmethod
    def make(
        cls,
        ref: Ref,
        options: list[discord.SelectOption],
        *,
        placeholder: str,
        most: int = 1,
        least: int = 1,
    ) -> Self:
        """The menu to put in a layout: up to 25 options."""
        return cls(
            Select(
                custom_id=ref.custom_id(cls.verb),
                options=options,
                placeholder=placeholder,
                min_values=least,
                max_values=most,
            ),
            ref,
        )
