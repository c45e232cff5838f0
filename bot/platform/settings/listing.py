"""Lists of choices: a line each with its value, one menu for all, and a screen for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.platform.kit.codec import Reference
from bot.platform.kit.colours import FELT
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, Part, box_of, button, line, menu, option, row
from bot.platform.settings.choices import Choice, Note, newer_text, parts_below
from bot.platform.settings.documents import Choices
from bot.platform.settings.ids import PREFERENCES, SETTINGS, ListVerb


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of choices. `ref`: what its custom_ids refer to; `emoji`: stands on the way back to it."""

    ref: Reference[str]
    emoji: str

    def layout(
        self,
        heading: str,
        parts: Sequence[Sequence[tuple[Choice, str | None]]],
        t: Words,
        *below: Part,
        changed: str | None = None,
        unreadable: bool = False,
    ) -> Layout:
        """All choices, a line each, and the menu that opens the screen of one.

        Args:
            heading: above the list.
            parts: what the menu offers, each with its value in a few words; without one it has no line. A line is drawn
                between two parts.
            t: the words.
            below: what stands below the menu.
            changed: the field of the one just set, if any.
            unreadable: whether what was chosen can't be read.
        """
        options = [option(choice.name(t), choice.field, chosen=False) for part in parts for choice, _ in part]
        texts = [
            "\n".join(
                f"{'✅ ' if choice.field == changed else ''}**{choice.name(t)}** · {value}"
                for choice, value in part
                if value is not None
            )
            for part in parts
        ]
        first, *others = filter(None, texts)
        return box_of(
            FELT,
            heading,
            newer_text(t) if unreadable else None,
            first,
            *(each for text in others for each in (line(), text)),
            menu_of_changes(self.ref.custom_id(ListVerb.CHANGE), options, t),
            *below,
        )

    def choice(self, which: Choice, choices: Choices, t: Words, note: Note | None = None, **how: Any) -> Layout:
        """The screen of a choice with a menu of options.

        Nothing is selected while this version doesn't know the value. `note`: why it changed nothing; `how`: as in
        `Choice.menu`.
        """
        field = which.field
        stored = how.pop("chosen", getattr(choices, field))
        chosen = stored if choices.knows(field) else object()
        below = parts_below(choices, field, note, t)
        return self.page(which, t, which.menu(self.ref.custom_id(field), chosen, t, **how), *below)

    def page(self, which: Choice, t: Words, *parts: Part, buttons: Iterable[Component] = ()) -> Layout:
        """The screen of a choice: what it is about, its parts, and the way back to the list."""
        back = button(self.ref.custom_id(ListVerb.OPEN), t.context("button", "Back"), emoji=self.emoji)
        return box_of(FELT, f"## {which.name(t)}\n{which.explanation(t)}".strip(), *parts, row(*buttons, back))


def menu_of_changes(custom_id: str, options: list[Component], t: Words) -> Component:
    """The menu below everything that can be changed: one option for each, which opens it."""
    return row(menu(custom_id, options, placeholder=t("What do you want to change?")))


SETTINGS_LIST: Final = Listing(SETTINGS, "⚙️")
PREFERENCES_LIST: Final = Listing(PREFERENCES, "👤")
