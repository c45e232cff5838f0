"""People's names are plain text: nothing in them formats, pings or reverses the text direction."""

import re
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.platform.people import LONGEST, plain, safe

MARKS = "*_~|`"
NASTY = st.text(
    alphabet=st.one_of(st.sampled_from(MARKS + "\\<>[]()@#-.: !&aé12"), st.characters()),
    max_size=60,
)
PHRASES = ("@everyone", "@here", "@!123456789012345678", "[a](http://b.c)", "[**a**](b)", "<@1>", "1. ", "-# ", ">>> ")


def literal(text: str) -> str:
    """What Discord shows for a text with all formatting escaped; fails if a character would still format."""
    shown = ""
    for token in re.findall(r"\\.|.", text):
        if len(token) == 2:  # before letters, digits and spaces Discord would show the backslash itself
            assert token[1] in string.punctuation, text
        else:
            assert token not in MARKS + "\\<[:", text
            assert shown or token not in "#>-", text
            assert token != "." or not re.fullmatch("[0-9]+", shown), text
        shown += token[-1]
    return shown.replace("\u200b", "")


@given(st.text(max_size=200))
def test_a_name_is_one_line_of_at_most_32_characters_without_control_or_direction_marks(name: str):
    text = plain(name)
    assert len(text) <= LONGEST
    assert not {unicodedata.category(c) for c in text} & {"Cc", "Cf", "Zl", "Zp", "Cs"}
    assert text == " ".join(text.split())
    assert plain(text) == text


@given(NASTY)
def test_nothing_in_a_name_formats_or_pings(name: str):
    text = safe(name)
    assert text
    for mark in MARKS:
        assert not re.search(rf"(?<!\\)(?:\\\\)*{re.escape(mark)}", text), text
    assert not re.search(r"<[@#:!&]", text.replace("\\<", ""))
    assert "@everyone" not in text
    assert "@here" not in text


@given(st.one_of(NASTY, st.lists(st.one_of(st.sampled_from(PHRASES), NASTY), max_size=5).map("".join)))
def test_an_escaped_name_reads_as_the_plain_one_without_formatting(name: str):
    text = safe(name)
    assert literal(text) == (plain(name) or "?")
    assert len(text) <= 2 * max(1, len(plain(name)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("[x](a)", "\\[x](a)"),
        ("[**x**](a)", "\\[\\*\\*x\\*\\*](a)"),
        ("http://a.b", "http\\://a.b"),
        ("# Ana #1", "\\# Ana #1"),
        ("> Ana > Bea", "\\> Ana > Bea"),
        ("-# Ana-Lía", "\\-# Ana-Lía"),
        ("12. Ana. 1.", "12\\. Ana. 1."),
        ("@everyone", "@\u200beveryone"),
        ("<@!123456789012345678>", "\\<@\u200b!123456789012345678>"),
        ("Ana@casa", "Ana@casa"),
    ],
)
def test_only_what_would_format_or_ping_is_escaped(name: str, text: str):
    assert safe(name) == text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana \n Bea  ", "Ana Bea"),
        ("\u202eanA", "anA"),
        ("\u2066Ana\u2069", "Ana"),
        ("A\u200bn\u200da", "Ana"),
        ("x" * 40, "x" * 31 + "…"),
        ("José Ñandú 🧹", "José Ñandú 🧹"),
        ("\x00\x07", ""),
    ],
)
def test_names_are_shown_cleaned_and_cut(name: str, shown: str):
    assert plain(name) == shown


@pytest.mark.parametrize("name", ["\u200b\u200b", "", "   ", "\x00", "\u3164", "\u2800 \uffa0"])
def test_an_empty_name_is_shown_as_a_question_mark(name: str):
    assert safe(name) == "?"


@pytest.mark.parametrize(
    "name", ["**Ana**", "_a_", "||x||", "`x`", "[x](http://a.b)", "<@1>", "<:x:1>", "<t:0:R>", "http://a.b/*x*_y_"]
)
def test_markdown_and_mentions_are_shown_as_characters(name: str):
    text = safe(name)
    assert not re.search(r"(?<!\\)[*_|`<\[]", text), text
