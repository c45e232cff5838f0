"""The simulated Discord keeps, drops and refuses the files of messages as the rules of a test say."""

from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.fake_discord.attachments import MOST_BYTES, Attachments, Keeping
from tests.support.fake_discord.refused import Refused
from tests.support.limits import COMPONENTS_V2

EDIT = ("PATCH", "/channels/1/messages/2")
FOLLOW_UP = ("POST", "/webhooks/9/token")
WORDS: list[Any] = [{"type": 10, "content": "hello"}]
PICTURE: list[Any] = [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]
FILE = {"id": "1234", "filename": "a.png"}
UPLOAD = SimpleNamespace(filename="a.png", fp=BytesIO(b"png"))


@pytest.fixture
def backend() -> Any:
    """A Discord in which message 2 of channel 1 has a file."""
    message = SimpleNamespace(flags=COMPONENTS_V2, attachments=[FILE | {"url": "…"}])
    return SimpleNamespace(messages={1: {2: message}}, interactions={}, interaction_tokens={"token": 7})


def listed(rules: Attachments, backend: Any, body: dict[str, Any], *files: Any) -> Any:
    """Which files an edit leaves on the message; None to leave that to SimCord."""
    return rules.check(backend, *EDIT, body, files).get("attachments")


def test_only_a_file_listed_with_its_id_and_name_stays(backend: Any):
    rules = Attachments()
    assert listed(rules, backend, {"components": PICTURE, "attachments": [FILE]}) == [FILE]
    assert listed(rules, backend, {"components": WORDS}) == []
    assert listed(rules, backend, {"components": WORDS, "attachments": [{"id": "1234"}]}) == []
    assert listed(rules, backend, {"components": PICTURE, "attachments": [{"id": 0}]}, UPLOAD) == [{"id": "0"}]


@pytest.mark.parametrize("kept", [{}, {"attachments": []}, {"attachments": [{"id": "1234"}]}])
def test_a_component_that_shows_a_file_which_does_not_stay_is_refused(backend: Any, kept: dict[str, Any]):
    with pytest.raises(Refused, match="UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND") as caught:
        Attachments().check(backend, *EDIT, {"components": PICTURE, **kept}, [])
    assert (caught.value.status, caught.value.meant) == (400, False)


def test_a_file_of_over_ten_mebibytes_is_refused(backend: Any):
    files = [SimpleNamespace(filename="a.png", fp=BytesIO(bytes(size))) for size in (MOST_BYTES, MOST_BYTES + 1)]
    listed(Attachments(), backend, {"components": PICTURE}, files[0])
    assert files[0].fp.tell() == 0
    with pytest.raises(Refused, match="Request entity too large") as caught:
        listed(Attachments(), backend, {"components": PICTURE}, UPLOAD, files[1])
    assert (caught.value.status, caught.value.code) == (413, 40005)


def test_a_test_may_have_files_stay_unless_others_are_listed(backend: Any):
    rules = Attachments(keeping=Keeping.SILENT)
    assert listed(rules, backend, {"components": PICTURE}) is None
    assert listed(rules, backend, {"components": PICTURE, "attachments": [{"id": "1234"}]}) == [{"id": "1234"}]


def test_a_test_may_refuse_files_that_stay_and_files_in_place_of_others(backend: Any):
    with pytest.raises(Refused, match="is on the message"):
        listed(Attachments(keeping=Keeping.REFUSED), backend, {"components": PICTURE, "attachments": [FILE]})
    with pytest.raises(Refused, match="in place of another"):
        listed(Attachments(replacing=False), backend, {"components": PICTURE}, UPLOAD)


def test_a_follow_up_brings_a_file_after_an_answer_but_not_after_a_deferral(backend: Any):
    rules, body = Attachments(), {"flags": COMPONENTS_V2, "components": PICTURE}
    assert rules.check(backend, *FOLLOW_UP, body, [UPLOAD]) == body
    rules.check(backend, "POST", "/interactions/7/token/callback", {"type": 5}, [])
    with pytest.raises(Refused, match="to a deferral"):
        rules.check(backend, *FOLLOW_UP, body, [UPLOAD])
    assert rules.check(backend, *FOLLOW_UP, body, []) == body
    rules.after_deferral = True
    assert rules.check(backend, *FOLLOW_UP, body, [UPLOAD]) == body


def test_a_test_may_refuse_files_beside_components_in_a_follow_up(backend: Any):
    rules = Attachments(beside_components=False)
    assert rules.check(backend, *FOLLOW_UP, {"content": "hello"}, [UPLOAD])
    with pytest.raises(Refused, match="with components"):
        rules.check(backend, *FOLLOW_UP, {"flags": COMPONENTS_V2, "components": PICTURE}, [UPLOAD])
