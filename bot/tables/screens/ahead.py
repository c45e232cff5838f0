"""The menu in which somebody names a card ahead, for their next turn in a slow match."""

from typing import Final

from bot.cards.words.cards import named, shown_all
from bot.engine.cards import EMPTY, CardSet
from bot.engine.moves import captures
from bot.engine.rules import Seating
from bot.engine.views import SeatView
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Component, menu, option, row
from bot.tables.ids.game import Ref, Verb, pack, unpack
from bot.tables.log.ahead import Ahead

NONE_AHEAD: Final = "none"
"""The value of the menu that withdraws the card."""
ALWAYS, UNTAKEN = "a", "u"
_MOST: Final = 24


def ahead_menu(ref: Ref, seat: SeatView, ahead: Ahead | None, t: Words) -> BoxPart:
    """The menu, with the card that is named already; only its player sees it."""
    match, offered = seat.public, list[Component]()
    ways = (ALWAYS, UNTAKEN) if match.seating is Seating.TWO else (ALWAYS,)
    for card in seat.hand:
        for group in captures(match.rules.capture, card, match.table) or (EMPTY,):
            for way in ways:
                name = named(card, t)
                text = t("{card}, whatever comes", card=name)
                if way == UNTAKEN:
                    text = t("{card}, if they take nothing", card=name)
                value = f"{card}-{way}-{pack(group)}"
                chosen = ahead is not None and value == _value(ahead)
                taken = f"+ {shown_all(group, t)}" if group else None
                offered.append(option(text, value, chosen=chosen, description=taken))
    none = option(t("No card ahead"), NONE_AHEAD, chosen=False)
    first = [none] if ahead is not None else []
    return row(menu(ref.custom_id(Verb.AHEAD), [*first, *offered[:_MOST]], placeholder=t("If … then …")))


def read_ahead(value: str, turn: str, seat: SeatView) -> Ahead | None:
    """The card that a value of the menu names for a turn; None if it names none that the seat holds."""
    code, _, rest = value.partition("-")
    way, _, mask = rest.partition("-")
    card, group = next((each for each in seat.hand if str(each) == code), None), unpack(mask)
    if card is None or group is None or way not in (ALWAYS, UNTAKEN):
        return None
    if way == UNTAKEN and seat.public.seating is not Seating.TWO:
        return None
    return Ahead(turn, card, CardSet(group.mask), untaken=way == UNTAKEN)


def _value(ahead: Ahead) -> str:
    return f"{ahead.card}-{UNTAKEN if ahead.untaken else ALWAYS}-{pack(ahead.captured)}"
