"""How Discord says no."""

from __future__ import annotations


class Refused(Exception):
    """Discord refuses a request: the status, its code and its words. `meant`: the request as such was in order."""

    def __init__(self, status: int, code: int, message: str, *, meant: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.meant = meant
