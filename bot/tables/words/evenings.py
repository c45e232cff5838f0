"""The score of an evening in words."""

from collections.abc import Sequence

from bot.platform.language.texts import Words
from bot.tables.live.view import TableView, holder_name
from bot.tables.log.evenings import Outcome, Score, Side, sides_of
from bot.tables.log.events import Phase
from bot.tables.log.seats import Seat


def score_text(score: Score, names: Sequence[str], t: Words) -> str:
    """Write the score between the sides with these names, the best first."""
    best_first = sorted(zip(score.wins, names, strict=True), key=lambda each: -each[0])
    if len(best_first) == 2:
        (own, one), (others, other) = best_first
        text = f"{one} **{own} – {others}** {other}"
    else:
        text = " · ".join(f"{name} **{wins}**" for wins, name in best_first)
    if not score.drawn:
        return text
    return t.plural("{score}, {n} drawn", "{score}, {n} drawn", score.drawn, score=text)


def evening_text(view: TableView, t: Words) -> str | None:
    """Write the score between a table's people: in their best of three, or else of this evening; None if there is none
    yet, or it would only repeat the result."""
    found = _sides(view)
    if found is None:
        return None
    sides, names = found
    over = view.phase is Phase.FINISHED
    own = [Outcome(sides, view.winner, view.config.best_of_three)] if over else []
    outcomes = [*view.tonight, *own]
    series = Score.between(sides, outcomes, series=True)
    if view.config.best_of_three and series.matches and (over or not series.decides):
        text = score_text(series, names, t)
        if series.decides:
            return t("Best of three, final score: {score}", score=text)
        return t("Best of three: {score}", score=text)
    score = Score.between(sides, outcomes)
    return t("Tonight: {score}", score=score_text(score, names, t)) if score.matches > over else None


def in_series(view: TableView) -> bool:
    """Whether a match that is over is one of a best of three that isn't."""
    if not view.config.best_of_three or view.match is None:
        return False
    sides = sides_of(view.seats, view.match.seating)
    return not Score.between(sides, [*view.tonight, Outcome(sides, view.winner, True)], series=True).decides


def _sides(view: TableView) -> tuple[tuple[Side, ...], list[str]] | None:
    """The people of each side and what they are called; None while that is open."""
    people = len(view.seats) + len(view.missing)
    seating = view.config.seating(people) if view.match is None else view.match.seating
    if seating is None or (view.missing and seating.in_teams):
        return None
    seats = [*view.seats, *(Seat(each.name, person_id=each.id) for each in view.missing)]
    names = [holder_name(seat) for seat in seats]
    joined = [" & ".join(names[seat] for seat in seating.seats_of(side)) for side in range(seating.sides)]
    return sides_of(seats, seating), joined
