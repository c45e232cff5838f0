"""What each server has settled on, kept in memory once it was asked for."""

from __future__ import annotations

from typing import Final

from bot.store import Store, StoreError
from bot.tables.errors import Refusal, RefusalCode
from bot.tables.house import House

_USUAL: Final = House()


class Houses:
    """The defaults of all servers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, House] = {}

    async def of(self, guild_id: int) -> House:
        """The defaults of a server.

        Raises:
            StoreError: if they can't be read.
        """
        if guild_id not in self._known:
            self._known[guild_id] = House.load(await self._store.get_value(house_key(guild_id)))
        return self._known[guild_id]

    def known(self, guild_id: int) -> House:
        """The defaults of a server, as usual until they were read; that is done when a table is there."""
        return self._known.get(guild_id, _USUAL)

    async def settle(self, guild_id: int, house: House) -> None:
        """Give a server other defaults; games under way keep the pace they began with.

        Raises:
            Refusal: if the store can't write.
        """
        try:
            await self._store.set_value(house_key(guild_id), house.dump())
        except StoreError as error:
            raise Refusal(RefusalCode.UNAVAILABLE) from error
        self._known[guild_id] = house

    def forget(self, guild_id: int) -> None:
        """A server's defaults are no longer kept."""
        self._known.pop(guild_id, None)


def house_key(guild_id: int) -> str:
    """The store's key of a server's defaults."""
    return f"house:{guild_id}"
