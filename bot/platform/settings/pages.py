"""Lists of choices, put together from the pages that subjects declare, and what their menus and buttons do."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bot.platform.kit.host import Host
from bot.platform.kit.screen import FormHandler, Handler, Handling, Press, Screen, without_reference
from bot.platform.language.texts import Words
from bot.platform.layout import Layout, Part
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.choices import Choice, Note
from bot.platform.settings.documents import C, Choices, Documents, GuildSettingsCache, PreferencesCache
from bot.platform.settings.ids import ListVerb
from bot.platform.settings.listing import PREFERENCES_LIST, SETTINGS_LIST, Listing

Show = Callable[[Press, Note | None], Handling]
"""Shows the screen of a choice as it stands."""
Reader = Callable[[Host, int], Awaitable[Any]]
"""Finds out, for a server or a person, what values are told from."""
Value = Callable[[Choice, Any, Words], str | None]
"""Says in a few words what a choice is set to; None if it means nothing as others are set."""


def text_of(which: Choice, choices: Choices, t: Words) -> str:
    """The text of the option that is chosen."""
    return which.text(getattr(choices, which.field), t)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SettingPage:
    """A choice in a list, with a screen of its own.

    Attributes:
        choice: its name, and its options if a menu has them.
        show: shows the screen.
        kind: the choices that its field is one of, if it is.
        read: what `value` is told from; None for the choices alone.
        value: says what it is set to. Without it the list offers the page, but has no line for it.
        handlers: what the buttons and menus of the screen do, by their verbs.
        forms: the same for its forms.
    """

    choice: Choice
    show: Handler
    kind: type[Choices] | None = None
    read: Reader | None = None
    value: Value | None = None
    handlers: Mapping[str, Handler] = field(default_factory=dict[str, Handler])
    forms: Mapping[str, FormHandler[Any]] = field(default_factory=dict[str, FormHandler[Any]])


class Pages(ABC):
    """A list of choices, and the screen of each.

    Args:
        heading: makes the text above the list, of a server or a person.
        pages: all of them, in order, except those above.
        below: makes what stands below the list.
        above: those that stand right below the heading, and apart from the others.
    """

    listing: ClassVar[Listing]
    kept: ClassVar[type[Documents]]

    def __init__(
        self,
        heading: Callable[[Host, int, Words], str],
        pages: Sequence[SettingPage],
        *below: Callable[[Words], Part],
        above: Sequence[SettingPage] = (),
    ) -> None:
        self.pages = (*above, *pages)
        self._above = len(above)
        self._heading = heading
        self._below = below

    @classmethod
    @abstractmethod
    def whose(cls, press: Press) -> int:
        """The server or the person that a press makes choices for."""

    @classmethod
    async def choices(cls, press: Press, kind: type[C]) -> C:
        """The choices as they stand.

        Raises:
            StoreError: if they can't be read.
        """
        return await press.host.of(cls.kept).of(cls.whose(press), kind)

    @classmethod
    async def keep(cls, press: Press, which: Choice, work: Awaitable[None], show: Show) -> None:
        """Keep what was chosen, and show the list with it; a refusal is explained on its screen, which `show` shows."""
        if (note := await note_of(press, which, work)) is None:
            await press.host.of(cls).show(press, which.field)
        else:
            await show(press, note)

    @classmethod
    async def change(cls, press: Press, kind: type[Choices], **changes: Any) -> None:
        """Store what was chosen by the press: values by the names of their fields.

        Raises:
            what `Documents.change` raises.
        """
        await press.host.of(cls.kept).change(cls.whose(press), kind, **changes)

    @classmethod
    def menu_page(
        cls,
        choice: Choice,
        kind: type[Choices],
        *,
        value: Value = text_of,
        read: Reader | None = None,
        how: Callable[[Choice, Any, Words], Mapping[str, Any]] | None = None,
        along: Callable[[Press], Awaitable[Mapping[str, Any]]] | None = None,
    ) -> SettingPage:
        """Make the page of a choice that a menu of options sets.

        Args:
            choice: the options.
            kind: the choices that it is one of.
            value: as in `SettingPage`.
            read: likewise, and what `how` is told from.
            how: what `Choice.menu` takes besides.
            along: finds what else is stored with it.
        """

        async def show(press: Press, note: Note | None = None) -> None:
            choices = await cls.choices(press, kind)
            now = choices if read is None else await read(press.host, cls.whose(press))
            more: Mapping[str, Any] = {} if how is None else how(choice, now, press.t)
            layout = cls.listing.choice(choice, choices, press.t, note, **more)
            await press.reply.update_private(layout)

        async def change(press: Press) -> None:
            more: Mapping[str, Any] = {} if along is None else await along(press)
            await cls.change(press, kind, **{choice.field: choice.read(press.value)}, **more)

        async def choose(press: Press) -> None:
            await cls.keep(press, choice, change(press), show)

        return SettingPage(choice=choice, show=show, kind=kind, read=read, value=value, handlers={choice.field: choose})

    async def layout(self, host: Host, owner_id: int, t: Words, changed: str | None = None) -> Layout:
        """The list of a server or a person. `changed`: the field just set, if any.

        Raises:
            StoreError: if something can't be read.
        """
        kept, found = host.of(self.kept), dict[Any, Any]()
        lines: list[tuple[Choice, str | None]] = []
        for page in self.pages:
            if page.value is None:
                lines.append((page.choice, None))
                continue
            choices = await kept.of(owner_id, page.kind or Choices)
            if (source := page.read or page.kind) not in found:
                found[source] = choices if page.read is None else await page.read(host, owner_id)
            if (value := page.value(page.choice, found[source], t)) is not None:
                lines.append((page.choice, "⚠️" if page.choice.field in choices.unknown else value))
        heading, below = self._heading(host, owner_id, t), [make(t) for make in self._below]
        unreadable = (await kept.of(owner_id, Choices)).unreadable
        parts = lines[: self._above], lines[self._above :]
        return self.listing.layout(heading, parts, t, *below, changed=changed, unreadable=unreadable)

    async def show(self, press: Press, changed: str | None = None) -> None:
        """Show the list as it stands, in the language chosen by now. `changed`: the field just set, if any."""
        layout = await self.layout(press.host, self.whose(press), press.display.words, changed)
        await press.reply.update_private(layout)

    @property
    def kinds(self) -> tuple[type[Choices], ...]:
        """The kinds of choices in the list."""
        return tuple(dict.fromkeys(page.kind for page in self.pages if page.kind is not None))

    def meanings(self) -> dict[str, str]:
        """Return what each field means, in the words of its docstring."""
        return {name: str(each.description) for kind in self.kinds for name, each in kind.model_fields.items()}

    def screen(self, name: str, *, managers_only: bool = False) -> Screen[Any]:
        """Make one kind of screen of the list and its pages, whose verbs become those of its custom_ids."""
        screens = {page.choice.field: page.show for page in self.pages}

        async def change(press: Press) -> None:
            if press.value not in screens:
                raise Refusal(CommonRefusal.STALE)
            await screens[press.value](press)

        handlers: dict[str, Handler] = {ListVerb.OPEN: self.show, ListVerb.CHANGE: change}
        forms: dict[str, FormHandler[Any]] = {}
        for page in self.pages:
            handlers.update(page.handlers)
            forms.update(page.forms)
        ref = type(self.listing.ref)
        ref.verbs = tuple({**handlers, **forms})
        return Screen(name, ref, without_reference(handlers), forms, managers_only=managers_only)


class ServerPages(Pages):
    """A server's settings."""

    listing = SETTINGS_LIST
    kept = GuildSettingsCache

    @classmethod
    def whose(cls, press: Press) -> int:
        return press.guild_id


class OwnPages(Pages):
    """A person's preferences, which hold on every server."""

    listing = PREFERENCES_LIST
    kept = PreferencesCache

    @classmethod
    def whose(cls, press: Press) -> int:
        return press.person.id


async def note_of(press: Press, which: Choice, work: Awaitable[None]) -> Note | None:
    """Keep a choice, and say why it was refused, if it was."""
    try:
        await work
    except Refusal as error:
        return which.field, error.reason(press.t)
    return None
