"""Ratings worked out again with openskill, one match after another.

What was played with somebody who has since erased their data can't be followed: those who played it are `unsure`, and
so is whoever seems to have come back.
"""

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
ENOUGH: Final = 3
"""How many people somebody has to have met to count as a person of their own, at least."""
ERASED: Final = "—"
CLOSE: Final = 1e-6
NEARLY: Final = 0.01
"""How far a share may be off, because gains are stored in thousandths of a point."""
Person = tuple[int, int]


def rated_wrongly(results: Sequence[Any], players: Mapping[int, Sequence[sqlite3.Row]]) -> Iterator[str]:
    """What is wrong with the ratings of matches, in order of their ends."""
    latest: dict[Person, tuple[float, float, datetime]] = {}
    gains: dict[tuple[Person, int], list[tuple[datetime, float]]] = defaultdict(list)
    unsure: set[Person] = set()
    meetings = Meetings()
    for result in results:
        own, end = players[result["id"]], datetime.fromisoformat(result["ended_at"])
        guild, gone = result["guild_id"], {row["user_id"] for row in own if row["name"] == ERASED}
        changed = [row for row in own if row["new_mu"] is not None]
        robots = any(row["user_id"] is None and row["name"] != "—" for row in own)
        if changed and (robots or not result["ranked"]):
            yield f"result {result['id']} changed ratings, with {'robots' if robots else 'no rank'}"
        for row in changed:
            person = (guild, row["user_id"])
            if person not in latest and guild in meetings.unclear and (row["mu"], row["sigma"]) != (MU, SIGMA):
                unsure.add(person)
            else:
                yield from _chain(result["id"], row, latest.get(person), end)
            latest[person] = (row["new_mu"], row["new_sigma"], end)
        for row in own if result["ranked"] else ():
            yield from meetings.judge(result, row, own)
        if len(changed) == len(own) == 2:
            yield from _duel(result, own, end, gains, unsure)
        else:  # with more people, or somebody who was erased, it isn't followed who has gained from whom
            unsure |= {(guild, row["user_id"]) for row in changed}
        if gone:
            meetings.unclear.add(guild)
        meetings.add(result, own)


class Meetings:
    """Who has met whom on each server, as far as nobody there has erased their data."""

    def __init__(self) -> None:
        self.unclear: set[int] = set()
        self._met: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))

    def add(self, result: Any, own: Sequence[Any]) -> None:
        here = [row for row in own if row["played"] != 0]  # whoever leaves before a card has met nobody
        for one in here if result["ranked"] else ():
            for other in here:
                if one["user_id"] and other["user_id"] and one["side"] != other["side"]:
                    self._met[result["guild_id"]][one["user_id"]].add(other["user_id"])

    def judge(self, result: Any, row: Any, own: Sequence[Any]) -> Iterator[str]:
        """Whether somebody counts as a person of their own: they have met three people, and are in the largest group
        of those who have met, without the others at the table."""
        guild = result["guild_id"]
        if guild in self.unclear or row["user_id"] is None:
            return
        met = self._met[guild]
        others = {each["user_id"] for each in own} - {row["user_id"]}
        groups = _groups({one: them - others for one, them in met.items() if one not in others})
        own_group = next((group for group in groups if row["user_id"] in group), {row["user_id"]})
        known = len(met[row["user_id"]]) >= ENOUGH and not any(len(group) > len(own_group) for group in groups)
        if bool(row["known"]) != known:
            yield f"result {result['id']}: {row['name']} counts as known: {row['known']}, not {known}"


def _groups(met: Mapping[int, set[int]]) -> list[set[int]]:
    """Divide people into groups of those who have met, directly or through others."""
    groups: list[set[int]] = []
    for one, them in met.items():
        joined = [group for group in groups if not group.isdisjoint({one, *them})]
        groups = [group for group in groups if group not in joined] + [set().union({one}, them, *joined)]
    return groups


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
    counted = {source, own[loser]["user_id"]}  # the latter was known before, and isn't now
    net = sum(amount for each in counted for at, amount in gains[people[winner], each] if at >= since)
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
