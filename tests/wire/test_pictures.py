"""Pictures over real HTTP: they are uploaded as multipart bodies, and replaced by words where uploads are forbidden."""

from pathlib import Path

import pytest

from tests.support.limits_components import pictures, walk
from tests.support.wiretap import Request
from tests.wire.ledger import Ledger
from tests.wire.seen import Seen, refused
from tests.wire.table import tables


def alt_texts(message: Seen) -> list[str]:
    """The alt texts of a message's pictures, each of which must be a file attached to it."""
    nodes = walk(message.payload["components"])
    found = [item for _, node in nodes for item in pictures(node)]
    assert all(item["media"]["attachment_id"] in item["media"]["url"] for item in found)
    return [item["description"] for item in found]


@pytest.mark.thorough
async def test_a_round_is_played_in_pictures(tmp_path: Path) -> None:
    async with tables(tmp_path, as_discord=True, pictures=True) as (w, [table]):
        # On a slow machine the words go out first, and the picture follows.
        await w.bot.until(lambda: "On the table: " in "".join(alt_texts(table.shown)))
        for person in w.people:
            await w.bot.until(lambda person=person: "Your hand: " in "".join(alt_texts(table.panel(person))))
        await w.settle()
        for _ in range(2):  # before the first, the bot may not know what the panel shows
            refreshed = await w.click(table.other, table.panel(table.other), table.panel(table.other).one("panel"))
        [kept] = refreshed.request.message["attachments"]
        assert (kept.keys(), refreshed.request.files) == ({"id", "filename"}, ()), "the picture stays"
        await table.party.play(until=lambda: bool(table.shown.find("next")))
        await w.bot.until(lambda: " Cards: " in "".join(alt_texts(table.shown)))
        await w.settle()
        ledger = Ledger(w.database).read()
        ledger.check(w.requests)
        assert ledger.findings == []
        assert refused(w.requests) == []
        assert sum(bool(request.files) for request in w.requests) > 10
        ended = table.shown
        await w.restart()
        for person in w.people:
            await w.click(person, table.shown, table.shown.one("next"))

        def shown(*verbs: str) -> str:
            found = w.latest(table.channel_id, *verbs)
            return "" if found is None else "".join(alt_texts(found))

        await w.bot.until(lambda: "On the table: " in shown("hand"))
        assert table.shown.id == ended.id, "on the same message"


@pytest.mark.thorough
async def test_without_permission_to_attach_files_cards_are_shown_in_words(tmp_path: Path) -> None:
    async with tables(tmp_path, as_discord=True, pictures=True) as (w, [table]):
        w.realm.forbid("attach_files")
        sent = w.requests[-1].number
        await table.moves(3)

        def answers() -> list[tuple[int, int]]:
            newer = [request for request in w.requests if request.number > sent]
            return [(request.status, request.code) for request in refused(newer)]

        await w.bot.until(lambda: bool(answers()))  # until a picture is drawn, moves are shown in words anyway
        await w.bot.until(lambda: not alt_texts(table.shown) and table.up_to_date)
        assert "**On the table**" in table.shown.text
        assert answers() == [(403, 50013)]


@pytest.mark.thorough
async def test_a_failed_upload_is_retried_with_all_its_bytes(tmp_path: Path) -> None:
    async with tables(tmp_path, pictures=True) as (w, [table]):
        # a picture that isn't drawn in time leaves the first edit in words
        w.faults.add("PATCH", "/channels/*/messages/*", status=502, times=1, where=lambda request: bool(request.files))
        sent = w.requests[-1].number
        table.move()

        def edits() -> list[Request]:
            return [request for request in w.sent("PATCH", "/channels/*", since=sent) if request.files]

        await w.bot.until(lambda: len(edits()) > 1 and bool(edits()[1].status))
        assert [request.status for request in edits()[:2]] == [502, 200]
        assert edits()[0].files == edits()[1].files
        assert edits()[1].files[0].size > 1000
