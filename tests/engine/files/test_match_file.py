"""A match as a file: written, read again, and refused if anything in it is wrong."""

import re
from dataclasses import replace
from itertools import islice
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.errors import IllegalMove, NotationError
from bot.engine.events import Event, MatchStarted, Played
from bot.engine.match import replay
from bot.engine.match_file import LARGEST, LONGEST_NAME, MatchFile, MatchFileError, one_line, read, write
from bot.engine.proofs import prove
from bot.engine.rules import Prime, Rules, Seating
from tests.support.engine import COMBOS, QUICK, card, random_events

NAMES = ("Ana", "Bea #1", "Carla", "", "Eva: seat 5", "Fina")


def file_of(preset: str, seating: Seating, seed: int, length: int | None = None, **changes: Any) -> MatchFile:
    """A random match as a file, whole or broken off after some events."""
    game = islice(random_events(preset, seating, Random(seed), **changes), length)
    return MatchFile(preset, NAMES[: seating.seats], tuple(event for event, _ in game), "2026-11-23 21:30 UTC")


MATCH = file_of("escoba", Seating.TWO, 5, target=5)
TEXT = write(MATCH)


def line_of(beginning: str) -> str:
    """The first line of the match with this beginning."""
    return next(line for line in TEXT.splitlines() if line.startswith(beginning))


def refused(text: str | bytes) -> tuple[int, str]:
    """The line and the problem for which a text is refused."""
    with pytest.raises(MatchFileError) as refusal:
        read(text)
    assert len(str(refusal.value)) < 400
    return refusal.value.line, refusal.value.problem


@QUICK
@given(st.sampled_from(COMBOS), st.integers(0), st.integers(1, 150), st.integers(0, 3), st.booleans())
def test_every_match_is_read_back_as_it_was_wherever_it_was_broken_off(combo, seed, length, unopened, drawn):
    preset, seating = combo
    file = file_of(preset, seating, seed, length, target=5)
    if unopened < 3:
        opened = max(0, len(file.match.scores) - unopened)
        proof = prove(bytes([seed % 256] * 32), 1_200_000_000_000_000_000, seating, opened, draws_dealer=drawn)
        file = replace(file, proof=proof)
        assert write(file).count("\nlink: ") == opened
    text = write(file)
    again = read(text)
    assert again == file
    assert again.match == replay(file.events)
    assert write(again) == text
    assert read(text.encode()) == read(text.replace("\n", "\r\n")) == file


def test_a_proof_edited_into_an_impossible_one_is_refused():
    rounds = len(MATCH.match.scores)
    assert rounds > 1
    text = write(replace(MATCH, proof=prove(bytes(32), 99, Seating.TWO, rounds)))
    lines = text.splitlines()
    links = [line for line in lines if line.startswith("link: ")]
    for old, new, problem in (
        (links[0], links[0][:-1], "not a link"),
        (links[0], links[0] + "!", "not a link"),
        (links[0] + "\n", "", "is missing"),
        (next(line for line in lines if line.startswith("commitment: ")), "commitment: ?", "not a link"),
        ("message: 99", "message: x", "a whole number"),
        ("message: 99", "message: " + "9" * 5000, "a whole number"),
        ("posted: 1", "posted: -1", "a whole number"),
        ("draws dealer: yes", "draws dealer: 1", "yes or no"),
    ):
        line, said = refused(text.replace(old, new, 1))
        assert problem in said
        assert line
    assert "is missing" in refused(TEXT.replace("\nround 2", f"\n{links[0]}\nround 2"))[1]


def test_a_match_of_fixed_length_may_be_drawn():
    drawn = next(
        file for seed in range(200) if (file := file_of("escoba", Seating.TWO, seed, rounds=1)).match.winner is None
    )
    assert write(drawn).endswith("\nresult: drawn\n")
    assert read(write(drawn)) == drawn


def test_somebody_who_reads_it_sees_hands_escobas_scores_and_the_result():
    seeds = (file_of("escoba", Seating.PAIRS, seed, target=11) for seed in range(100))
    file = next(file for file in seeds if " takes the table: " in write(file))
    text = write(file)
    match = file.match
    assert text.count("\n# seat 0: ") == len(match.scores) * len(match.rules.hands(match.seating))
    openings = text.count(" takes the table: escoba\n") + 2 * text.count(" takes the table: 2 escobas\n")
    assert text.count("  # escoba\n") + openings == sum(match.escobas) > openings > 0
    assert text.count("\nround ") == len(match.scores)
    assert f"\ntotals: {match.totals[0]} - {match.totals[1]}\n\nresult: side {match.winner} wins\n" in text


def test_cantos_and_the_cards_of_a_prime_of_sevens_are_named():
    changes: dict[str, Any] = {"cantos": True, "prime": Prime.SEVENS, "target": 5}
    file = next(
        file for seed in range(100) if "  # flor: " in write(file := file_of("escoba", Seating.TWO, seed, **changes))
    )
    text = write(file)
    assert read(text) == file
    sung = [line for line in text.splitlines() if " sing" in line]
    cards = re.fullmatch(r"[01] sing  # flor: (\S+) (\S+) (\S+)", next(line for line in sung if "flor" in line))
    assert cards is not None
    assert len({each[-1] for each in cards.groups()}) == 1
    assert re.search(r"^prime: [76 15]+ - [76 15]+ => \d - \d$", text, re.MULTILINE)


@given(st.text(), st.text())
def test_any_name_stays_on_one_line_and_is_read_as_it_was_written(first, second):
    file = MatchFile("escoba", (first, second), MATCH.events[:1])
    names = read(write(file)).names
    assert names == (one_line(first), one_line(second))
    assert all(name == one_line(name) and len(name) <= LONGEST_NAME for name in names)


def test_remarks_blank_lines_and_needless_space_do_not_count():
    move = line_of("0 ")
    edited = TEXT.replace(move, f"\n   {move.replace(' ', '   ', 1)} # a good one\n\n# indeed", 1)
    assert read(edited) == MATCH
    assert write(read(edited)) == TEXT


def test_rules_that_a_file_does_not_name_have_their_defaults():
    assert read(TEXT.replace(" most_sevens=no", "")) == MATCH


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("version 1", "version 2", "begins with 'escoba match, version 1'"),
        ("preset: escoba", "preset: tute", "a preset is one of escoba, juegon"),
        ("preset: escoba", "presets", "should be 'preset: ...'"),
        ("duty=compulsory", "duty=perhaps", "not a value of duty: 'perhaps'"),
        ("duty=compulsory", "mood=good", "not a rule: 'mood'"),
        ("table=4", "table=5", "can't be played: cards do not divide"),
        ("seating: 2", "seating: 9", "a seating is one of 2, 3, 4"),
        ("dealer: 1", "dealer: 2", "the dealer is one of the seats 0, 1"),
        ("dealer: 1", "dealer: 0", "it's another seat's turn"),
        ("21:30 UTC", "9 pm", "a time is written as"),
        ("seat 1: Bea", "seat 2: Bea", "should be 'seat 1: ...'"),
        ("round 1", "round 2", "should be 'round 1'"),
        ("target=5", "target=101", "'result: broken off'"),
    ],
)
def test_a_mistake_is_reported_with_its_line(old, new, problem):
    edited = TEXT.replace(old, new, 1)
    line, said = refused(edited)
    assert problem in said
    if new in {"dealer: 0", "target=101"}:  # these are noticed only once they matter
        assert line > edited.splitlines().index("round 1")
    elif new == "table=5":
        assert edited.splitlines()[line - 1] == "seating: 2"
    else:
        assert new in edited.splitlines()[line - 1]


def test_a_wrong_move_score_or_result_is_reported_with_its_line():
    lines = TEXT.splitlines()
    move = lines.index("1 4b x 2b 3e 6b  # escoba")
    for wrong, problem in (
        (f"{lines[move][0]} 3b", "doesn't hold that card"),
        (f"{1 - int(lines[move][0])}{lines[move][1:]}", "it's another seat's turn"),
        ("it was late", "not an event"),
        ("deal 1o", "the round before it isn't over"),
        ("match seating=2 dealer=0", "the round before it isn't over"),
    ):
        line, said = refused("\n".join([*lines[:move], wrong, *lines[move + 1 :]]))
        assert line == move + 1
        assert problem in said
    for beginning in ("left:", "escobas:", "seven_of_oros:", "prime:", "points:", "totals:", "result:"):
        number = next(number for number, line in enumerate(lines) if line.startswith(beginning))
        line, problem = refused("\n".join([*lines[:number], f"{beginning} 9 - 9", *lines[number + 1 :]]))
        assert line == number + 1
        assert f"by the moves, this is {lines[number]!r}" in problem


def test_a_card_twice_in_a_deck_is_noticed():
    deck = line_of("deal ")
    line, problem = refused(TEXT.replace(deck, " ".join(["deal", *deck.split()[2:], deck.split()[2]])))
    assert "all forty cards" in problem
    assert TEXT.splitlines()[line - 1] == deck


@pytest.mark.parametrize("kept", [0, 1, 3, 8, 12, 20, 60])
def test_a_text_that_is_cut_off_is_refused(kept):
    line, problem = refused("\n".join(TEXT.splitlines()[:kept]))
    assert "ends here" in problem
    assert line <= max(kept, 1)


def test_nothing_follows_the_result():
    assert refused(TEXT + "\nround 9\n")[1] == "nothing follows the result"
    assert read(TEXT + "\n# the end\n") == MATCH


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 1000,
        b"GIF89a\xff\xfe",
        b"x" * (LARGEST + 1),
        b"\n" * LARGEST,
        b"{" * LARGEST,
        TEXT.encode().replace(b"Ana", b"An\xe1"),
        TEXT.encode("utf-16"),
        TEXT.replace("seating: 2", "seating: " + "9" * 5000),
        TEXT.replace("target=5", "target=" + "9" * 5000),
        TEXT.replace("round 1", "deal " + "1o " * 200_000),
    ],
    ids=range(11),
)
def test_content_that_is_not_a_match_is_refused_quickly(content):
    begun = process_time()
    refused(content)
    assert process_time() - begun < 1


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_content_breaks_the_reader(content):
    with pytest.raises(NotationError):
        read(content)


@QUICK
@given(st.integers(0, len(TEXT) - 1), st.sampled_from("0123456789 oceb:x#\n?-=é"))
def test_one_changed_character_is_refused_or_leaves_the_totals_alone(place, sign):
    edited = TEXT[:place] + sign + TEXT[place + 1 :]
    try:
        file = read(edited)
    except MatchFileError as refusal:
        assert 1 <= refusal.line <= edited.count("\n") + 1  # noqa: PT017 - most changes are refused, some are remarks
    else:
        assert file.match.totals == MATCH.match.totals
        assert read(write(file)) == file


def test_an_impossible_match_is_not_written():
    begun = MatchStarted(Rules(), Seating.TWO, 0)
    events: list[tuple[Event, ...]] = [(), (Played(0, card("4c")),), (begun, Played(0, card("4c"))), (begun, begun)]
    for each in events:
        with pytest.raises(IllegalMove):
            write(replace(MATCH, events=each))
