"""Whole tournaments: sign-up, check-in, rounds, and the end."""

from random import Random

import pytest

from bot.tournaments.rules.setup import max_entries, min_entries
from bot.tournaments.rules.state import apply_all, begin
from bot.tournaments.rules.tournament import Format, TournamentStage
from tests.support.club import RecordedTournament

SIZES = [
    (format, entries)
    for format in Format
    for entries in (3, 4, 5, 6, 7, 8, 9, 13, 16)
    if RecordedTournament(format).now.setup
    and min_entries(RecordedTournament(format).now.setup)
    <= entries
    <= max_entries(RecordedTournament(format).now.setup)
]


@pytest.mark.parametrize(("format", "entries"), SIZES, ids=[f"{format}-{entries}" for format, entries in SIZES])
def test_a_tournament_of_any_size_is_played_to_its_end(format: Format, entries: int) -> None:
    evening = RecordedTournament(format).start(entries)
    evening.play_on(Random(entries))
    assert evening.now.stage is TournamentStage.FINISHED
    assert len(evening.now.rounds) == evening.now.planned
    assert all(each.over for each in evening.now.rounds)
    assert apply_all(begin(evening.announced), evening.log) == evening.now
    assert evening.now.version == 1 + len(evening.log)
