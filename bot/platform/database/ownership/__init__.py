"""The division of shards among processes: each shard has one owner among the processes on a database."""

from bot.platform.database.ownership.owner import owner_of
from bot.platform.database.ownership.port import Held, Owner

__all__ = ["Held", "Owner", "owner_of"]
