"""What Discord does with a click before the bot hears of it."""

from typing import Any

from simcord import BackendError
from simcord.backend import Backend

from tests.support.fake_discord.refused import Refused
from tests.support.limits_components import walk

VALIDATION_FAILED = 50035
FAILED = "This interaction failed"
"""What Discord's client tells a person whose click is refused."""


def check_click(backend: Backend, channel_id: int, message_id: int, custom_id: str) -> Any:
    """The message as it is now, if this button or menu on it can still be clicked, however the person last saw it.

    Whether Discord minds that a button has been disabled since isn't known; here it does.

    Raises:
        Refused: if it can't be clicked.
    """
    try:
        message = backend.get_message(channel_id, message_id)
    except BackendError as error:
        raise Refused(error.status, error.code, FAILED) from error
    if any(node.get("custom_id") == custom_id and not node.get("disabled") for _, node in walk(message.components)):
        return message
    raise Refused(400, VALIDATION_FAILED, FAILED)
