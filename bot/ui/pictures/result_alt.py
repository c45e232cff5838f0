"""The alt text of the picture of a match that was won, sentence by sentence."""

from __future__ import annotations

from bot.ui.pictures.result_scene import ResultScene
from bot.ui.words.cards import spoken
from bot.ui.words.texts import Words


def result_sentences(scene: ResultScene, t: Words) -> list[str]:
    """Who won, the course of the totals, and the highlights."""
    points = scene.course[scene.winner][-1]
    players = len(scene.sides[scene.winner])
    name = scene.name_of(scene.winner)
    parts = [
        t.plural(
            "{name} won with {points} points.", "{name} won with {points} points.", players, name=name, points=points
        )
    ]
    parts += [
        t(
            "{name} after each round: {totals}.",
            name=scene.name_of(side),
            totals=", ".join(map(str, scene.course[side][1:])),
        )
        for side in scene.ranking
    ]
    if scene.turning_round:
        parts.append(t("A ring marks the turn: round {round}.", round=scene.turning_round))
    if scene.best is not None:
        first, *taken = (spoken(card, t, scene.deck) for card in scene.best.cards)
        name = scene.best.names[0]
        parts.append(t("Best capture: {name}, {card} with {cards}.", name=name, card=first, cards=", ".join(taken)))
    if scene.escobas is not None:
        names = " & ".join(scene.escobas.names)
        parts.append(t("Most escobas: {name}, {n}.", name=names, n=scene.escobas.number))
    if scene.lead is not None:
        cards, play = scene.lead.labels
        parts.append(
            t("Was it luck? {name}: {cards}, {play}.", name=scene.name_of(scene.lead.side), cards=cards, play=play)
        )
    return parts
