"""What Discord does with the files of messages: as strictly as others have observed it, or as a test chooses.

How an edit keeps a file isn't fully documented, so the bot has to be right whichever way Discord does it.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from simcord.backend import serializers

from tests.support.fake_discord import shapes  # noqa: F401 - replaces the payload of messages before this module does
from tests.support.fake_discord.refused import Refused
from tests.support.limits import COMPONENTS_V2, Kind, kind_and_body
from tests.support.limits_components import uploads_shown, walk

JSON = Any

MOST_BYTES = 10 * 1024 * 1024
"""The size of the largest file that Discord takes in a server without boosts."""
_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/([^/]+))?")
_CHANNEL = re.compile(r"/channels/(\d+)/messages/(\d+)")
_FORM = 50035
_DEFERRALS = (5, 6)
_OF_BACKEND = "_tests_attachments"
_payload = serializers.message_payload


class Keeping(Enum):
    """What it takes for a file to stay on a message that is edited."""

    NAMED = auto()
    """The edit has to list it with its id and its file name; every other file is dropped."""
    SILENT = auto()
    """It stays unless the edit lists others, and its id is enough."""
    REFUSED = auto()
    """Edits that list a file of the message are refused."""


@dataclass
class Attachments:
    """One fake Discord's rules for the files of messages.

    Attributes:
        keeping: see `Keeping`.
        replacing: whether an edit may upload a file to a message that already has one.
        after_deferral: whether a follow-up to a deferred interaction may upload a file.
        beside_components: whether a follow-up with Components V2 may upload a file.
    """

    keeping: Keeping = Keeping.NAMED
    replacing: bool = True
    after_deferral: bool = False
    beside_components: bool = True
    _deferred: set[int] = field(default_factory=set)

    def check(self, backend: Any, method: str, path: str, body: JSON, files: Sequence[Any]) -> JSON:
        """The body with which SimCord has to carry out a request, so that exactly the right files stay.

        Raises:
            Refused: if Discord refuses the request because of its files.
        """
        if any(file.fp.seek(0, io.SEEK_END) > MOST_BYTES for file in files):
            raise Refused(413, 40005, "Request entity too large")
        for file in files:
            file.fp.seek(0)
        kind, data = kind_and_body(method, path, body)
        if (found := _CALLBACK.fullmatch(path)) and body["type"] in _DEFERRALS:
            self._deferred.add(int(found[1]))
        if files and method == "POST" and (found := _WEBHOOK.fullmatch(path)):
            self._check_follow_up(backend.interaction_tokens.get(found[1], 0), data)
        message = _edited(backend, kind, path)
        if message is None or not message.flags & COMPONENTS_V2 or not isinstance(data, dict):
            return body
        had = {str(each["id"]): str(each["filename"]) for each in message.attachments}
        listed = data.get("attachments")
        kept = [item for item in listed or [] if str(item.get("id")) in had]
        if kept and self.keeping is Keeping.REFUSED:
            raise _refused("a file that is on the message", meant=True)
        if had and files and not self.replacing:
            raise _refused("a file in place of another", meant=True)
        if self.keeping is Keeping.SILENT:
            return body  # SimCord does just that
        named = [item for item in kept if item.get("filename") == had[str(item["id"])]]
        names = {item["filename"] for item in named} | {file.filename for file in files}
        shown = {name for _, node in walk(data.get("components") or []) for name in uploads_shown(node)}
        if missing := shown - names:
            raise _refused(f"UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND: {', '.join(sorted(missing))}")
        uploads = [{"id": str(number)} for number in range(len(files))]
        changed = {**data, "attachments": [*named, *uploads]}
        return changed if data is body else {**body, "data": changed}

    def _check_follow_up(self, interaction_id: int, data: Mapping[str, Any]) -> None:
        if interaction_id in self._deferred and not self.after_deferral:
            raise _refused("a file in a follow-up to a deferral", meant=True)
        if (data.get("flags") or 0) & COMPONENTS_V2 and not self.beside_components:
            raise _refused("a file in a follow-up with components", meant=True)


def install(backend: Any) -> Attachments:
    """Apply these rules to a backend's messages, and keep its payloads from listing the files of Components V2."""
    rules = Attachments()
    setattr(backend, _OF_BACKEND, rules)
    serializers.message_payload = _without_attachments
    return rules


def rules_of(backend: Any) -> Attachments:
    """The rules that are installed in a backend."""
    return getattr(backend, _OF_BACKEND)


def _refused(what: str, *, meant: bool = False) -> Refused:
    """A refusal of a request's files. `meant`: a test asked for that, and the request is fine."""
    return Refused(400, _FORM, f"Invalid Form Body: {what}", meant=meant)


def _without_attachments(backend: Any, message: Any, *args: Any, **rest: Any) -> Any:
    """A message's payload: the files of Components V2 are in the components alone."""
    payload = _payload(backend, message, *args, **rest)
    if hasattr(backend, _OF_BACKEND) and message.flags & COMPONENTS_V2:
        payload["attachments"] = []
    return payload


def _edited(backend: Any, kind: Kind, path: str) -> Any:
    """The message that a request edits, as stored; None if it edits none."""
    record, message_id = None, None
    if kind is Kind.EDIT and (found := _CALLBACK.fullmatch(path)):
        record = backend.interactions.get(int(found[1]))
        message_id = record and record.source_message_id
    elif kind is Kind.EDIT and (found := _CHANNEL.fullmatch(path)):
        return backend.messages.get(int(found[1]), {}).get(int(found[2]))
    elif kind is Kind.EDIT and (found := _WEBHOOK.fullmatch(path)):
        record = backend.interactions.get(backend.interaction_tokens.get(found[1], 0))
        message_id = record and (record.message_id if found[2] == "@original" else int(found[2]))
    return None if record is None else backend.messages.get(record.channel_id, {}).get(message_id)
