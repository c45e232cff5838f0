"""The division of shards among processes: each shard has one owner among the processes on a database."""

from bot.platform.database.ownership.owner import owner_of
from bot.platform.database.ownership.port import Held, Leases, Owner, Unowned

__all__ = ["Held", "Leases", "Owner", "Unowned", "owner_of"]
