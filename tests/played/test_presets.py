"""A match of every preset in every seating, with manual captures and claims.

With two players the whole match is played by clicks, with more only its last deal.
"""

from collections import Counter
from random import Random

import pytest

from bot.engine.events import Claimed, Laid, Played
from bot.engine.match import Match, replay
from bot.engine.moves import Claim, Move, Play, Sing, Stage
from bot.engine.notation import parse_event
from bot.engine.rules import PRESETS, Duty, Seating
from bot.engine.views import SeatView, seat_view
from tests.support.dose import thorough_but
from tests.support.escoba import Decks, Room, RoomOf
from tests.support.truth import stock_of

COMBOS = [
    (name, seating)
    for name, preset in PRESETS.items()
    if name != "escoba"  # played in test_matches
    for seating in preset.seatings
    if name != "chorizo" or seating is Seating.PAIRS  # without partners its deals are played in test_more_tables
]

USUAL = ("clasica", Seating.THREE)


SEEDS = {
    "juegon-4": 14,
    "juegon-2x2": 3,
    "quince-4": 2,
    "clasica-2x2": 7,
    "clasica-2": 54,
    "clasica-3": 7,
    "clasica-4": 7,
    "clasica-3x2": 82,
}
"""Seeds with which the match is short; 1 where none is given."""


def careless(view: SeatView) -> Move:
    """Sings, claims missed captures, misses one now and then, and otherwise captures as much as possible."""
    if Sing() in view.moves:
        return Sing()
    claims = [move for move in view.moves if isinstance(move, Claim)]
    if claims:
        return claims[-1]
    rng = Random(view.public.version)
    missing = [move for move in view.moves if isinstance(move, Play) and not move.captured]
    if missing and rng.random() < 0.25:
        return rng.choice(missing)
    return max(view.moves, key=lambda move: len(move.captured))


def ends_with_this_deal(match: Match) -> bool:
    """Whether the match is over once everybody has played the cards in their hands."""
    if stock_of(match):
        return False
    while match.turn is not None:
        match = match.apply(match.event_of(careless(seat_view(match, match.turn))))
    return match.stage is Stage.OVER


async def logged(here: Room, game_id: int) -> list[object]:
    """The logged events of a game's match."""
    return [
        parse_event(entry.body) for entry in await here.bot.parts.stores.games.log(game_id) if entry.kind == "match"
    ]


@pytest.mark.parametrize("combo", thorough_but(COMBOS, USUAL), ids=[f"{name}-{seating}" for name, seating in COMBOS])
async def test_a_match_is_played_to_its_end(room_of: RoomOf, combo: tuple[str, Seating]):
    preset, seating = combo
    async with room_of(seating.seats, chance=Decks(SEEDS.get(f"{preset}-{seating}", 1))) as here:
        await here.begin(variant=preset, target=5, pairs=seating.in_teams if seating.seats == 4 else None)
        game_id = here.table.id
        match = here.table.view().match
        assert match is not None
        assert (match.seating, match.rules.duty) == (seating, PRESETS[preset].rules.duty)
        if seating is not Seating.TWO:
            await here.skip(careless, until=ends_with_this_deal)
        await here.play_out(careless)
        events = await logged(here, game_id)
        final = replay(events)  # type: ignore[arg-type]
        assert final.stage is Stage.OVER
        winners = [here.people[seat].name for seat in seating.seats_of(final.winner or 0)]
        assert f"🏆 {' & '.join(winners)} " in here.public_text
        for side, total in enumerate(final.totals):
            names = " & ".join(here.people[seat].name for seat in seating.seats_of(side))
            assert f"{names}: **{total}**" in here.public_text
        kinds = Counter(type(event) for event in events)
        captures = sum(isinstance(event, Played) and bool(event.captured) for event in events)
        assert captures > 5
        if final.rules.duty is Duty.CLAIMABLE:
            assert kinds[Claimed] > 0
        assert kinds[Laid] == 0 or final.rules.duty is Duty.COMPULSORY
