"""Scenes of every kind, ordinary and extreme, for tests that look at all pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from random import Random

from bot.club.pictures.duel import DuelScene, duel_scene
from bot.club.pictures.overview import stats_scene
from bot.club.pictures.rating import rating_scene, sources_scene
from bot.club.rules.rating import Rating
from bot.club.rules.seasons import LONGEST_NAME, key_of
from bot.club.store.ratings import RatingPoint
from bot.club.store.rivals import Rivalry
from bot.club.store.standing import record_of
from bot.engine.cards import DECK
from bot.engine.events import Event, Laid, MatchStarted, RoundDealt
from bot.engine.match import Match, start
from bot.engine.moves import Play, Sing, Stage
from bot.engine.rules import PRESETS, Duty, Seating
from bot.engine.scoring import Item
from bot.engine.story import moments_of
from bot.engine.views import seat_view
from bot.platform.drawing.scenes import Scene
from bot.platform.language.faces import CardFaces, Deck
from bot.platform.language.texts import Words
from bot.platform.people import Person
from bot.replays.pictures.clip import clip_scene
from bot.replays.pictures.step import replay_scene
from bot.tables.live.view import TableView
from bot.tables.log.events import Phase
from bot.tables.pictures.result import result_scene
from bot.tables.pictures.score import RoundScene, item_scene, round_scene
from bot.tables.pictures.sides import Side
from bot.tables.pictures.table import PanelScene, SungHand, TableScene, Taking, panel_scene, table_scene
from bot.tournaments.pictures.podium import PodiumEntry, PodiumScene, PodiumStep
from bot.tournaments.pictures.standings import SummedFigure
from bot.tournaments.rules.standings import standings
from bot.tournaments.rules.tournament import Format
from bot.tournaments.screens.standings import standings_scene
from tests.club.screens.test_stats import BEAS, CAREER, DUEL, HISTORY, STANDING
from tests.support.club import RecordedTournament
from tests.support.engine import COMBOS, USUAL, highlights_of
from tests.support.languages import longest_words
from tests.support.layouts import table_of
from tests.support.store import NOON

SHORT = ("Ana", "Bruno", "Celia", "Dora", "Elías", "Fran")
LONG = ("Maximiliano", "Wilhelmina M", "María del Carmen", "O’Neil (gran jefe)", "Łukasz Żółć", "MMMMMMMMMMMM")
ALPHABETS = (
    "Κωνσταντίνος", "Владимир", "محمد بن علي", "אברהם", "李小龙", "さくら", "김민준",
    "สมชาย", "देवेंद्र", "Հայկ", "გიორგი", "𝓔𝓶𝓶𝓪",
)  # fmt: skip
LONGEST = longest_words()
"""In any language, a text is at most as long."""
FRENCH = longest_words(CardFaces(Deck.FRENCH))


def every_scene(*, thorough: bool = False) -> Iterator[tuple[str, Scene]]:
    """Each scene with its name; if thorough, of every preset with every seating, and more of each match."""
    combos = COMBOS if thorough else USUAL
    for number, (preset, seating) in enumerate(combos):
        names = (SHORT, LONG, ALPHABETS[:6], ALPHABETS[6:])[number % 4]
        yield from of_a_match(preset, seating, names, FRENCH if number % 3 == 1 else LONGEST, 1 if thorough else 4)
    yield from tables()
    yield from sheets(combos)
    yield from results()
    yield from people()
    yield from tournaments()


def of_a_match(
    preset: str, seating: Seating, names: Sequence[str], t: Words, grain: int
) -> Iterator[tuple[str, Scene]]:
    """The pictures of a random match: of the table, hands, replay, scores, end and clips.

    `grain`: by how much the numbers of cards must differ for another picture of the table.
    """
    states, events = played(preset, seating)
    what = f"{preset}-{seating}"
    seen: set[tuple[object, ...]] = set()
    scored: set[tuple[object, ...]] = set()
    for number, match in enumerate(states):
        view = view_of(match, states[: number + 1], names)
        if match.stage is Stage.TO_PLAY:
            assert match.round is not None
            latest = table_scene(view, t).latest
            taken = 0 if latest is None else len(latest.taken)
            kind = (len(match.round.table) // grain, match.round.laid is None, taken // grain, any(match.round.shown))
            if kind in seen:
                continue
            seen.add(kind)
            seat = number % seating.seats
            yield f"table/{what}-{number}", table_scene(view, t)
            yield f"panel/{what}-{number}", panel_scene(view, seat_view(match, seat), t)
            if number % 3 == 0:
                yield f"replay/{what}-{number}", replay_scene(view, match.round.hands, t)
        else:
            points = tuple(each.points for each in match.scores[-1].items)
            if points not in scored and len(scored) * grain < 8:
                scored.add(points)
                yield f"round/{what}-{number}", round_scene(view, t)
                for item in {each.item for each in match.scores[-1].items}:
                    yield f"item/{what}-{number}-{item}", item_scene(view, item, t, points=number % 2 == 0)
    if states[-1].winner is not None:
        view = view_of(states[-1], states, names)
        yield f"result/{what}", result_scene(view, t)
        for number, moment in enumerate(moments_of(events)[:: 2 * grain]):
            yield f"clip/{what}-{number}", clip_scene(moment, view.seats, t)


@cache
def played(preset: str, seating: Seating) -> tuple[list[Match], list[Event]]:
    """The states and events of a random match, in which cards with several captures are laid first."""
    rng = Random(7)
    rules = replace(PRESETS[preset].rules, target=min(11, PRESETS[preset].rules.target))
    started = MatchStarted(rules, seating, 0)
    match = start(started)
    states: list[Match] = []
    events: list[Event] = [started]
    while match.stage is not Stage.OVER:
        event: Event = RoundDealt(tuple(rng.sample(DECK, len(DECK))))
        if match.stage is Stage.TO_PLAY:
            now = match.round
            assert now is not None
            moves = match.legal_moves()
            move = moves[0] if isinstance(moves[0], Sing) else rng.choice(moves)
            event = match.event_of(move)
            several = isinstance(move, Play) and now.laid is None and len(now.captures_of(move.card)) > 1
            if several and rules.duty is Duty.COMPULSORY and isinstance(move, Play):
                event = Laid(now.turn, move.card)
        match = match.apply(event)
        events.append(event)
        states.append(match)
    return states, events


def view_of(match: Match, states: Sequence[Match], names: Sequence[str]) -> TableView:
    """The table of people with these names."""
    view = table_of(match, match.seating.seats, phase=Phase.PLAYING if match.winner is None else Phase.FINISHED)
    seats = tuple(replace(seat, name=name) for seat, name in zip(view.seats, names, strict=False))
    return replace(view, seats=seats, highlights=highlights_of(states) if match.stage is Stage.OVER else None)


def tables() -> Iterator[tuple[str, Scene]]:
    """Tables as full as they may be, with all numbers of sides."""
    plain = TableScene(Deck.SPANISH, seated(2, SHORT[:1]), DECK[:4], None, (), None)
    for sides, players in ((2, 1), (3, 1), (4, 1), (5, 1), (2, 2), (2, 3), (3, 2)):
        for names in (SHORT, LONG, ALPHABETS):
            for hand, pile, escobas, total in ((3, 12, 2, 20), (10, 40, 11, 199), (0, 0, 0, 0), (5, 7, 1, 9)):
                crowd = seated(sides, names[:players], hand, pile, escobas, total)
                yield f"table/{sides}x{players}-{names[0]}-{hand}", replace(plain, sides=crowd)
    for cards in (0, 1, 9, 10, 11, 16, 22, 33, 38):
        yield f"table/{cards}", replace(plain, places=DECK[:cards])
    for taken in range(1, 12):
        latest = Taking(1, 0, DECK[30], DECK[:taken], 0)
        yield f"table/taken-{taken}", replace(plain, latest=latest)
        yield f"table/opening-{taken}", replace(plain, latest=replace(latest, card=None))
    for cards, choices in ((2, 1), (5, 4), (9, 9), (10, 20), (14, 20), (22, 12), (36, 9)):
        groups = tuple(DECK[n % cards : n % cards + 3] for n in range(choices))
        groups = tuple(tuple(card for card in group if card in DECK[:cards]) for group in groups)
        yield f"table/choices-{choices}", replace(plain, places=DECK[:cards], laid=DECK[39], choices=groups)
    swept = Taking(0, 0, DECK[30], DECK[:4], 1)
    for name in (SHORT[0], LONG[2], ALPHABETS[4]):
        sides = seated(2, (name,))
        yield f"table/escoba-{name}", replace(plain, sides=sides, places=(), latest=swept, escoba="¡Escoba!")
    for singers in (1, 2, 3):
        sung = tuple(SungHand(n % 2, n // 2, DECK[10 * n : 10 * n + 3]) for n in range(singers))
        yield f"table/sung-{singers}", replace(plain, sides=seated(2, LONG[:2]), sung_hands=sung)
    for most in (1, 3, 4, 5, 6, 7, 8, 10):
        for cards in range(most + 1):
            yield f"panel/{most}-{cards}", PanelScene(plain, DECK[:cards], most, swept=cards % 2 == 1)


def seated(
    sides: int, names: Sequence[str], hand: int = 3, pile: int = 12, escobas: int = 2, total: int = 20
) -> tuple[Side, ...]:
    """Sides of players with these names."""
    hands = (hand,) * len(names)
    return tuple(Side(tuple(names), hands, pile, escobas, total, None if n else 0) for n in range(sides))


def sheets(combos: Sequence[tuple[str, Seating]]) -> Iterator[tuple[str, Scene]]:
    """Scores with everything that a round may bring."""
    for preset, seating in combos:
        states, _ = played(preset, seating)
        scored = next(match for match in states if match.scores and match.stage is not Stage.TO_PLAY)
        view = view_of(scored, states, SHORT)
        scene = round_scene(view, LONGEST)
        worst = RoundScene(
            scene.deck,
            scene.sides,
            tuple(
                replace(
                    row,
                    amounts=tuple(max(each, 12) for each in row.amounts) if row.item is not Item.PRIME else row.amounts,
                    points=(11,) * seating.sides,
                )
                for row in scene.rows
            ),
            (12,) * seating.sides,
            (101,) * seating.sides,
        )
        yield f"round/{preset}-{seating}-most", worst


def results() -> Iterator[tuple[str, Scene]]:
    """Ends of matches with long names, many rounds and close lines."""
    rng = Random(3)
    for seating in Seating:
        states, _ = played("escoba", seating)
        for names, rounds in ((SHORT, 3), (LONG, 12), (ALPHABETS, 30)):
            view = view_of(states[-1], states, names)
            if states[-1].winner is None:
                continue
            scene = result_scene(view, LONGEST)
            course = tuple(tuple(sorted(rng.choices(range(21), k=rounds + 1))) for _ in range(seating.sides))
            course = tuple((0, *each[1:]) for each in course)
            scene = replace(scene, course=course, target=21, turning_round=min(2, rounds))
            yield f"result/{seating}-{rounds}", scene


def people() -> Iterator[tuple[str, Scene]]:
    """Pages of statistics."""
    for name in ("Ana", LONG[2], ALPHABETS[0], ALPHABETS[4]):
        for t in (LONGEST, FRENCH):
            yield f"stats/{name}-{t.language}", stats_scene(name, CAREER, NOON, t)
            yield f"rating/{name}-{t.language}", rating_scene(name, STANDING, HISTORY, Rating(25.0, 2.9), t)
            yield f"sources/{name}-{t.language}", sources_scene(name, CAREER, t)
            duel = replace(DUEL, rival=replace(BEAS, name=name))
            yield f"duel/{name}-{t.language}", duel_scene("Bea", STANDING, duel, NOON, t)
    standing = replace(
        STANDING,
        matches=123_456,
        wins=100_000,
        points=2_718_281,
        escobas=314_159,
        rank=123,
        best_streak=1234,
        top_points=record_of(199, 1),
        top_escobas=record_of(40, 1),
        rated=12345,
    )
    rivals = tuple(Rivalry(42, n, name, 1999, 999, 1000) for n, name in enumerate(LONG[:3]))
    form = (True, False) * 5
    rows = tuple(replace(STANDING, preset=name, matches=2345, wins=1234) for name in PRESETS)
    career = replace(CAREER, standing=standing, rivals=rivals, form=form, presets=rows)
    settled = tuple(
        RatingPoint(NOON + timedelta(days=n), Rating(25 + (n * 7 % 11), 1.0 if n > 20 else 3.0)) for n in range(50)
    )
    certain = tuple(RatingPoint(NOON + timedelta(days=n), Rating(20 + n / 9, 1.0)) for n in range(90))
    for t in (LONGEST, FRENCH):
        for place in (1, 2, 3, 10, 100):
            ranked = replace(career, standing=replace(standing, rank=place))
            yield f"stats/most-{place}-{t.language}", stats_scene(LONG[2], ranked, NOON, t)
        yield f"stats/least-{t.language}", stats_scene("B", replace(CAREER, rivals=(), form=()), NOON, t)
        yield f"rating/dotted-{t.language}", rating_scene("Ana", standing, settled, Rating(25.0, 1.0), t)
        yield f"rating/sure-{t.language}", rating_scene("Ana", standing, certain, Rating(30.0, 1.0), t)
        yield f"sources/most-{t.language}", sources_scene(LONG[2], career, t)
        met = replace(DUEL, met=rivals[0], rival=replace(standing, name=LONG[3]), form=(0, 1, None, 0, 1) * 2)
        yield f"duel/most-{t.language}", duel_scene(LONG[5], standing, met, NOON, t)
        named = replace(career, presets=(replace(STANDING, preset=key_of(1)),), set_names={1: "M" * LONGEST_NAME})
        yield f"sources/named-{t.language}", sources_scene("Ana", named, t)
        fresh = replace(DUEL, form=())
        plain = duel_scene("Ana", STANDING, fresh, NOON, t)
        assert isinstance(plain, DuelScene)
        yield f"duel/new-{t.language}", plain


def podium(counts: Sequence[int], names: Sequence[str], *, pairs: bool) -> PodiumScene:
    """The podium of a tournament in which so many share each of the first places."""
    entries = iter(range(1, 99))

    def entry() -> PodiumEntry:
        number = next(entries)
        return PodiumEntry(number, tuple(names[(number + each) % len(names)] for each in range(1 + pairs)))

    places = [(place, n) for place, n in enumerate(counts, 1) if n]
    return PodiumScene(tuple(PodiumStep(place, tuple(entry() for _ in range(n)), "12,5 puntos") for place, n in places))


def tournaments() -> Iterator[tuple[str, Scene]]:
    """Standings in every format, of people and pairs, after few rounds and many, and podiums with ties and without."""
    for names in (SHORT, LONG, ALPHABETS):
        for pairs in (False, True):
            for counts in ((1, 1, 1), (2, 0, 1), (7, 0, 0), (1, 1, 3), (1, 0, 0)):
                yield f"podium/{counts}-{pairs}-{names[0]}", podium(counts, names, pairs=pairs)
    for format in Format:
        for pairs, names in ((False, SHORT), (True, LONG), (False, ALPHABETS)):
            evening = RecordedTournament(format, pairs=pairs).start(8)
            evening.play_on(Random(5))
            state = evening.now
            entries = tuple(
                replace(
                    each,
                    people=tuple(
                        Person(person.id, names[(each.number + place) % len(names)])
                        for place, person in enumerate(each.people)
                    ),
                )
                for each in state.entries
            )
            state = replace(state, entries=entries)
            for t in (LONGEST, FRENCH):
                scene = standings_scene(state, standings(state)[:8], t, "2/2")
                yield f"standings/{format}-{pairs}-{names[0]}-{t.language}", scene
                long = tuple(
                    replace(
                        row,
                        out=number == 1,
                        figures=tuple(
                            SummedFigure(
                                f"−{number}2,5", ("12,5", "−11", "+9", "10,5", "12", "−13", "14"), mean=not column
                            )
                            for column, _ in enumerate(row.figures)
                        ),
                    )
                    for number, row in enumerate(scene.rows[:4])
                )
                yield f"standings/{format}-{pairs}-{names[0]}-{t.language}-long", replace(scene, rows=long)
