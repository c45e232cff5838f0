"""People, their names as they are shown, and namesakes: people of one name, told apart by a sign before each name.

Where a picture shows the names, people whose names it can't write get such a sign, too: it stands alone in the picture.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Final, Protocol, TypeVar, cast
from unicodedata import combining, normalize

from bot.platform.language.spelling import BLANKS
from bot.platform.memories import naming

NOBODY: Final = "—"
"""The name shown for a person who was erased."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: the id, and the name shown."""

    id: int
    name: str


LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÆĐĦŁŊŒØÞŦƏБГДЖИЛПУФЦЧШЩЪЫЬЭЮЯЂЄЉЊЋЏҐҒҚҢҰҺΔΘΛΞΣΨΩ"
"""Digits and capitals of Latin, Cyrillic and Greek; those that look the same in two of them are here only once."""
ACCENTS: Final = (
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328"
)
_ALIKE: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮЗӘӨ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΓΠΦ" + "Ðıĸᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ" + "’‘ʼʻ′´`⁄—",
    "ABESIJKMHOPCTXY3ƏΘ" + "ABEZHIKMNOPTYXГПФ" + "ĐIKABCDEFGHIJKLMNOPRSTUVWYZ" + "'''''''/–",
)
"""Letters that are drawn as others: those of two alphabets that look the same, and small capitals."""
_FILLED: Final = {
    first + n: chr(ord("A") + n)
    for first in (0x1F150, 0x1F170)  # white letters in black circles and squares
    for n in range(26)
}


@naming
@lru_cache(maxsize=4096)
def capitals(text: str) -> str:
    """Fold a text to capitals, each followed by its accents. Fancy letters become plain, and unknown accents fall away.

    >>> capitals("𝓔𝓶𝓶𝓪 O’Neil")
    "EMMA O'NEIL"
    """
    plain = normalize("NFKD", text.translate(_ALIKE).translate(_FILLED)).upper()
    signs = normalize("NFKD", plain.replace("ẞ", "SS")).translate(_ALIKE)
    return "".join(sign for sign in signs if sign in ACCENTS or not combining(sign))


SIGNS: Final = "△□○◇▽"
"""Signs that fonts have as text and pictures can draw. A sixth namesake gets the first one twice, and so on."""


class Named(Protocol):
    """A value with a name."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)
V = TypeVar("V")


@naming
@lru_cache(maxsize=4096)
def _look(name: str, *, drawn: bool) -> str:
    """Reduce a name to what a picture shows of it; if that is nothing and it isn't drawn, to the whole name."""
    if name == NOBODY:
        return name
    look = "".join(sign for sign in capitals(name) if sign in LETTERS or sign in ACCENTS or sign in SIGNS)
    if any(sign in LETTERS for sign in look):
        return look
    return look.strip(ACCENTS) if drawn else unicodedata.normalize("NFKD", name).casefold()


def names_apart(names: Sequence[str], *, drawn: bool = False) -> list[str]:
    """Put a sign before each name that looks like another one of them, and if they are `drawn`, before those that can't
    be.

    >>> names_apart(["Ana", "Bea", "ANA"])
    ['△ Ana', 'Bea', '□ ANA']
    >>> names_apart(["Ana", "שרה"], drawn=True)
    ['Ana', '△ שרה']
    """
    looks = [_look(name, drawn=drawn) for name in names]
    often = Counter(looks)
    if all(look and often[look] == 1 for look in looks):
        return list(names)
    met, found = Counter[str](), list[str]()
    for name, look in zip(names, looks, strict=True):
        turn, sign = divmod(met[look], len(SIGNS))
        met[look] += 1
        found.append(name if look and often[look] == 1 else f"{SIGNS[sign] * (turn + 1)} {name}")
    return names_apart(found, drawn=drawn)  # somebody may have such a sign in their name


def told_apart(bearers: Iterable[N], *, drawn: bool = False) -> tuple[N, ...]:
    """Put signs before the names of different people, or of other values with names, that look the same."""
    bearers = tuple(bearers)
    names = names_apart([bearer.name for bearer in bearers], drawn=drawn)
    return tuple(
        each if each.name == name else replace(each, name=name) for each, name in zip(bearers, names, strict=True)
    )


def people_apart(people: Iterable[Person]) -> dict[int, str]:
    """Return by their ids the names of people who may be listed more than once, told apart, also in pictures; empty if
    nobody needs a sign."""
    known = {person.id: person for person in people}
    told = told_apart(known.values(), drawn=True)
    return {} if told == tuple(known.values()) else {person.id: person.name for person in told}


def renamed(value: V, names: Mapping[int, str]) -> V:
    """Give people other names, by their ids, wherever a value names them."""
    if isinstance(value, Person):
        return cast("V", replace(value, name=names.get(value.id, value.name)))
    if isinstance(value, tuple):
        return cast("V", tuple(renamed(each, names) for each in cast("tuple[object, ...]", value)))
    if is_dataclass(value) and not isinstance(value, type):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        new = {key: each for key, old in found.items() if (each := renamed(old, names)) != old}
        return cast("V", replace(value, **new)) if new else value
    return value


def sign_of(name: str) -> str:
    """Return the sign of somebody who has a namesake, with a space after it; empty without one.

    >>> sign_of("△ Ana"), sign_of("Ana")
    ('△ ', '')
    """
    sign, space, _ = name.partition(" ")
    return sign + space if space and not sign.strip(SIGNS) else ""


LONGEST: Final = 32
# Characters that format anywhere (the colon begins :emoji: and ends http), and those that do at the start of a line,
# for a heading, a quote or a list. A dot makes a list only after a number.
_MARKS: Final = re.compile(r"[\\*_~|`<\[:]|^[#>-]")
_NUMBERED: Final = re.compile(r"^([0-9]+)\.")
# Discord looks for these before it handles backslashes, so only a character in the middle breaks them.
_PINGS: Final = re.compile(r"@(?=everyone|here|[!&]?[0-9]{17,20})")


def plain(name: str, longest: int = LONGEST) -> str:
    """Write a name without control and direction marks, on one line, at most `longest` characters long.

    The sign of somebody who has a namesake isn't counted.
    """
    kept = "".join(
        " " if c.isspace() or c in BLANKS else c
        for c in name
        if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    )
    kept = " ".join(kept.split())
    longest += len(sign_of(kept))
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


@naming
@lru_cache(maxsize=4096)  # one click writes the same few names a dozen times
def safe(name: str, longest: int = LONGEST) -> str:
    """Escape a name for a text that Discord formats, at most twice as long as the plain one."""
    escaped = _NUMBERED.sub(r"\1\\.", _MARKS.sub(r"\\\g<0>", plain(name, longest)))
    return _PINGS.sub("@\u200b", escaped) or "?"
