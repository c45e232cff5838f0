"""The day's position on several servers, served by several processes."""

import re
from pathlib import Path

import pytest

from tests.wire.fleet import Fleet, fleet
from tests.wire.seen import Seen, Shot

_ANSWERS = "SELECT user_id, move FROM day_answers ORDER BY user_id"


@pytest.mark.thorough
async def test_everybody_has_the_same_position_and_a_killed_process_loses_no_answer_and_counts_none_twice(
    tmp_path: Path, postgres_url: str
) -> None:
    async with fleet(tmp_path, postgres_url) as f:
        first, _ = f.processes
        people = [(person, party.channel_id) for party in f.parties for person in party.people]
        for person, channel in people:
            await f.slash(person, channel, "escoba today")
        asked = [shown(f, person.id) for person, _ in people]
        assert len({each.text for each in asked}) == 1, "on four servers of two processes"
        assert "One try." in asked[0].text
        [(menu, moves)] = [(each.custom_id, each.options) for each in asked[0].presses]
        assert len(moves) >= 3

        chosen = {person.id: moves[number % len(moves)] for number, (person, _) in enumerate(people)}
        clicks = [f.send_click(person, asked[n], menu, [chosen[person.id]]) for n, (person, _) in enumerate(people)]
        await f.once(lambda: bool(f.rows(_ANSWERS)))
        await first.kill()
        told = [shot for shot in clicks if is_verdict(shot)]
        stored = dict(f.rows(_ANSWERS))
        assert {shot.person.id for shot in told} <= stored.keys(), "persist, then show"
        await f.start(first)
        for person, channel in people:
            await f.slash(person, channel, "escoba today")
            if "One try." in shown(f, person.id).text:
                await f.select(person, shown(f, person.id), menu, [chosen[person.id]])
        answers = dict(f.rows(_ANSWERS))
        assert answers.items() >= stored.items()
        assert len(answers) == len(people)
        assert len(set(answers.values())) == min(len(moves), len(people))

        await f.slash(people[0][0], people[0][1], "escoba today")
        verdict = shown(f, people[0][0].id)
        [more] = [each.custom_id for each in verdict.presses if each.custom_id.startswith("d:more:")]
        await f.click(people[0][0], verdict, more)
        text = shown(f, people[0][0].id).text
        assert f"What {len(people)} players chose" in text
        assert sum(int(share) for share in re.findall(r"\*\*(\d+)%\*\*", text)) == 100
        assert f.errors() == []


def shown(f: Fleet, person_id: int) -> Seen:
    """The newest message that only this person sees."""
    for party in f.parties:
        for person in party.people:
            if person.id == person_id:
                seen = f.latest(party.channel_id, viewer=person)
                assert seen is not None
                return seen
    raise AssertionError("nobody with that id")


def is_verdict(shot: Shot) -> bool:
    return "⬜" in shot.texts
