"""People of one name are told apart by a sign each."""

from hypothesis import given
from hypothesis import strategies as st

from bot.platform.people import SIGNS, Person, names_apart, people_apart, renamed, sign_of, told_apart

ALIKE = st.lists(st.sampled_from(["Ana", "ana", "△ Ana", "△△ Ana", "Ana 🧹", "𝓐𝓷𝓪", "Bea", "אבגד", "△ □ Ana", ""]))


@given(ALIKE)
def test_no_two_look_the_same_and_each_keeps_their_name(names: list[str]):
    told = names_apart(names)
    assert len({each.casefold() for each in told}) == len(names)
    assert all(new.endswith(old) for new, old in zip(told, names, strict=True))
    assert names_apart(told) == told


def test_only_namesakes_get_a_sign():
    assert names_apart(["Ana", "Bea", "Ana B."]) == ["Ana", "Bea", "Ana B."]
    assert names_apart(["Zoé", "Zoe"]) == ["Zoé", "Zoe"], "pictures have accents"
    assert names_apart(["אבגד", "محمد"]) == ["אבגד", "محمد"]
    assert names_apart(["Ana"] * 7)[-2:] == [f"{SIGNS[0] * 2} Ana", f"{SIGNS[1] * 2} Ana"]


def test_names_that_only_pictures_show_alike_are_told_apart_too():
    assert names_apart(["Ana 🌸", "ana"]) == ["△ Ana 🌸", "□ ana"]


def test_somebody_who_is_listed_twice_is_no_namesake():
    one, other = Person(1, "Ana"), Person(2, "Ana")
    assert people_apart([one, one, Person(3, "Bea")]) == {}
    names = people_apart([one, other, one])
    assert names == {1: "△ Ana", 2: "□ Ana"}
    assert renamed((one, (other, Person(3, "Bea"), 7)), names) == (
        Person(1, "△ Ana"),
        (Person(2, "□ Ana"), Person(3, "Bea"), 7),
    )
    assert told_apart([one, other]) == (Person(1, "△ Ana"), Person(2, "□ Ana"))


def test_a_sign_is_found_again():
    assert [sign_of(each) for each in ("△ Ana", "□□ Ana", "Ana", "△Ana", "")] == ["△ ", "□□ ", "", "", ""]
