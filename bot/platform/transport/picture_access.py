"""Pictures that Discord takes in each channel, judging by its refusals; and the routes on which it takes uploads."""

import math
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from cachetools import TTLCache

WHILE: Final = timedelta(minutes=10)
"""Time for which something that Discord has refused is left out before it is tried again."""
FEW: Final = 3
"""Refused edits within that time after which edits are sent without pictures; and failed uploads in a row on a route
after which uploads rest there."""
REST: Final = timedelta(minutes=1)
"""Time for which nothing is uploaded there then; after it, one upload tries whether Discord takes files again."""


class UploadRoute(Enum):
    """A way to Discord that a file can take. Each may have a bad day while the others work."""

    POSTS = auto()
    """New messages in channels."""
    EDITS = auto()
    """Edits of messages in channels."""
    ANSWERS = auto()
    """First answers to interactions."""
    WEBHOOKS = auto()
    """Edits of those answers, and further ones."""


class _Out(Enum):
    """The kinds of pictures that are left out in a channel."""

    PICTURES = auto()
    """All pictures: the bot may not upload there."""
    EDITS = auto()
    """Pictures in edits; new messages still have theirs."""
    KEEPING = auto()
    """Keeping a file that is on the message: it is uploaded again instead."""


class PictureAccess:
    """A record of what Discord refuses in which channels. `now`: the present instant."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._out: TTLCache[tuple[int, _Out], bool, datetime] = TTLCache(math.inf, WHILE, now)
        self._refused_edits: TTLCache[int, list[datetime], datetime] = TTLCache(math.inf, WHILE, now)
        self._failed_uploads = Counter[UploadRoute]()
        """The uploads in a row that have failed on Discord's side."""
        self._rests_until: dict[UploadRoute, datetime] = {}

    def takes_posts(self, channel_id: int) -> bool:
        """Whether new messages may have pictures."""
        return not self._is_out(channel_id, _Out.PICTURES)

    def takes_edits(self, channel_id: int) -> bool:
        """Whether edited messages may have pictures."""
        return self.takes_posts(channel_id) and not self._is_out(channel_id, _Out.EDITS)

    def keeps_files(self, channel_id: int) -> bool:
        """Whether a file on an edited message may stay there without being uploaded again."""
        return not self._is_out(channel_id, _Out.KEEPING)

    def forbidden(self, channel_id: int) -> None:
        """Record that the bot may not upload there."""
        self._leave_out(channel_id, _Out.PICTURES)

    def not_kept(self, channel_id: int) -> None:
        """Record that Discord has refused to keep a file."""
        self._leave_out(channel_id, _Out.KEEPING)

    def edit_refused(self, channel_id: int) -> bool:
        """Record that an edit was refused because of its picture; return whether that was one too many."""
        now = self._now()
        recent = [*(at for at in self._refused_edits.pop(channel_id, ()) if now < at + WHILE), now]
        if len(recent) >= FEW:
            self._leave_out(channel_id, _Out.EDITS)
            return True
        self._refused_edits[channel_id] = recent
        return False

    def uploads_rest(self, route: UploadRoute) -> bool:
        """Whether nothing is uploaded on a route for now."""
        return route in self._rests_until and self._now() < self._rests_until[route]

    def may_upload(self, route: UploadRoute) -> bool:
        """Whether to upload a file now. After a rest only the first who asks may: the others wait for its outcome."""
        if self.uploads_rest(route):
            return False
        if route in self._rests_until:
            self._rests_until[route] = self._now() + REST
        return True

    def upload_passed(self, route: UploadRoute) -> None:
        """Record that Discord has taken a file."""
        del self._failed_uploads[route]
        self._rests_until.pop(route, None)

    def upload_failed(self, route: UploadRoute) -> bool:
        """Record that an upload has failed on Discord's side; return whether uploads rest there from now on."""
        self._failed_uploads[route] += 1
        begins = self._failed_uploads[route] >= FEW and route not in self._rests_until
        if self._failed_uploads[route] >= FEW:
            self._rests_until[route] = self._now() + REST
        return begins

    def _is_out(self, channel_id: int, what: _Out) -> bool:
        return (channel_id, what) in self._out

    def _leave_out(self, channel_id: int, what: _Out) -> None:
        self._out[channel_id, what] = True
