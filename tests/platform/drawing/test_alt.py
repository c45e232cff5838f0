"""The description of a picture has room for what it says, and for the sign that something is left out."""

from dataclasses import dataclass

from hypothesis import example, given
from hypothesis import strategies as st

from bot.platform.drawing.scenes import LONGEST, Picture, Scene, Shared
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words


@dataclass(frozen=True)
class Told(Scene):
    """A picture of which only the sentences matter, given by their lengths."""

    lengths: tuple[int, ...]

    def paint(self, shared: Shared) -> Picture:
        raise NotImplementedError

    def sentences(self, t: Words) -> list[str]:
        return ["a" * length for length in self.lengths]


@given(st.lists(st.integers(1, 700), max_size=6).map(tuple))
@example((500, 522, 9))
def test_a_description_fits_and_ends_with_a_whole_sentence(lengths: tuple[int, ...]) -> None:
    scene, t = Told(lengths), words("en")
    alt = scene.alt(t)
    assert len(alt) <= LONGEST
    whole = " ".join(scene.sentences(t))
    assert alt == whole or (whole.startswith(alt.removesuffix(" …")) and alt.endswith(" …"))
