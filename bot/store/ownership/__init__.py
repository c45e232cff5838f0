"""Who serves which shards: of the processes on a database one has each, and knows when it hasn't any more."""

from bot.store.ownership.owner import owner_of
from bot.store.ownership.port import Held, Owner, Unowned

__all__ = ["Held", "Owner", "Unowned", "owner_of"]
