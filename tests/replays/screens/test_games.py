"""One's own matches: the list of them, and one with what can be done with it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from bot.platform.kit.paging import Paging
from bot.platform.language.catalogues import words
from bot.platform.language.texts import Words
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.screens.games import ON_PAGE_RUNNING, PAGE, Offer, Running, games_layout, match_layout
from bot.replays.store.own_matches import OwnSeat
from bot.tables.live.running import RunningMatch
from bot.tables.log.events import Presence
from bot.tables.log.pace import Tempo
from bot.tables.log.seats import Seat
from bot.training.ids.practice import make_button
from tests.replays.screens.test_replay import NAME, NOON, ids, options, row_of
from tests.replays.screens.test_verify import checked
from tests.support.layouts import LARGEST, every_language, troubles, words_of

EN = words("en")


@every_language
def test_discord_takes_a_page_of_matches_with_the_worst_names(t: object) -> None:
    rows = [row_of(6, game_id=LARGEST - number, kept=bool(number)) for number in range(PAGE)]
    layout = games_layout(rows, Paging.of(5, 999_999, PAGE), t)  # type: ignore[arg-type]
    assert troubles(layout) == []
    assert len(options(layout, ReplayVerb.CHOOSE)) == PAGE - 1, "the match without a log can't be opened"


def test_a_line_says_who_when_and_how_it_ended() -> None:
    def line_of(seats: Sequence[OwnSeat], own: int) -> str:
        return words_of(games_layout([row_of(seats=tuple(seats), own=own)], Paging.of(0, 1, PAGE), EN)).split("\n")[1]

    ana, bea = OwnSeat(0, 1, "Ana", True, 21, True), OwnSeat(1, 2, "Bea", False, 18, True)
    assert line_of([ana, bea], 0) == "🏆 **21 – 18** · against Bea"
    assert line_of([ana, bea], 1) == "▫️ **18 – 21** · against Ana"
    level = [replace(ana, won=False, points=9), replace(bea, points=9)]
    assert line_of(level, 0) == "🤝 **9 – 9** · against Bea"
    four = [ana, bea, replace(ana, name="Ciro", points=0, stayed=False), replace(bea, name="Dora")]
    assert line_of(four, 3) == "▫️ **18 – 21** · with Bea, against Ana & Ciro"


def test_the_list_turns_its_pages() -> None:
    rows = [row_of() for _ in range(PAGE)]
    assert "older" not in ids(games_layout(rows, Paging.of(0, PAGE, PAGE), EN))
    first, last = (ids(games_layout(rows, Paging.of(page, 2 * PAGE, PAGE), EN)) for page in (0, 1))
    assert (first["newer"], first["older"]) == (True, False)
    assert (last["newer"], last["older"]) == (False, True)
    assert "haven't played a match" in words_of(games_layout([], Paging.of(0, 0, PAGE), EN))


def test_a_match_that_goes_on_or_was_broken_off_stands_first() -> None:
    for each in (checked(0, running=True), checked(1, broken_off=True)):
        rows = [row_of(6, game_id=number) for number in range(PAGE)]
        layout = games_layout(rows, Paging.of(0, 2 * PAGE, PAGE), EN, each)
        assert troubles(layout) == []
        assert ("broken off" in words_of(layout).split("\n")[2]) is each.broken_off, "what goes on is listed above"
        assert [at for _, at in options(layout, ReplayVerb.CHOOSE)] == [LARGEST, *range(PAGE)]


def running(others: int = 1, **changes: object) -> RunningMatch:
    """An open match that waits for its reader."""
    seats = tuple(Seat(NAME, number) for number in range(1, others + 2))
    match = RunningMatch(LARGEST, LARGEST, LARGEST, LARGEST, True, 0, seats, 0, NOON, True, Tempo.USUAL)
    return replace(match, **changes)  # type: ignore[arg-type]


@every_language
def test_discord_takes_a_page_with_open_matches_above_and_the_worst_names(t: Words) -> None:
    rows = [row_of(6, game_id=number) for number in range(PAGE)]
    open_ones = [running(5, game_id=LARGEST - number) for number in range(ON_PAGE_RUNNING)]
    for each in (open_ones, [replace(match, turn=1) for match in open_ones]):
        layout = games_layout(rows, Paging(5, 999_999, PAGE), t, checked(1, broken_off=True), Running(each, 99))
        assert troubles(layout) == []


def test_an_open_match_says_whom_it_waits_for_and_offers_what_can_be_done() -> None:
    ana, bea = Seat("Ana", 1), Seat("Bea", 2)

    def told(**changes: object) -> str:
        part = {"seats": (ana, bea), **changes}
        return words_of(games_layout([], Paging.of(0, 0, PAGE), EN, None, Running([running(**part)]))).split("\n", 1)[1]  # type: ignore[arg-type]

    here = games_layout([], Paging.of(0, 0, PAGE), EN, None, Running([running()], here=LARGEST))
    assert words_of(here).endswith(f" · <#{LARGEST}>")
    stamp, link = f"⏳ <t:{int(NOON.timestamp())}:R>", f"[Go to the table](https://discord.com/channels/{LARGEST}"
    assert told().startswith(f"👉 **Bea**\n-# Your turn · {stamp} · {link}")
    assert told(turn=1).startswith(f"⏳ **Bea**\n-# Bea's turn · {stamp} · {link}")
    assert told(turn=None, deadline=None).startswith(f"⏳ **Bea**\n-# Between two rounds · {link}")
    assert told(deadline=None, ours=False) == "👉 **Bea**\n-# Your turn"
    assert told(begun=False, turn=None, seats=(ana,), deadline=None) == "🪑 **Nobody else yet**\n-# Not started yet"
    invited = told(begun=False, own=None, turn=None, seats=(bea,), deadline=None)
    assert invited == "📨 **Bea**\n-# You're invited"
    assert told(guild_id=None, channel_id=None, deadline=None) == "👉 **Bea**\n-# Your turn · in private"
    away = replace(ana, presence=Presence.AWAY)
    assert told(seats=(away, bea)).startswith("⏳ **Bea**\n-# A robot is playing for you")
    assert told(seats=(ana, *(replace(bea, name=name) for name in "BCDE"))).startswith("👉 **B & C +2**")


@every_language
def test_a_match_offers_what_can_be_done_with_it_and_nothing_else(t: Words) -> None:
    verbs = ("make", "go", "clip", "export", "verify", "list")
    for reviews, replays, clips, verifies in product((False, True), repeat=4):
        offer = Offer(make_button(LARGEST, t) if reviews else None, replays, clips, verifies)
        for match in (row_of(6), checked(2)):
            layout = match_layout(ReplayRef(LARGEST, 3), match, offer, t, "why not")
            assert troubles(layout) == []
            kept = (reviews, replays, clips, replays, verifies, True)
            assert list(ids(layout)) == [verb for verb, there in zip(verbs, kept, strict=True) if there]
