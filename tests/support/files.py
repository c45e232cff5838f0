"""Files that the bot has sent to people."""

from tests.support.escoba import Room
from tests.support.limits import COMPONENTS_V2
from tests.support.limits_components import FILE, walk
from tests.support.people import Message, Person, components_of


def files_in(message: Message) -> list[str]:
    """The addresses of the files that a message's components show."""
    return [node["file"]["url"] for _, node in walk(components_of(message)) if node.get("type") == FILE]


def file_of(here: Room, person: Person) -> tuple[str, bytes]:
    """The name and content of the file on the person's newest private message, which must show it."""
    message = person.stored(person.panel(here.channel))
    [attachment] = message.attachments
    assert files_in(person.panel(here.channel)) == [attachment["url"]] * bool(message.flags & COMPONENTS_V2)
    content = here.env.backend.cdn.get(attachment["url"])
    assert content is not None
    return attachment["filename"], content
