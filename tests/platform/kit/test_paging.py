"""A long list is shown page by page: its buttons stop at the ends, and a page that isn't there is the last one."""

from hypothesis import given
from hypothesis import strategies as st

from bot.platform.kit.codec import LARGEST
from bot.platform.kit.paging import Paging
from bot.platform.language.catalogues import words

EN = words("en")


@given(st.integers(0, 200), st.integers(1, 12))
def test_the_pages_together_show_each_item_once(total: int, size: int) -> None:
    items, shown, page = range(total), list[int](), Paging.of(0, total, size)
    for number in range(page.pages):
        page = Paging.of(number, total, size)
        shown += page.shown(items)
        before, after = page.buttons("b", "a", EN) or [{"disabled": True}] * 2
        assert before.get("disabled", False) is (number == 0)
        assert after.get("disabled", False) is (number == page.pages - 1)
    assert shown == list(items)


@given(st.integers(0, LARGEST), st.integers(0, 200))
def test_beyond_the_last_page_the_last_one_is_shown(page: int, total: int) -> None:
    found = Paging.of(page, total, 10)
    assert 0 <= found.before <= found.page < found.pages
    assert Paging.of(found.after, total, 10).page in (found.page, found.after)


def test_a_list_on_one_page_has_no_number_and_no_buttons() -> None:
    only = Paging.of(0, 10, 10)
    assert only.text(EN) is only.note(EN) is None
    assert only.buttons("b", "a", EN) == []


def test_each_page_says_which_it_is() -> None:
    second = Paging.of(1, 21, 10)
    assert (second.text(EN), second.note(EN)) == ("Page 2 of 3", "-# Page 2 of 3")
    assert [each["label"] for each in second.buttons("b", "a", EN)] == ["Previous", "Next"]
    assert [each["label"] for each in second.buttons("b", "a", EN, ("Newer", "Older"))] == ["Newer", "Older"]
