"""Ratings worked out again with openskill, one match after another."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = MU / 6
POINTS: Final = 48.0
MOST_POINTS: Final = 100.0
"""What a rating gains from one person in thirty days, at most."""
DAYS: Final = 30
CLOSE: Final = 1e-6
NEARLY: Final = 0.01
"""How far a share may be off, because gains are stored in thousandths of a point."""
Person = tuple[int, int]


def rated_wrongly(results: Sequence[Any], players: Mapping[int, Sequence[sqlite3.Row]]) -> Iterator[str]:
    """What is wrong with the ratings of matches, in order of their ends."""
    latest: dict[Person, tuple[float, float, datetime]] = {}
    gains: dict[tuple[Person, int], list[tuple[datetime, float]]] = defaultdict(list)
    unsure: set[Person] = set()
    for result in results:
        own, end = players[result["id"]], datetime.fromisoformat(result["ended_at"])
        changed = [row for row in own if row["new_mu"] is not None]
        robots = any(row["user_id"] is None and row["name"] != "—" for row in own)
        if changed and (robots or not result["ranked"]):
            yield f"result {result['id']} changed ratings, with {'robots' if robots else 'no rank'}"
        for row in changed:
            person = (result["guild_id"], row["user_id"])
            yield from _chain(result["id"], row, latest.get(person), end)
            latest[person] = (row["new_mu"], row["new_sigma"], end)
        if len(changed) == len(own) == 2:
            yield from _duel(result, own, end, gains, unsure)
        else:  # with more people, or somebody who was erased, it isn't followed who has gained from whom
            unsure |= {(result["guild_id"], row["user_id"]) for row in changed}


def _chain(number: int, row: Any, before: Any, end: datetime) -> Iterator[str]:
    """Compare the rating with which somebody entered a match with the one after their match before."""
    if before is None:
        mu, sigma = MU, SIGMA
    else:
        mu, sigma = before[0], min(SIGMA, before[1] + max(0.0, (end - before[2]) / timedelta(days=365)))
    if abs(mu - row["mu"]) > CLOSE or abs(min(SIGMA, row["sigma"]) - sigma) > CLOSE:
        yield f"result {number}: {row['name']} entered with {row['mu']}, {row['sigma']}, not {mu}, {sigma}"


def _duel(result: Any, own: Sequence[Any], end: datetime, gains: Any, unsure: set[Person]) -> Iterator[str]:
    """Work out a match of two."""
    model = PlackettLuce(mu=MU, sigma=SIGMA, limit_sigma=True)
    before = [(row["mu"], min(SIGMA, row["sigma"])) for row in own]
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    lost = [2.0 if not row["won"] else 1.0 for row in own]
    if lost[0] == lost[1]:
        return  # both have lost by not playing
    whole = [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=lost)]
    weight = 0.5 ** max(0, result["nth"] - 3)
    winner, loser = (0, 1) if own[0]["won"] else (1, 0)
    people = [(result["guild_id"], row["user_id"]) for row in own]
    source = own[loser]["user_id"] if own[loser]["known"] else 0
    since = end - timedelta(days=DAYS - 1)
    net = sum(amount for at, amount in gains[people[winner], source] if at >= since)
    rise = (whole[winner][0] - before[winner][0]) * POINTS
    share = weight * min(1.0, max(0.0, (MOST_POINTS - net) / rise)) if rise > 0 else weight
    earned = bool(own[winner]["gains"] and own[loser]["played"])
    for row, (mu, sigma), (new_mu, new_sigma) in zip(own, before, whole, strict=True):
        due = share if earned or not row["stayed"] else 0.0
        if people[winner] not in unsure and abs(row["weight"] - due) > NEARLY:
            yield f"result {result['id']}: {row['weight']} of the change is made for {row['name']}, not {due}"
        part = row["weight"]
        wanted = mu + part * (new_mu - mu), sigma + part * (new_sigma - sigma)
        if abs(row["new_mu"] - wanted[0]) > CLOSE or abs(row["new_sigma"] - wanted[1]) > CLOSE:
            yield f"result {result['id']}: {row['name']} has {row['new_mu']}, {row['new_sigma']}, not {wanted}"
    for one, other in ((0, 1), (1, 0)) if own[0]["played"] and own[1]["played"] else ():
        change = (own[one]["new_mu"] - before[one][0]) * POINTS
        gains[people[one], own[other]["user_id"] if own[other]["known"] else 0].append((end, change))
    if (
        people[winner] not in unsure
        and max(net, 0.0) <= MOST_POINTS < _net(gains[people[winner], source], since) - NEARLY
    ):
        yield f"result {result['id']}: more than {MOST_POINTS} points from one person for {own[winner]['name']}"


def _net(gained: Sequence[tuple[datetime, float]], since: datetime) -> float:
    return sum(amount for at, amount in gained if at >= since)
