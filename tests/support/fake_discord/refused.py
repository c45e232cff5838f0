"""How Discord refuses a request."""

from typing import Any


class Refused(Exception):
    """A refused request: status, Discord's error code and message, and for a form `errors` by its fields.

    `meant`: the request itself was valid.
    """

    def __init__(
        self, status: int, code: int, message: str, *, meant: bool = False, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.meant = meant
        self.errors = errors

    @property
    def said(self) -> dict[str, Any]:
        """The body of Discord's response."""
        return {"code": self.code, "message": self.message} | ({"errors": self.errors} if self.errors else {})
