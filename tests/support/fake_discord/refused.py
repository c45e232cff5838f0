"""How Discord refuses a request."""

from __future__ import annotations


class Refused(Exception):
    """A refused request: status, Discord's error code and message. `meant`: the request itself was valid."""

    def __init__(self, status: int, code: int, message: str, *, meant: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.meant = meant
