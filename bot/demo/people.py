"""The people of the demo: who can sit at this computer, and in which language Discord speaks to them."""

from __future__ import annotations

from dataclasses import dataclass

LOCALES = ("es-ES", "es-419", "en-US", "en-GB")
"""The Discord locales the page lets somebody choose."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who uses the demo in a browser window of their own."""

    slug: str
    """The name in the address: ``/as/ana``."""
    name: str
    """The name everybody sees."""
    locale: str
    """The Discord locale this person starts with."""
    colour: str
    """The background of the drawn avatar; white letters are readable on each of them."""


ROSTER = (
    Person("ana", "Ana", "es-ES", "#c2410c"),
    Person("luis", "Luis", "es-419", "#0f766e"),
    Person("emma", "Emma", "en-US", "#7c3aed"),
    Person("jordi", "Jordi", "es-ES", "#b45309"),
    Person("marta", "Marta", "es-ES", "#be185d"),
    Person("noah", "Noah", "en-GB", "#1d4ed8"),
)
"""Everybody there could be. Only append: the order decides the ids, and the bot's file remembers those."""

PEOPLE = ROSTER
"""Everybody there is, unless a world is made with fewer: as many as the largest table seats."""
