"""The pages of settings and preferences, shown for stored documents without a bot."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

from bot.club.store.rule_sets import RuleSetRow, RuleSets
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.platform.layout import Layout
from bot.platform.settings.choices import Note
from bot.platform.settings.documents import Choices, GuildSettingsCache, PreferencesCache
from bot.platform.settings.pages import OwnPages, Pages, ServerPages, SettingPage
from bot.process.setting_pages import OWN_PAGES, SERVER_PAGES
from bot.tables.boards.digests import Digests
from bot.tables.live.own_rules import SavedRules
from bot.tables.log.codec import VALUES
from bot.tables.log.pace import Pace
from bot.tables.options import TableOptions
from bot.tables.parts import TableParts
from bot.tables.settings import ServerOptions
from bot.training.live.notices import PuzzleNotices
from bot.training.parts import TrainingParts
from bot.training.store.days import DayChannel

EN: Final = words("en")
_WHOSE: Final = 1


def document(*choices: Choices) -> str:
    """One document with choices of several kinds."""
    made = {name: value for each in choices for name, value in json.loads(each.dump() or "{}").items()}
    return json.dumps(made)


class Shown:
    """A server's settings and a person's preferences that are stored as one text.

    `usual`, `sets`, `day`: the bot's pace, the server's own rules, and its channel for the day's position.
    """

    def __init__(
        self,
        text: str | None = None,
        *,
        usual: Pace | None = None,
        sets: Sequence[SavedRules] = (),
        day: DayChannel | None = None,
    ) -> None:
        store: Any = SimpleNamespace(get=_giving(text), all=_giving({_WHOSE: text} if text else {}))
        settings, self._preferences = GuildSettingsCache(store), PreferencesCache(store)
        tools: Any = SimpleNamespace(preferences=self._preferences)
        nothing: Any = None
        rows = [_row(each) for each in sets]
        parts: dict[type[Any], Any] = {
            GuildSettingsCache: settings,
            PreferencesCache: self._preferences,
            ServerOptions: ServerOptions(settings, TableOptions(usual or Pace())),
            RuleSets: SimpleNamespace(of=_giving(rows)),
            TrainingParts: SimpleNamespace(day_boards=SimpleNamespace(row_of=lambda _: day)),
            TableParts: SimpleNamespace(
                digests=Digests(tools, PuzzleNotices(self._preferences, nothing, nothing), nothing, nothing)
            ),
            ServerPages: SERVER_PAGES,
            OwnPages: OWN_PAGES,
        }
        clock = SimpleNamespace(now=lambda: datetime(2026, 11, 26, 9, tzinfo=UTC))
        self.host: Any = SimpleNamespace(of=parts.__getitem__, tools=SimpleNamespace(clock=clock))

    def list(self, pages: Pages, t: Words = EN, changed: str | None = None) -> Layout:
        """The list of all."""

        async def made() -> Layout:
            await self._preferences.load()
            return await pages.layout(self.host, _WHOSE, t, changed)

        return asyncio.run(made())

    def page(self, page: SettingPage, t: Words = EN, note: Note | None = None) -> Layout:
        """The screen of one. `note`: why it changed nothing."""
        shown: list[Layout] = []

        async def update(layout: Layout) -> None:
            shown.append(layout)

        press: Any = SimpleNamespace(
            host=self.host,
            guild_id=_WHOSE,
            person=SimpleNamespace(id=_WHOSE),
            t=t,
            reply=SimpleNamespace(update_private=update),
        )

        async def made() -> None:
            await self._preferences.load()
            show: Any = page.show
            await (show(press) if note is None else show(press, note))

        asyncio.run(made())
        return shown[0]


def listed(pages: Pages) -> list[SettingPage]:
    """The pages with a line in the list."""
    return [page for page in pages.pages if page.value is not None]


def with_menus(pages: Pages) -> list[SettingPage]:
    """The pages of choices that a menu of options sets."""
    return [page for page in pages.pages if page.choice.options]


def _giving(value: Any) -> Callable[..., Awaitable[Any]]:
    async def give(*_: Any) -> Any:
        return value

    return give


def _row(saved: SavedRules) -> RuleSetRow:
    config = VALUES.write(replace(saved.config, own=None))
    return RuleSetRow(saved.number, _WHOSE, saved.name, config, saved.saved_by, saved.saved_at)
