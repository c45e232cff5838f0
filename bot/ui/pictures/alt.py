"""Alt texts for screen readers: everything that a picture shows, and nothing that it doesn't.

Discord takes 1,024 characters. What is needed to play comes first, so a cut loses only what the message says anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.cards import Card
from bot.engine.scoring import Item
from bot.ui.pictures.clip_scene import ClipScene, clip_sentences
from bot.ui.pictures.result_alt import result_sentences
from bot.ui.pictures.result_scene import ResultScene
from bot.ui.pictures.scenes import (
    ItemRow,
    OpenHand,
    PanelScene,
    ReplayScene,
    RoundScene,
    Scene,
    Side,
    TableScene,
    Taking,
)
from bot.ui.pictures.standings_scene import StandingsScene, standings_sentences
from bot.ui.pictures.stats_charts_scene import DuelScene, RatingScene, SourcesScene, chart_sentences
from bot.ui.pictures.stats_scene import StatsScene, stats_sentences
from bot.ui.words.cards import spoken
from bot.ui.words.faces import Deck
from bot.ui.words.memo import cached_by_language
from bot.ui.words.texts import Words

LONGEST: Final = 1024


def alt_text(scene: Scene, t: Words) -> str:
    """A picture in words, in at most 1,024 characters."""
    match scene:
        case TableScene():
            parts = _table(scene, t)
        case PanelScene(table, hand):
            held = (
                t("Your hand: {cards}.", cards=_cards(hand, scene.table.deck, t)) if hand else t("Your hand is empty.")
            )
            parts = [held, *_table(table, t)]
        case ReplayScene(table, hands):
            parts = [*(_open_hand(each, table.deck, t) for each in hands), *_table(table, t)]
        case ClipScene():
            parts = clip_sentences(scene, t)
        case RoundScene():
            parts = _round(scene, t)
        case ResultScene():
            parts = result_sentences(scene, t)
        case StatsScene():
            parts = stats_sentences(scene, t)
        case StandingsScene():
            parts = standings_sentences(scene, t)
        case RatingScene() | SourcesScene() | DuelScene():
            parts = chart_sentences(scene, t)
    text = ""
    for part in parts:  # whole sentences only: half a list of cards would be wrong
        if len(text) + len(part) + 2 > LONGEST:
            return f"{text} …"
        text = f"{text} {part}" if text else part
    return text


@cached_by_language
def _table(scene: TableScene, t: Words) -> list[str]:
    deck = scene.deck
    parts: list[str] = []
    if scene.laid is not None:
        parts.append(t("Card played: {card}.", card=spoken(scene.laid, t, deck)))
    parts.append(
        t("On the table: {cards}.", cards=_cards(scene.cards, deck, t)) if scene.cards else t("The table is empty.")
    )
    for number, group in enumerate(scene.choices, start=1):
        parts.append(t("Capture {n}: {cards}.", n=number, cards=_cards(group, deck, t)))
    parts += [
        t("{name} has sung and shows: {cards}.", name=scene.name_of(each), cards=_cards(each.cards, deck, t))
        for each in scene.sung_hands
    ]
    if scene.latest is not None:
        parts.append(_taking(scene, scene.latest, t))
    turns = (side.names[side.turn] for side in scene.sides if side.turn is not None)
    parts += [t("It's {name}'s turn.", name=name) for name in turns]
    parts += [_side(side, t) for side in scene.sides]
    return parts


def _taking(scene: TableScene, latest: Taking, t: Words) -> str:
    name = scene.name_of(latest)
    taken = _cards(latest.taken, scene.deck, t)
    if latest.card is None:
        text = t("{name} took the first cards: {cards}.", name=name, cards=taken)
    else:
        card = spoken(latest.card, t, scene.deck)
        if latest.laid_by is not None:
            other = latest.laid_by
            text = t(
                "{other} laid {card}, {name} claimed it and took {cards}.",
                other=other,
                card=card,
                name=name,
                cards=taken,
            )
        elif latest.taken:
            text = t("{name} played {card} and took {cards}.", name=name, card=card, cards=taken)
        else:
            text = t("{name} laid {card}.", name=name, card=card)
    return text + " " + t("Escoba!") if latest.escobas else text


def _open_hand(hand: OpenHand, deck: Deck, t: Words) -> str:
    if not hand.cards:
        return t("{name} holds no cards.", name=hand.name)
    text = t("{name} holds {cards}.", name=hand.name, cards=_cards(hand.cards, deck, t))
    return text + " " + t("Sung: {cards}.", cards=_cards(hand.sung, deck, t)) if hand.sung else text


def _side(side: Side, t: Words) -> str:
    hands = "+".join(map(str, side.hands))
    return t(
        "{name}: {hands} in hand, {pile} captured, escobas {escobas}, points {total}.",
        name=_names(side.names),
        hands=hands,
        pile=side.pile,
        escobas=side.escobas,
        total=side.total,
    )


def _round(scene: RoundScene, t: Words) -> list[str]:
    parts = [
        t.plural(
            "{name}: {n} point in this round, {total} in all.",
            "{name}: {n} points in this round, {total} in all.",
            gained,
            name=_names(names),
            total=total,
        )
        for names, gained, total in zip(scene.sides, scene.gained, scene.totals, strict=bool(scene.gained))
    ]
    return [*parts, *(_row(row, scene, t) for row in scene.rows)]


def _row(row: ItemRow, scene: RoundScene, t: Words) -> str:
    each: list[str] = []
    for side, names in enumerate(scene.sides):
        if row.item is Item.PRIME:
            has = _cards(row.cards[side], scene.deck, t)
            has += f" = {row.texts[side]}" if row.texts and has else ""
        else:
            has = row.texts[side] if row.item is Item.CANTOS else str(row.amounts[side])
        each.append(f"{_names(names)} {has or '–'}" + (f" (+{row.points[side]})" if row.points[side] else ""))
    return f"{row.label}: {'; '.join(each)}."


def _cards(cards: Iterable[Card], deck: Deck, t: Words) -> str:
    return ", ".join(spoken(card, t, deck) for card in cards)


def _names(names: Iterable[str]) -> str:
    return " & ".join(names)
