"""A person on the other side of the wire."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the server."""

    id: int
    name: str
