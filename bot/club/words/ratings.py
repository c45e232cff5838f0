"""Ratings and seasons in words."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.club.rules.gains import DAYS, MOST, Stakes
from bot.club.rules.rating import FULL_MATCHES, Rating, match_weight
from bot.club.rules.seasons import ALL_TIME, bounds
from bot.club.store.ratings import RatingChange
from bot.platform.language.calendar import written_date
from bot.platform.language.spelling import capital
from bot.platform.language.texts import Words
from bot.platform.people import Person, safe

_MONTH = "yMMMM"
_QUARTER = "yQQQQ"


def period_name(period: str, t: Words) -> str:
    """Name a season, as for a heading; or "All time".

    >>> from bot.platform.language.texts import words
    >>> period_name("2026-11", words("en")), period_name("2026-Q4", words("es"))
    ('November 2026', '4.º trimestre de 2026')
    """
    if period == ALL_TIME:
        return t.context("menu", "All time")
    skeleton = _QUARTER if "Q" in period else _MONTH
    return capital(written_date(skeleton, bounds(period)[0], t))


_TWO: Final = 2
_SHARES: Final = {0.5: "½", 0.25: "¼", 0.125: "⅛"}


def rating_text(rating: Rating, t: Words) -> str:
    """Write a rating, with a question mark while it isn't settled.

    >>> from bot.platform.language.texts import words
    >>> rating_text(Rating(), words("en"))
    '1,000?'
    """
    return t.number(rating.shown) + ("" if rating.settled else "?")


def signed_points(points: int, t: Words) -> str:
    sign = "+" if points > 0 else "−" if points < 0 else "±"
    return sign + t.number(abs(points))


def weight_lines(nth: int, t: Words, *, limited: bool) -> list[str]:
    """Explain why a match counts less for ratings than others.

    Args:
        nth: its number among those of the same people on its day.
        t: the words.
        limited: whether a winner gains less because they have gained so much from the others already.
    """
    lines: list[str] = []
    weight = match_weight(nth)
    if weight < 1:
        share = _SHARES.get(weight) or f"1/{round(1 / weight)}"
        lines.append(t("Match {n} of the same people today: for ratings it counts {share}.", n=nth, share=share))
    if limited:
        lines.append(limit_text(t))
    return lines


def limit_text(t: Words) -> str:
    """State the limit on what a rating gains from one person."""
    return t("From one person, a rating gains at most {points} points in {days} days.", points=MOST, days=DAYS)


def rating_notes(t: Words) -> list[str]:
    """Explain ratings, a sentence or two each; the first two are what every reader of one needs."""
    return [
        t("A ? means that the rating is still settling, which takes about 30 matches. One rating covers all variants."),
        t(
            "Everyone starts at {start}. Friendly matches and those with robots change no ratings.",
            start=Rating().shown,
        ),
        t(
            "From match {nth} of the same people in a day on, each moves ratings half as much as the one before.",
            nth=FULL_MATCHES + 1,
        ),
        limit_text(t),
    ]


def stake_lines(stakes: Stakes, people: Iterable[Person], t: Words) -> list[str]:
    """Write what a match would bring, in small print: a line for each person."""
    names = {person.id: safe(person.name) for person in people}
    lines: list[str] = []
    for stake in stakes.people:
        name, rating = names[stake.person_id], rating_text(stake.rating, t)
        first, last = signed_points(stake.first, t), signed_points(stake.last, t)
        if stakes.sides == _TWO:
            text = t("{name} ({rating}): win {first} · loss {last}", name=name, rating=rating, first=first, last=last)
        else:
            text = t("{name} ({rating}): first {first} · last {last}", name=name, rating=rating, first=first, last=last)
        lines.append(text)
    lines += weight_lines(stakes.nth, t, limited=any(stake.limited for stake in stakes.people))
    return [f"-# {line}" for line in lines]


def own_change_lines(changes: Sequence[RatingChange], person_id: int, t: Words) -> list[str]:
    """Write how a match has changed a person's rating; nothing if it hasn't."""
    change = next((each for each in changes if each.user_id == person_id), None)
    if change is None:
        return []
    before, after = change.before.shown, change.after.shown
    text = t(
        "📈 Rating: {before} → **{after}** ({change})",
        before=before,
        after=rating_text(change.after, t),
        change=signed_points(after - before, t),
    )
    return [text, *(f"-# {line}" for line in weight_lines(change.nth, t, limited=change.limited))]
