"""A choice in words: a heading, and a menu of what a field of settings, preferences or rules can be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.platform.layout import Component, menu, option, row
from bot.platform.refusals import CommonRefusal, Refusal
from bot.platform.settings.documents import Choices

Note = tuple[str, str]
"""The field whose menu was just used, and what came of it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices for a field, in words. Its menu is drawn and read here.

    Attributes:
        field: what it sets, of a server's settings, a person's preferences, or a game's configuration.
        heading: the text above the menu.
        options: the text of each value, in the order of the menu; `{n}` in it is the value.
        notes: what some of the values say below their text.
        about: what a screen of its own says below the heading.
    """

    field: str
    heading: str
    options: Mapping[Any, str]
    notes: Mapping[Any, str] | None = None
    about: str = ""

    def name(self, t: Words) -> str:
        """The heading as plain text."""
        return t(self.heading).strip("*")

    def explanation(self, t: Words) -> str:
        """Say what it is about; empty if its name says enough."""
        return t(self.about) if self.about else ""

    def parts(self, custom_id: str, chosen: Any, t: Words, **how: Any) -> list[Component | str]:
        """The heading and the menu; `how`: as in `menu`."""
        return [t(self.heading), self.menu(custom_id, chosen, t, **how)]

    def menu(
        self,
        custom_id: str,
        chosen: Any,
        t: Words,
        *,
        first: Iterable[Component] = (),
        last: Iterable[Component] = (),
        only: Iterable[Any] | None = None,
        placeholder: str | None = None,
        **values: object,
    ) -> Component:
        """The menu alone.

        Args:
            custom_id: the menu's.
            chosen: the value that is selected.
            t: the words.
            first: options before those of the values.
            last: options after them.
            only: the values that are offered; None for all.
            placeholder: what the menu shows while nothing is selected.
            values: fill in the texts of the options.
        """
        notes = self.notes or {}
        offered = [
            option(
                self.text(value, t, **values),
                _code(value),
                chosen=value == chosen,
                description=t(notes[value]) if value in notes else None,
            )
            for value in (self.options if only is None else only)
        ]
        return row(menu(custom_id, [*first, *offered, *last], placeholder=placeholder))

    def text(self, value: Any, t: Words, /, **values: object) -> str:
        """The text of an option; empty if none has the value."""
        return capital(t(self.options[value], n=value, **values)) if value in self.options else ""

    def read(self, code: str) -> Any:
        """The value of the option that somebody chose.

        Raises:
            Refusal: if no option has it.
        """
        for value in self.options:
            if _code(value) == code:
                return value
        raise Refusal(CommonRefusal.STALE)


def parts_below(choices: Choices, name: str, note: Note | None, t: Words) -> list[Component | str]:
    """List what stands below the menu of a field: what came of using it, or else that its value isn't known."""
    if note is not None and note[0] == name:
        return [f"⚠️ {note[1]}"]
    return [newer_text(t)] if name in choices.unknown else []


def newer_text(t: Words) -> str:
    """A warning that a newer version stored what this one can't read."""
    return f"⚠️ {CommonRefusal.FROM_NEWER.reason(t)}"


def _code(value: object) -> str:
    """A value in an option of a menu."""
    if value is None:
        return "usual"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "-".join(map(_code, cast("tuple[object, ...]", value)))
    return f"{value:g}" if isinstance(value, float) else str(value)
