"""A clip is a small GIF whose first frame tells the story; its alt text says the same."""

from dataclasses import replace
from functools import cache
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.engine.cards import DECK, Card
from bot.engine.rules import PRESETS, Seating
from bot.engine.story import moments_of
from bot.platform.drawing.scenes import LONGEST, Pictures, paint
from bot.platform.language.catalogues import words
from bot.platform.language.faces import Deck
from bot.replays.pictures.clip import CLIP_WIDTH, ClipScene, ScoreLine, clip_scene
from tests.engine.test_moments import played
from tests.support.dose import thorough_but
from tests.support.layouts import NAME, seats_of

MOST_BYTES = 1_000_000
EN = words("en")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


ESCOBA = ClipScene(
    deck=Deck.SPANISH,
    title="The largest escoba",
    name="Ana",
    seat=1,
    word="Escoba!",
    places=(*cards("1c 2c"), None, *cards("5o")),
    hand=cards("7o 12e"),
    card=Card.parse("7o"),
    taken=cards("1c 2c 5o"),
    worth="7 + 1 + 2 + 5 = 15",
    then=ScoreLine("Round 2 · Ana 5 – Bea 4", "Round 2 · 5 – 4"),
    end=ScoreLine("In the end · Ana 21 – Bea 12", "In the end · 21 – 12"),
)
CAPTURE = replace(ESCOBA, word="", places=DECK[:12], taken=DECK[3:9], hand=DECK[20:30], card=DECK[20])
SUNG = replace(ESCOBA, word="Chorizo!", card=None, taken=(), hand=cards("5o 5c 5e"), worth="+20 points")


@cache
def clip_of(scene: ClipScene) -> bytes:
    return paint(scene).data


def frames_of(data: bytes) -> list[Image.Image]:
    gif = Image.open(BytesIO(data))
    found: list[Image.Image] = []
    for number in range(gif.n_frames):  # type: ignore[attr-defined]
        gif.seek(number)
        found.append(gif.convert("RGB"))
    return found


def apart(one: Image.Image, other: Image.Image) -> int:
    """The number of pixels in which two frames differ clearly: another palette changes all colours a little."""
    return sum(ImageChops.difference(one, other).convert("L").histogram()[64:])


@pytest.mark.parametrize(
    ("scene", "count"),
    [(ESCOBA, 5), (CAPTURE, 5), (replace(SUNG, deck=Deck.FRENCH), 3)],
    ids=["escoba", "capture", "sung"],
)
def test_a_clip_is_small_and_as_wide_as_a_phone_shows_it(scene: ClipScene, count: int) -> None:
    data = clip_of(scene)
    assert data.startswith(b"GIF89a")
    assert len(data) < MOST_BYTES
    frames = frames_of(data)
    assert len(frames) == count, "no two frames in a row are the same"
    assert {frame.width for frame in frames} == {CLIP_WIDTH}
    assert len({frame.height for frame in frames}) == 1
    gif = Image.open(BytesIO(data))
    assert gif.info["loop"] == 0
    assert gif.info["duration"] >= 2000, "the first frame, which tells the story, stays for a while"


def test_the_same_moment_makes_the_same_bytes() -> None:
    picture, again = paint(ESCOBA), paint(replace(ESCOBA))
    assert picture.name.endswith(".gif")
    assert picture.data == again.data == clip_of(ESCOBA)
    assert picture.digest == again.digest


def test_the_first_frame_shows_every_card_of_the_capture_and_what_was_called_out() -> None:
    [first, *_] = frames_of(clip_of(ESCOBA))
    for other in (
        replace(ESCOBA, card=Card.parse("12e")),
        replace(ESCOBA, taken=cards("1c 2c 5e")),
        replace(ESCOBA, word="Chorizo!"),
        replace(ESCOBA, name="Bea"),
        replace(ESCOBA, worth="1 + 1 = 15"),
    ):
        [changed, *_] = frames_of(clip_of(other))
        assert apart(first, changed) > 30


@pytest.mark.parametrize(
    "seating", thorough_but([Seating.TWO, Seating.PAIRS, Seating.FIVE, Seating.TRIPLES], Seating.TWO)
)
def test_a_clips_words_say_what_happened_in_the_match(seating: Seating) -> None:
    for preset in ("escoba", "clasica"):
        rules = replace(PRESETS[preset].rules, target=11)
        [moment, *_] = moments_of(played(5, seating, rules))
        scene = clip_scene(moment, seats_of(seating.seats), EN)
        alt = scene.alt(EN)
        assert len(alt) <= LONGEST
        assert scene.title in alt
        assert scene.worth in alt
        assert scene.name in alt
        if preset == "escoba":
            assert scene.worth.endswith("= 15")
        assert set(scene.taken) <= set(scene.places)
        assert scene.card in scene.hand


@pytest.mark.thorough
async def test_clips_keep_no_picture_waiting_and_only_a_few_clips_wait() -> None:
    pictures = Pictures()
    scenes = [replace(ESCOBA, name=f"Ana {number}") for number in range(6)]
    begun = [pictures.start_painting(scene) for scene in scenes]
    assert [each is not None for each in begun] == [True] * 4 + [False] * 2
    assert pictures.start_painting(scenes[0]) is begun[0]
    made = [await each for each in begun if each is not None]
    assert [pictures.get_if_ready(scene) for scene in scenes[:4]] == made
    await pictures.close()
    assert pictures.start_painting(scenes[5]) is None


def test_a_name_that_cannot_be_written_is_the_seats_number_and_long_ones_fit() -> None:
    assert paint(replace(ESCOBA, name="东")).data == paint(replace(ESCOBA, name="#1")).data
    long = ScoreLine(f"Round 2 · {NAME} 5 – {NAME} 4 – {NAME} 12", "Round 2 · 5 – 4 – 12")
    short = replace(ESCOBA, then=ScoreLine(long.short, long.short))
    assert paint(replace(ESCOBA, then=long)).data == paint(short).data
