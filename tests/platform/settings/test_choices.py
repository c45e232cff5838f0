"""Settings and preferences as they are stored: what isn't known of a newer text costs itself alone, and is kept."""

import json

import pytest

from tests.platform.settings.chosen import CHOICES

every_form = pytest.mark.parametrize("form", CHOICES)


@every_form
def test_what_is_written_now_is_written_again_as_it_was_and_covers_every_field(form: str):
    kind, covered = type(CHOICES[form][0]), set[str]()
    for choices in CHOICES[form]:
        text = choices.dump()
        assert text is not None
        assert kind.load(text) == choices
        assert kind.load(text).dump() == text
        covered |= json.loads(text).keys()
    assert covered == kind.model_fields.keys()


@every_form
@pytest.mark.parametrize("value", [{"newer": []}, [7], -1.5])
def test_of_a_made_up_newer_text_one_value_alone_is_lost_and_all_of_it_is_kept(form: str, value: object):
    kind = type(CHOICES[form][0])
    known: dict[str, object] = {}
    for choices in CHOICES[form]:
        known |= json.loads(choices.dump() or "")
    for field in (*known, "brand_new"):
        stored = known | {field: value}
        read = kind.load(json.dumps(stored))
        assert [each for each in stored if not read.knows(each)] == [field]
        assert json.loads(read.changed().dump() or "") == stored
