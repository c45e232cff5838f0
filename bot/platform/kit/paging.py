"""A list that is too long for one message, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.platform.language.texts import Words
from bot.platform.layout import Component, button

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paging:
    """A page of a list; the last one, if there are fewer than was asked for.

    Attributes:
        page: which page, from 0.
        pages: how many there are, at least 1.
        size: how many items a page has.
    """

    page: int
    pages: int
    size: int

    @classmethod
    def of(cls, page: int, total: int, size: int) -> Paging:
        """The page of a list of `total` items."""
        pages = max(1, -(-total // size))
        return cls(min(page, pages - 1), pages, size)

    @property
    def before(self) -> int:
        """The page before this one; this one, if it is the first."""
        return max(0, self.page - 1)

    @property
    def after(self) -> int:
        """The page after this one, which may be none."""
        return self.page + 1

    def shown(self, items: Sequence[T]) -> Sequence[T]:
        return items[self.page * self.size : self.after * self.size]

    def text(self, t: Words) -> str | None:
        """Name the page; None if it is the only one."""
        if self.pages == 1:
            return None
        return t("Page {page} of {pages}", page=self.page + 1, pages=self.pages)

    def note(self, t: Words) -> str | None:
        """The same in small print."""
        text = self.text(t)
        return None if text is None else f"-# {text}"

    def buttons(self, before: str, after: str, t: Words, names: tuple[str, str] | None = None) -> list[Component]:
        """The buttons that turn the page, by their custom_ids: disabled at the ends, and none if there is one page.

        `names`: what they are called instead of "Previous" and "Next".
        """
        if self.pages == 1:
            return []
        previous, following = names or (t.context("button", "Previous"), t.context("button", "Next"))
        return [
            button(before, previous, disabled=self.page == 0),
            button(after, following, disabled=self.after >= self.pages),
        ]
