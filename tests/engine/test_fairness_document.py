"""docs/FAIRNESS.md is all that a stranger needs: the program in it finds what the bot's own check finds."""

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypedDict

import playwright
import pytest

from bot.__main__ import main
from bot.engine import deals
from bot.engine.cards import DECK, Card
from bot.engine.events import Event, MatchStarted, RoundDealt
from bot.engine.match import start
from bot.engine.match_checks import check_lines
from bot.engine.match_file import MatchFile, MatchFileError, read, write
from bot.engine.proofs import DealFault, Proof, prove
from bot.engine.rules import Rules, Seating
from tests.support.dose import dose
from tests.support.engine import next_event

MATCHES = dose("MATCHES_DEALT", 1_000)
DOCUMENT = Path(__file__).parents[2] / "docs" / "FAIRNESS.md"
NODE = Path(playwright.__file__).parent / "driver" / "node"
"""The JavaScript engine that comes with the browser tests."""
WORDS = {DealFault.UNOPENED: "unopened", DealFault.LINK: "link", DealFault.DECK: "deck", DealFault.DEALER: "dealer"}
_ALL = """
let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", async () => {
  const found = [];
  for (const file of JSON.parse(text)) found.push(await check(file));
  console.log(JSON.stringify(found));
});
"""


class Report(TypedDict):
    """What the program in the document says about a file."""

    rounds: int
    checked: int
    wrong: list[str]
    unseen: list[str]


UNSEEN = ["moves", "scores", "result"]


def reports_of_the_document(files: Sequence[str]) -> list[Report]:
    """The reports of the program in the document about each file."""
    [program] = re.findall(r"^```js\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    command = [NODE, "--input-type=module", "--eval", program + _ALL]
    done = subprocess.run(command, input=json.dumps(files), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def found_by_the_document(files: Sequence[str]) -> list[list[str]]:
    """The flaws that the program in the document finds in each file."""
    return [each["wrong"] for each in reports_of_the_document(files)]


def as_file(proof: Proof, decks: Sequence[Sequence[Card]], dealer: int) -> str:
    """The lines of a match's file that tell how it was dealt; the moves are left out."""
    lines = [
        "escoba match, version 1",
        f"seating: {proof.seating}",
        f"dealer: {dealer}",
        f"commitment: {proof.commitment}",
        f"message: {proof.message_id}",
        f"posted: {proof.posted}",
        f"draws dealer: {'yes' if proof.draws_dealer else 'no'}",
    ]
    for number, deck in enumerate(decks, 1):
        lines += [f"round {number}", f"deal {' '.join(map(str, deck))} # dealt", "points: 1 - 2"]
        lines += [f"link: {link}" for link in proof.links[number - 1 : number]]
    return "\n".join(lines)


def any_match(rng: Random) -> tuple[Proof, list[tuple[Card, ...]], int]:
    """A match's proof, decks and dealer; in about half of the cases one of them is wrong."""
    seating = rng.choice(list(Seating))
    proof = prove(rng.randbytes(32), rng.getrandbits(62), seating, rng.randint(1, 3), draws_dealer=rng.random() < 0.8)
    decks = [proof.deck(number) for number in range(1, len(proof.links) + 1)]
    dealer = deals.dealer(deals.from_text(proof.links[0]), proof.message_id, seating)
    match rng.randrange(12):
        case 0:
            decks[-1] = tuple(rng.sample(DECK, 40))
        case 1:
            dealer = (dealer + 1) % seating.seats
        case 2:
            proof = replace(proof, message_id=proof.message_id + 1)
        case 3:
            proof = replace(proof, links=proof.links[:-1])
        case 4:
            proof = replace(proof, commitment=deals.to_text(rng.randbytes(32)))
        case 5:
            proof = replace(proof, links=tuple(reversed(proof.links)))
        case _:
            pass
    return proof, decks, dealer


@pytest.mark.thorough
def test_the_document_and_the_bot_find_the_same_in_random_matches() -> None:
    rng = Random(22)
    matches = [any_match(rng) for _ in range(MATCHES)]
    expected = [
        [f"{flaw.round} {WORDS[flaw.fault]}" for flaw in proof.flaws(decks, dealer)] for proof, decks, dealer in matches
    ]
    assert found_by_the_document([as_file(*each) for each in matches]) == expected
    assert 0.4 < expected.count([]) / MATCHES < 0.9
    assert {line.split()[1] for lines in expected for line in lines} == set(WORDS.values())


def played(proof: Proof, *, dealer: int | None = None) -> MatchFile:
    """A match that is dealt by a proof, and broken off when its links are used up."""
    rng = Random(3)
    drawn = deals.dealer(deals.from_text(proof.links[0]), proof.message_id, proof.seating)
    events: list[Event] = [MatchStarted(Rules(target=101), proof.seating, drawn if dealer is None else dealer)]
    match = start(events[0])  # type: ignore[arg-type]
    for number in range(1, len(proof.links) + 1):
        events.append(RoundDealt(proof.deck(number)))
        match = match.apply(events[-1])
        while match.turn is not None:
            events.append(next_event(match, rng))
            match = match.apply(events[-1])
    return MatchFile("escoba", ("Ana", "Bea"), tuple(events), proof=proof)


def test_a_match_that_was_saved_is_checked_by_both() -> None:
    proof = prove(bytes(range(32)), 1_442_000_000_000_000_001, Seating.TWO, 2)
    text = write(played(proof))
    assert found_by_the_document([text]) == [[]]
    lines, good = check_lines(read(text))
    assert good
    assert lines[-3:] == [
        "These decks, and who dealt first, follow from this commitment and this message.",
        "Compare both, and how often it was posted, with the table's message in Discord: a file proves nothing.",
        "Whoever runs the bot could have posted tables and thrown them away until an id suited them.",
    ]

    other = write(played(proof, dealer=1 - played(proof).start.dealer))
    assert found_by_the_document([other]) == [["1 dealer"]]
    lines, good = check_lines(read(other))
    assert not good
    assert lines[-1] == "1 of 2 rounds fail the check."
    assert any(line.startswith("round 1: the first dealer isn't the one") for line in lines)


def test_the_command_says_what_it_does_not_check() -> None:
    proof = prove(bytes(range(32)), 1, Seating.TWO, 2)
    match = played(proof)
    second = max(place for place, event in enumerate(match.events) if isinstance(event, RoundDealt))
    broken_off = replace(match, events=match.events[: second + 3], proof=replace(proof, links=proof.links[:1]))
    lines, good = check_lines(read(write(broken_off)))
    assert good
    assert "round 2: it was broken off, so its link stays closed, and its deck isn't checked" in lines
    first = replace(match, events=match.events[:4], proof=replace(proof, links=()))
    lines, good = check_lines(read(write(first)))
    assert not good
    assert lines[-2].startswith("round 1: it was broken off")
    lines, good = check_lines(read(write(replace(match, proof=replace(proof, draws_dealer=False)))))
    assert good
    assert "Who dealt first isn't proven: at a tournament's table the pairing decides it." in lines


def test_what_the_document_has_not_seen_it_says_and_the_command_finds() -> None:
    text = write(played(prove(bytes(range(32)), 1, Seating.TWO, 2)))
    move = next(line for line in text.split("\n") if re.fullmatch(r"[01] \d+[oceb]", line))
    [points, *_] = re.findall(r"(?m)^points: .*$", text)
    changed = [
        text.replace(f"\n{move}\n", f"\n{1 - int(move[0])}{move[1:]}\n", 1),
        text.replace(points, "points: 9 - 9", 1),
    ]
    for each, report in zip(changed, reports_of_the_document(changed), strict=True):
        assert report == {"rounds": 2, "checked": 2, "wrong": [], "unseen": UNSEEN}
        with pytest.raises(MatchFileError):
            read(each)


def test_the_two_bits_of_a_text_that_are_unused_must_be_zero() -> None:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    proof = prove(bytes(range(32)), 1, Seating.TWO, 1)
    [link] = proof.links
    assert f"one of `{digits[::4]}`" in DOCUMENT.read_text(encoding="utf-8")
    last = digits.index(link[-1])
    assert last % 4 == 0
    others = [replace(proof, links=(link[:-1] + digits[last + bits],)) for bits in (1, 2, 3)]
    match = played(proof)
    deck = next(event.deck for event in match.events if isinstance(event, RoundDealt))
    files = [as_file(each, [deck], match.start.dealer) for each in others]
    assert found_by_the_document(files) == [["1 link"]] * 3
    for each in others:
        assert [flaw.fault for flaw in each.flaws([deck], match.start.dealer)] == [DealFault.LINK]


def test_a_match_without_a_proof_says_so() -> None:
    proof = prove(bytes(range(32)), 1, Seating.TWO, 1)
    text = write(replace(played(proof), proof=None))
    lines, good = check_lines(read(text))
    assert not good
    assert "This match has no proof" in lines[0]
    assert found_by_the_document([text]) == [["no proof"]]


def test_the_command_checks_a_saved_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = prove(bytes(range(32)), 1, Seating.TWO, 1)
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(write(played(proof)), encoding="utf-8")
    bad.write_text(write(played(proof)).replace("message: 1", "message: 2"), encoding="utf-8")
    assert main(["verify", str(good)]) == 0
    assert "a file proves nothing" in capsys.readouterr().out
    assert main(["verify", str(bad)]) == 1
    assert "round 1: its deck isn't the one" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "none.txt")]) == 2
    text = good.read_text(encoding="utf-8")
    good.write_text(text[: text.index("round 1")] + "result: broken off\n", encoding="utf-8")
    assert main(["verify", str(good)]) == 1, "nothing could be checked"


def test_remarks_that_somebody_has_written_into_a_file_change_nothing() -> None:
    text = write(played(prove(bytes(range(32)), 1, Seating.TWO, 2)))
    remarked = re.sub(r"^(?!seat |#|$).*$", r"\g<0>  # a remark: yes", text, flags=re.MULTILINE)
    assert read(remarked).proof == read(text).proof
    assert found_by_the_document([remarked, remarked.replace("\n", "\r\n")]) == [[], []]


def test_what_is_missing_in_a_file_is_as_wrong_as_what_is_false() -> None:
    text = write(played(prove(bytes(range(32)), 1_442_000_000_000_000_001, Seating.TWO, 2)))
    lines = text.split("\n")
    second = text.index("round 2")
    needed = ("seating:", "dealer:", "commitment:", "message:", "draws dealer:")
    without = {each: "\n".join(line for line in lines if not line.startswith(each)) for each in needed}
    files = {
        "as it was saved": text,
        "no rounds": text[: text.index("round 1")] + "result: broken off\n",
        "no links": re.sub(r"(?m)^link: .*\n", "", text),
        "no link of round 1": text.replace(next(line for line in lines if line.startswith("link:")) + "\n", "", 1),
        "no link and no points of round 1": re.sub(r"(?m)^(link|points): .*\n", "", text[:second]) + text[second:],
        "a round left out": text[: text.index("round 1")] + text[second:],
        "a round twice": text[:second] + text[text.index("round 1") :],
        "no deck of round 2": text[:second] + re.sub(r"(?m)^deal .*\n", "", text[second:]),
        **without,
    }
    found = dict(zip(files, reports_of_the_document(list(files.values())), strict=True))
    assert found.pop("as it was saved") == {"rounds": 2, "checked": 2, "wrong": [], "unseen": UNSEEN}
    assert found.pop("commitment:")["wrong"] == ["no proof"]
    assert found["no links"]["wrong"] == ["1 unopened", "2 unopened"]
    assert found["no link and no points of round 1"]["wrong"] == ["1 unopened"]
    assert found["no rounds"]["wrong"] == ["no rounds"]
    assert found["draws dealer:"] == {"rounds": 2, "checked": 0, "wrong": ["no draws dealer"], "unseen": UNSEEN}
    assert all(each["wrong"] for each in found.values())


def test_a_round_that_was_broken_off_is_not_among_those_checked() -> None:
    whole = write(played(prove(bytes(range(32)), 1, Seating.TWO, 2)))
    part = whole[: whole.index("left:", whole.index("round 2"))] + "result: broken off\n"
    early = whole[: whole.index("left:")] + "result: broken off\n"
    hidden = part.replace("result: broken off", "result: side 0 wins")
    assert reports_of_the_document([part, early, hidden]) == [
        {"rounds": 2, "checked": 1, "wrong": [], "unseen": UNSEEN},
        {"rounds": 1, "checked": 0, "wrong": ["nothing to check"], "unseen": UNSEEN},
        {"rounds": 2, "checked": 1, "wrong": ["2 unopened"], "unseen": UNSEEN},
    ]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\r", "\x0b", "\x85"])
def test_no_name_can_hide_another_seal(sign: str) -> None:
    own, other = (prove(bytes([n] * 32), 7, Seating.TWO, 2) for n in (1, 2))
    text = write(played(own))
    hidden = sign.join(("seat 0: Ana", f"commitment: {other.commitment}", f"message: {other.message_id}"))
    assert found_by_the_document([text.replace("seat 0: Ana", hidden)]) == [[]]
    assert found_by_the_document([write(played(other)).replace(other.commitment, own.commitment)])[0] != []
    doubled = text.replace("seat 0: Ana", f"commitment: {other.commitment}\nseat 0: Ana")
    assert found_by_the_document([doubled]) == [["no commitment"]]


def test_a_number_is_written_in_one_way_and_spaces_do_not_count() -> None:
    text = write(played(prove(bytes(range(32)), 12, Seating.TWO, 1)))
    spaced = text.replace("message: 12", "message:   12").replace("commitment: ", "commitment:  ")
    assert read(spaced).proof == read(text).proof
    padded = text.replace("message: 12", "message: 012")
    assert found_by_the_document([spaced, padded]) == [[], ["no message"]]
    with pytest.raises(MatchFileError, match="whole number"):
        read(padded)
