"""A picture on a screen, with its alt text."""

from dataclasses import dataclass

from bot.platform.drawing.scenes import Scene
from bot.platform.language.texts import Words
from bot.platform.layout import Component, picture_of


@dataclass(frozen=True, slots=True)
class Pictured:
    """A scene, and the component that shows its picture."""

    scene: Scene
    component: Component


def pictured(scene: Scene, t: Words) -> Pictured:
    """The component of a scene's picture, described in these words."""
    return Pictured(scene, picture_of(scene.alt(t)))
