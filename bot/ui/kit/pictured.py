"""A picture on a screen, with its alt text."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ui.layout import Component, picture_of
from bot.ui.pictures.scenes import Scene
from bot.ui.words.texts import Words


@dataclass(frozen=True, slots=True)
class Pictured:
    """A scene, and the component that shows its picture."""

    scene: Scene
    component: Component


def pictured(scene: Scene, t: Words) -> Pictured:
    """The component of a scene's picture, described in these words."""
    return Pictured(scene, picture_of(scene.alt(t)))
