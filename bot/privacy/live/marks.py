"""The marks of a person that they, or somebody whom they played with, left by erasing their data, for the export."""

from typing import Any, Final

from bot.club.rules.gains import DAYS, UNIT
from bot.club.store.marks import Marks

KEYS: Final = {
    "marks": f"what the limits on ratings still need of the last {DAYS} days since you, or somebody whom you played "
    "with, erased everything. It is kept under marks instead of ids, which lead to nobody without a key that is kept "
    "apart",
    "marks.rivals": "for each person whom you met on a day, whom it doesn't name, and for all strangers together, how "
    "many points your rating gained from them",
    "marks.matches": "how many matches the same people played on a day",
    "marks.ratings": "the rating that you had on a server, which you enter your next match there with, and the end of "
    "the match that made it",
}
"""The meaning of the keys of `told`."""


def told(marks: Marks) -> dict[str, list[dict[str, Any]]]:
    return {
        "rivals": [
            {"server_id": str(guild_id), "day": day, "points": gained / UNIT} for guild_id, day, gained in marks.rivals
        ],
        "matches": [
            {"server_id": str(guild_id), "day": day, "matches": number} for guild_id, day, number in marks.matches
        ],
        "ratings": [
            {
                "server_id": str(guild_id),
                "shown": rating.shown,
                "strength": rating.mu,
                "uncertainty": rating.sigma,
                "rated_at": rated_at.isoformat(),
            }
            for guild_id, rating, rated_at in marks.ratings
        ],
    }
