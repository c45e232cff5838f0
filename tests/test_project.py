"""Whether the project's own files agree: locks, image, commands, settings, documents, versions, layers."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from discord.app_commands import Command, Parameter
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from bench.resident import IMAGE
from bot.schema import SCHEMA
from bot.settings import Settings, variable
from bot.tables.log.events import TableEvent
from bot.tournaments.rules.log import TournamentEvent
from cogs.escoba import Escoba

ROOT = Path(__file__).parents[1]
EXTRAS = {"requirements/run.lock": (), "requirements/dev.lock": ("dev",)}
LOCKS = tuple(EXTRAS)
WORDS_A_MINUTE = 250
VARIABLES = {variable(field) for field in Settings.model_fields}
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bot/**/*.md"), *ROOT.glob("bench/*.md")])


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def project() -> dict:
    return tomllib.loads(read("pyproject.toml"))


def required(*extras: str) -> dict[str, Requirement]:
    """The direct requirements by name, including those of the extras."""
    metadata = project()["project"]
    lines = [*metadata["dependencies"]]
    for extra in extras:
        lines += metadata["optional-dependencies"][extra]
    return {str(canonicalize_name(Requirement(line).name)): Requirement(line) for line in lines}


def locked(lock: str) -> dict[str, Version]:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", read(lock), re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in pins}


def make_targets() -> set[str]:
    match = re.search(r"^\.PHONY:(.*)$", read("Makefile"), re.MULTILINE)
    assert match
    return set(match[1].split())


def bot_commands() -> set[str]:
    return set(re.findall(r'add_parser\("(\w+)"', read("bot/__main__.py")))


@cache
def project_files() -> list[Path]:
    """The files that are in the repository, or would be after `git add`."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        pytest.skip(f"not a git checkout: {listing.stderr.strip()}")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


class TestLocks:
    @pytest.mark.parametrize("lock", LOCKS)
    def test_each_pins_every_direct_requirement_to_an_allowed_version(self, lock: str) -> None:
        pins = locked(lock)
        for name, requirement in required(*EXTRAS[lock]).items():
            assert name in pins, f"{lock} lacks {name}: run `make lock`"
            assert pins[name] in requirement.specifier, f"{lock} has {name} {pins[name]}: run `make lock`"

    def test_the_smaller_is_within_the_larger_at_the_same_versions(self) -> None:
        run, dev = (set(locked(lock).items()) for lock in LOCKS)
        assert run < dev

    def test_the_running_bot_installs_no_developers_tool(self) -> None:
        assert not (required("dev").keys() - required().keys()) & locked(LOCKS[0]).keys()

    @pytest.mark.parametrize("lock", [*LOCKS, "requirements/uv.lock"])
    def test_every_package_has_a_hash_and_none_an_address(self, lock: str) -> None:
        text = read(lock)
        entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
        assert len(entries) == len(locked(lock))
        for entry in entries:
            assert "--hash=sha256:" in entry
        assert "://" not in text
        assert not re.search(r"^--?[a-z]", text, re.MULTILINE)


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    # written in pieces so that this file doesn't contain them
    hosts = ["python" + "hosted", "pypi" + r"\.org", r"registry\." + "npmjs", "deb" + r"\.debian"]
    folders = r"(?<![\w.~])/(?:" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers"]) + ")/"
    wanted = re.compile("|".join([*hosts, folders]))
    found: list[str] = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a compiled catalogue
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in wanted.finditer(text)]
    assert found == []


def test_no_developers_data_is_among_the_files() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in project_files()]
    assert [name for name in names if name == ".env" or re.search(r"\.sqlite3|\.alive$|^data/", name)] == []


class TestImage:
    text = read("Dockerfile")

    def instructions(self, name: str) -> list[str]:
        joined = re.sub(r"\\\n\s*", " ", self.text)
        return re.findall(rf"^{name}\s+(.*)$", joined, re.MULTILINE)

    def test_it_contains_what_the_bot_needs_and_no_more(self) -> None:
        copies = [line.split() for line in self.instructions("COPY") if not line.startswith("--from")]
        taken = {source.rstrip("/") for *sources, _ in copies for source in sources}
        assert taken == {"requirements/run.lock", ".env.example", "bot", "cogs"}
        assert all((ROOT / name).exists() for name in taken)
        ignored = read(".dockerignore").splitlines()
        assert ignored[1] == "*"
        assert {line[1:] for line in ignored if line.startswith("!")} == taken

    def test_both_stages_start_from_the_same_supported_python(self) -> None:
        bases = {line.split()[0] for line in self.instructions("FROM")}
        assert len(bases) == 1
        version = re.fullmatch(r"python:(3\.\d+)-slim(?:-\w+)?@sha256:[0-9a-f]{64}", bases.pop())
        assert version
        floor = project()["project"]["requires-python"].removeprefix(">=")
        assert Version(version[1]) >= Version(floor)

    def test_it_installs_only_packages_with_a_locked_hash(self) -> None:
        (install,) = [line for line in self.instructions("RUN") if "pip install" in line]
        assert "--require-hashes" in install
        assert "--no-cache-dir" in install

    def test_it_saves_memory_as_the_benchmark_measures_it(self) -> None:
        (settings,) = (line.split() for line in self.instructions("ENV") if "PATH=" in line)
        assert {f"{name}={value}" for name, value in IMAGE.items()} <= {*settings}
        compilations = re.findall(r"(\S+) -OO -m compileall", self.text)
        assert compilations == ["/opt/escoba/bin/python"], "what is installed before the variables are set"

    def test_it_does_not_run_as_root(self) -> None:
        (user,) = self.instructions("USER")
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
        assert f"--uid {user.partition(':')[0]} " in self.text

    def test_the_databases_are_in_the_volume(self) -> None:
        (volume,) = self.instructions("VOLUME")
        settings = dict(re.findall(r"(ESCOBA_\w+)=(\S+)", self.text))
        assert settings.keys() <= VARIABLES
        for name in ("ESCOBA_DATABASE", "ESCOBA_DEMO_DATABASE"):
            assert settings[name].startswith(volume.strip('["]') + "/")

    def test_the_demo_listens_where_an_engine_can_publish_it_and_the_texts_publish_that_port_on_loopback(self) -> None:
        settings = dict(re.findall(r"(ESCOBA_\w+)=(\S+)", self.text))
        assert settings["ESCOBA_DEMO_HOST"] == "0.0.0.0"  # noqa: S104 - inside its container
        shown = [match for text in TEXTS for match in re.findall(r"docker run [^`\n]* demo\b", text.read_text("utf-8"))]
        assert shown
        port = settings["ESCOBA_DEMO_PORT"]
        assert all(re.search(rf"(-p|--publish) 127\.0\.0\.1:{port}:{port} ", line) for line in shown)

    def test_its_labels_say_what_it_was_built_from(self) -> None:
        label = " ".join(self.instructions("LABEL"))
        assert self.instructions("ARG") == ["VERSION", "SOURCE", "REVISION"]
        for name in self.instructions("ARG"):
            assert f"org.opencontainers.image.{name.lower()}=${name}" in label

    def test_it_starts_stops_and_is_checked_without_a_shell(self) -> None:
        assert self.instructions("ENTRYPOINT") == ['["python", "-m", "bot"]']
        assert self.instructions("CMD") == ['["run"]']
        assert self.instructions("STOPSIGNAL") == ["SIGTERM"]
        assert self.instructions("HEALTHCHECK")[0].endswith('CMD ["python", "-m", "bot", "health"]')


class TestCommands:
    def test_make_alone_lists_every_command(self) -> None:
        listing = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert set(re.findall(r"^  (\w+) ", listing, re.MULTILINE)) == make_targets()

    def test_ci_runs_the_same_command_as_people_do(self) -> None:
        assert re.search(r"^NO_SKIPS=1 make test$", read(".ci/run"), re.MULTILINE)
        subprocess.run(["bash", "-n", ".ci/run"], cwd=ROOT, check=True)

    def test_ci_says_how_complete_the_languages_are_and_lets_them_pass(self) -> None:
        assert re.search(
            r"^\.venv/bin/python -m bot\.platform\.language\.extraction \|\| true ", read(".ci/run"), re.MULTILINE
        )

    def test_ci_runs_all_thorough_tests_or_a_share_on_another_python(self) -> None:
        assert re.search(r"^ +export THOROUGH=1$", read(".ci/run"), re.MULTILINE)
        assert re.search(r"^ +THOROUGH=\$share NO_SKIPS=1 make .*\bsuite VENV=", read(".ci/run"), re.MULTILINE)

    @pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
    def test_the_commands_in_the_texts_exist(self, text: Path) -> None:
        code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text.read_text(encoding="utf-8"), re.DOTALL))
        assert set(re.findall(r"\bmake ([a-z]+)", code)) <= make_targets()
        assert set(re.findall(r"python -m bot ([a-z]+)", code)) <= bot_commands()


def test_no_module_of_the_bot_is_longer_than_a_newcomer_reads_in_one_go() -> None:
    paths = [path for folder in ("bot", "cogs") for path in (ROOT / folder).rglob("*.py")]
    lengths = {path.relative_to(ROOT).as_posix(): _length_allowed(path) for path in paths}
    assert {name: length for name, (length, most) in lengths.items() if length > most} == {}


def _length_allowed(path: Path) -> tuple[int, int]:
    """The lines of a module and how many it may have: 350, or 500 if most of it is one class."""
    text = path.read_text(encoding="utf-8")
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    longest = max(((each.end_lineno or 0) - each.lineno for each in classes), default=0)
    length = text.count("\n")
    return length, 500 if longest > 0.6 * length else 350


def test_no_folder_of_the_bot_has_more_than_25_modules() -> None:
    folders = Counter(path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "bot").rglob("*.py"))
    assert {folder: count for folder, count in folders.items() if count > 25} == {}


def test_the_readme_reads_in_two_minutes() -> None:
    prose = re.sub(r"```.*?```|`.*?`|<img.*?>|\]\(.*?\)", "", read("README.md"), flags=re.DOTALL)
    assert len(re.findall(r"\b[^\W\d]", prose)) <= 2 * WORDS_A_MINUTE


def test_playing_lists_every_command_with_its_options_in_the_order_in_which_discord_does() -> None:
    rows = re.findall(r"^\| `/escoba (\w+)([^`]*)` \|", read("docs/PLAYING.md"), re.MULTILINE)
    group = Escoba().app_command
    assert group is not None
    commands = [each for each in group.commands if isinstance(each, Command)]
    assert rows == [(each.name, "".join(map(_written, each.parameters))) for each in commands]


def _written(parameter: Parameter) -> str:
    """An option of a command as docs/PLAYING.md writes it."""
    return f" {parameter.display_name}" if parameter.required else f" [{parameter.display_name}]"


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_every_setting_in_the_texts_exists(text: Path) -> None:
    assert set(re.findall(r"\bESCOBA_[A-Z0-9_]+", text.read_text(encoding="utf-8"))) <= VARIABLES


def test_every_link_between_the_texts_leads_to_a_file_and_a_heading_in_it() -> None:
    links = [(text, link) for text in TEXTS for link in re.findall(r"\]\(([^):]+)\)", text.read_text(encoding="utf-8"))]
    assert len(links) > 20
    broken: list[tuple[str, str]] = []
    for text, link in links:
        path, _, heading = link.partition("#")
        target = text.parent / path if path else text
        if not target.is_file() or (heading and heading not in headings(target)):
            broken.append((text.name, link))
    assert broken == []


def headings(text: Path) -> set[str]:
    """The anchors of a text's headings, as code hosts make them."""
    lines = re.findall(r"^#+ (.+)$", text.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", line.lower()).strip().replace(" ", "-") for line in lines}


WHAT_IS_KEPT = {
    "When you open or join a game": ("games", "Opened", "Joined"),
    "When someone challenges you, asks for a rematch of a match that you played, or chooses you as a guest": (
        *("participants", "GuestsChosen"),
    ),
    "When you cancel a game, end a forgotten one, turn down a challenge, or leave a tournament's match": ("Closed",),
    "What you do in the game": (
        *("events", "Configured", "ChangeAccepted", "LeftLobby", "TakenOff", "PresenceChanged"),
        *("TurnMissed", "DaySpent", "Nudged", "Reacted", "ahead_cards"),
        *("QuestionAsked", "QuestionAnswered", "Paused", "Resumed", "SeatTaken"),
    ),
    "When you press a face at a table": ("faces",),
    "When you say, as an onlooker, who wins a round": ("votes",),
    "When you take part in a tournament, or are asked to": (
        *("tournaments", "tournament_events", "tournament_people"),
        *("Asked", "Entered", "PartnerJoined", "LeftEntry", "CheckedIn", "CameBack"),
        *("Seeded", "RoundPaired", "ByeTaken", "TableEnded"),
    ),
    "When you organise a tournament, or help to run one": (
        *("Announced", "SetUp", "RepeatSet", "StageBegan", "Withdrawn", "Corrected", "Replayed"),
        *("Proposed", "Agreed", "Declined"),
    ),
    "When a match ends": (
        *("results", "result_players", "standings", "rivals", "rating_gains", "achievements"),
        *("marked_rivals", "marked_matches", "marked_ratings"),
        "given_roles",
    ),
    "When you have one of your matches reviewed": ("reviews",),
    "When you miss the daily puzzle, or practise": ("practice_positions",),
    "When you are offered a lesson, or take one (`/escoba learn`)": ("lessons",),
    "When you answer a daily puzzle": ("day_answers",),
    "When you save rules for a server under a name": ("rule_sets",),
    "When you choose something in `/escoba me`": ("people",),
    "About the server": ("deals", "evening_matches", "day_channels", "departures", "missing_guilds", "key_values"),
    "For the bot itself": (),
}
"""The points of the privacy notice, in order, each with the tables and the events of logs that it tells of."""
ABOUT_NOBODY = {"day_positions", "Moved", "ComputerAdded", "ComputerRemoved", "Swapped", "QuestionLapsed"}


def halves_of_the_privacy_notice() -> list[str]:
    return read("docs/PRIVACY.md").split("\n---\n")


def test_the_privacy_notice_tells_of_every_table_and_of_every_event_in_a_log() -> None:
    told = [name for names in WHAT_IS_KEPT.values() for name in names]
    kept = {*SCHEMA.metadata.tables, *(event.__name__ for event in (*get_args(TableEvent), *get_args(TournamentEvent)))}
    assert sorted([*told, *ABOUT_NOBODY]) == sorted(kept)
    [chapter] = re.findall(r"^## What is kept$(.*?)^## ", read("docs/PRIVACY.md"), re.MULTILINE | re.DOTALL)
    points = [" ".join(point.split()) for point in re.findall(r"^- \*\*(.*?):\*\*", chapter, re.MULTILINE | re.DOTALL)]
    assert points == list(WHAT_IS_KEPT)


def test_both_halves_of_the_privacy_notice_have_the_same_chapters_paragraphs_and_points() -> None:
    english, spanish = map(shape, halves_of_the_privacy_notice())
    assert english == spanish
    assert len(english) > 30


def test_neither_half_of_the_privacy_notice_lacks_part_of_a_paragraph_of_the_other() -> None:
    for english, spanish in zip(*map(blocks, halves_of_the_privacy_notice()), strict=True):
        for what in (r"`/escoba \w+`", r"\d+"):
            assert len(re.findall(what, english)) == len(re.findall(what, spanish)), english
        if len(english) > 150:
            assert 0.85 < len(spanish) / len(english) < 1.3, english


def test_both_halves_of_the_privacy_notice_say_what_stays_and_for_how_long() -> None:
    english, spanish = halves_of_the_privacy_notice()
    assert "pseudonymous, not anonymous" in english
    assert "seudónimo, no anónimo" in spanish
    assert "two years" in english
    assert "dos años" in spanish
    assert "Nothing else." not in english
    assert "Nada más." not in spanish


def blocks(text: str) -> list[str]:
    """The headings, paragraphs and points of a text, in order, without a link to the other half."""
    return re.split(r"\n\n|\n(?=- )", re.sub(r"^\[.*\]\(#.*\)\n\n", "", text.strip(), flags=re.MULTILINE))


def shape(text: str) -> list[str]:
    """What each heading, paragraph and point of a text is, in order."""
    return [match[0] if (match := re.match(r"#+|- \*\*", block)) else "paragraph" for block in blocks(text)]


PATH = re.compile(r"`((?:[\w.]+/)+[\w.]*)`")
WALKS = re.findall(r"^\| ([^|]+) \| (`[^|]+→[^|]+) \|$", read("CONTRIBUTING.md"), re.MULTILINE)


def test_every_module_and_folder_in_the_guide_for_contributors_exists() -> None:
    named = set(PATH.findall(read("CONTRIBUTING.md")))
    assert len(named) > 30
    places = [ROOT / each for each in (".", "bot", "bot/platform")]
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []


def test_a_walk_through_the_code_names_its_subject_and_enters_each_module_once() -> None:
    assert len(WALKS) >= 10
    for what, walk in WALKS:
        modules = re.findall(r"`([^`]+)`", walk)
        assert len(modules) == len(set(modules)), walk
        subject = re.match(r"\*(\w+)\*: ", what)
        assert subject is None or any(subject[1] in module.split("/") for module in modules), what


def test_the_guide_for_contributors_lists_the_rooms_in_the_order_of_the_layers() -> None:
    by_id = {contract["id"]: contract for contract in project()["tool"]["importlinter"]["contracts"]}

    def names(layers: list[str]) -> list[str]:
        return [name.strip() for layer in layers for name in layer.split("|")]

    top = [name.removeprefix("bot.") for name in names(by_id["layers"]["layers"])]
    expected = [*top, *names(by_id["platform"]["layers"])]
    table = read("CONTRIBUTING.md").split("| room |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (?:&emsp;)?`(?:bot/)?(\w+)(?:/|\.py)` \|", table, re.MULTILINE)
    assert rows == expected


def test_the_changelog_begins_with_unreleased_changes() -> None:
    headings = re.findall(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_every_room_has_its_place_in_the_layers() -> None:
    contracts = project()["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["id"] == "layers"]
    placed = {name.strip() for layer in layers for name in layer.split("|")}
    rooms = {
        f"bot.{path.stem}"
        for path in (ROOT / "bot").iterdir()
        if path.name != "__init__.py" and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }
    assert rooms <= placed
    assert "cogs" in placed
