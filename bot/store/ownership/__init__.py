"""The division of shards among processes: each shard has one owner among the processes on a database."""

from bot.store.ownership.owner import owner_of
from bot.store.ownership.port import Held, Leases, Owner, Unowned

__all__ = ["Held", "Leases", "Owner", "Unowned", "owner_of"]
