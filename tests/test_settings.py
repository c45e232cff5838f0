"""The settings: where they come from, what values they take, and what the operator reads about a wrong one."""

import re
from pathlib import Path
from typing import Any

import pytest

from bot.platform.transport.pacer import Budget
from bot.process.parts import budget_of
from bot.settings import Settings, SettingsError, load_settings, takes, variable

ROOT = Path(__file__).parents[1]
FIELDS = Settings.model_fields


def refused(**overrides: Any) -> str:
    with pytest.raises(SettingsError) as error:
        load_settings(**overrides)
    return str(error.value)


def env_file(folder: Path, text: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / ".env"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.setitem(Settings.model_config, "env_file", str(path))


def test_every_setting_has_a_default() -> None:
    settings = load_settings()
    assert settings.token is None
    assert (settings.turn_seconds, settings.warn_seconds, settings.computer_seconds) == (120, 30, 1.5)


def test_a_keyword_beats_the_environment_which_beats_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file(tmp_path, "ESCOBA_ROUND_SECONDS=10\nESCOBA_LOBBY_MINUTES=10\nESCOBA_RATE_MATCHES=10\n", monkeypatch)
    monkeypatch.setenv("ESCOBA_LOBBY_MINUTES", "20")
    monkeypatch.setenv("ESCOBA_RATE_MATCHES", "20")
    settings = load_settings(rate_matches=30)
    assert (settings.round_seconds, settings.lobby_minutes, settings.rate_matches) == (10, 20, 30)


def test_an_empty_value_means_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file(tmp_path, "ESCOBA_TOKEN=\nESCOBA_TURN_SECONDS=\n", monkeypatch)
    monkeypatch.setenv("ESCOBA_DEMO_PORT", "")
    assert load_settings() == Settings()


def test_a_token_of_blanks_counts_as_none() -> None:
    assert load_settings(token="  ").token is None


def test_the_log_level_may_be_in_lower_case() -> None:
    assert load_settings(log_level="warning").log_level == "WARNING"


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("turn_seconds", [0, 31, 86_400], [-1, 1, 14, 86_401, "soon", 20.5]),
        ("warn_seconds", [0, 1, 119], [-1, "x"]),
        ("computer_seconds", [0, 0.25, 30], [-0.1, 30.1, "nan", "inf", "x"]),
        ("round_seconds", [5, 3_600], [4, 3_601]),
        ("abandon_minutes", [1, 10_080], [0, 10_081]),
        ("lobby_minutes", [1, 10_080], [0, 10_081]),
        ("rate_matches", [1, 1_000], [0, 1_001]),
        ("shards", ["0-3/4", "0/1", "0-2/3"], ["", "0-3", "0-4/4", "1-0/2", "0,0/1", 3, "0-1/4"]),
        ("home_server", [614807913302851594], ["casa", "12", "-614807913302851594"]),
        ("log_level", ["DEBUG", "ERROR"], ["LOUD", 3]),
        ("log_format", ["text", "json"], ["xml", 3]),
        (
            "health_address",
            ["127.0.0.1:8080", "localhost:1", "[::1]:65535", "monitor.internal:9100"],
            [
                "",
                "0",
                "65536",
                "127.0.0.1",
                "127.0.0.1:",
                ":8080",
                "::1:8080",
                "[::1:8080",
                "[1:2]:80",
                "a b:80",
                "a:-1",
                3,
            ],
        ),
        ("demo_host", ["127.0.0.1", "0.0.0.0"], ["localhost", "10.0.0.5"]),  # noqa: S104 - only parsed
        ("demo_port", [0, 65_535], [-1, 65_536]),
        ("database", ["x.sqlite3", "postgresql+psycopg://ana:x%40y@host:5432/games?sslmode=require"], [" "]),
        ("demo_database", ["x.sqlite3"], [" "]),
    ],
)
def test_each_setting_takes_the_values_it_says(field: str, good: list[object], bad: list[object]) -> None:
    for value in good:
        assert getattr(load_settings(**{field: value}), field) == value
    for value in bad:
        line = refused(**{field: value})
        assert line == f"{variable(field)} takes {takes(FIELDS[field])}; it got {value!r}."


def test_the_warning_must_come_before_the_deadline() -> None:
    assert load_settings(turn_seconds=20, warn_seconds=19).warn_seconds == 19
    assert refused(turn_seconds=20, warn_seconds=20).startswith("ESCOBA_WARN_SECONDS takes")
    assert load_settings(turn_seconds=0, warn_seconds=500).warn_seconds == 500


def test_every_wrong_setting_has_a_line_of_its_own() -> None:
    lines = refused(turn_seconds="x", round_seconds=0, demo_port="y" * 500).splitlines()
    assert [line.split()[0] for line in lines] == [
        "ESCOBA_TURN_SECONDS",
        "ESCOBA_ROUND_SECONDS",
        "ESCOBA_DEMO_PORT",
    ]
    assert max(map(len, lines)) < 160


def test_a_mistyped_name_is_refused_with_the_nearest_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file(tmp_path, "ESCOBA_TOKN=abc\nOTHER_PROGRAM=1\n", monkeypatch)
    monkeypatch.setenv("escoba_turn_second", "60")
    monkeypatch.setenv("ESCOBA_QQQQ", "1")
    assert refused().splitlines() == [
        "ESCOBA_QQQQ is not a setting; the command `settings` lists them all.",
        "ESCOBA_TOKN is not a setting; did you mean ESCOBA_TOKEN?",
        "ESCOBA_TURN_SECOND is not a setting; did you mean ESCOBA_TURN_SECONDS?",
    ]


def test_a_line_without_an_equals_sign_is_refused_and_its_value_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env_file(tmp_path, "ESCOBA_TOKEN:very.secret.token\n", monkeypatch)
    assert refused() == "ESCOBA_TOKEN is not a setting; did you mean ESCOBA_TOKEN=?"


def test_a_mistyped_keyword_is_a_bug_of_the_caller() -> None:
    with pytest.raises(TypeError, match="tokn"):
        load_settings(tokn="x")


def test_a_file_that_is_not_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file(tmp_path, b"ESCOBA_TOKEN=\xff\xfe\n", monkeypatch)
    assert refused().endswith("is not UTF-8 text.")


def test_the_token_is_never_shown() -> None:
    settings = load_settings(token=" very.secret.token ")
    assert settings.token is not None
    assert settings.token.get_secret_value() == "very.secret.token"
    assert "secret." not in f"{settings!r} {settings} {settings.model_dump_json()}"
    for line in (refused(token="very.secret.token", turn_seconds=1), refused(token=["very.secret.token"])):
        assert "secret." not in line
    with pytest.raises(ValueError, match="log_level") as error:
        Settings(token="very.secret.token", log_level="x")  # type: ignore[arg-type]
    assert "secret." not in str(error.value)


@pytest.mark.parametrize(
    "value",
    [
        "123456789012345678",  # the application's id
        "QWvn8h3Jv2mLkP0aXyZ7_b-Cd4Ef6Gh8",  # its client secret
        "f1c44ad5b6e0" * 5 + "0000",  # its public key
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl",  # copied in part
        '"MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"',  # as in Docker's --env-file
        "Bot MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB",
        "https://discord.com/developers/applications/123456789012345678/bot",
        "...",
    ],
)
def test_an_impossible_token_is_refused_and_not_repeated(value: str) -> None:
    assert refused(token=value) == f"ESCOBA_TOKEN takes {takes(FIELDS['token'])}."


@pytest.mark.parametrize(
    "value",
    [
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4MDE.G-Ij_l.abcdefghijklmnopqrstuvwxyz-_123456789AB",
        "a.b.c.of-a-shape-to-come",
    ],
)
def test_a_possible_token_is_left_to_discord_to_judge(value: str) -> None:
    token = load_settings(token=value).token
    assert token is not None
    assert token.get_secret_value() == value


@pytest.mark.parametrize(
    "value",
    [
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB",
        "postgresql+psycopg://ana:abcdefgh@host/games",
    ],
)
def test_a_secret_in_the_wrong_setting_is_not_repeated(value: str) -> None:
    assert refused(home_server=value, support_url=value).count(".\n") == 1
    assert "abcdefgh" not in refused(home_server=value, support_url=value)


@pytest.mark.parametrize(
    "value",
    [
        "postgresql://ana:very.secret@host/games",
        "postgresql+psycopg://ana:very.secret@host",
        "postgresql+psycopg://ana:very.secret@host:port/games",
        "postgresql+psycopg://ana:very@.secret@host/games",
        "postgresql+psycopg://ana:very@x/secret@host/games",
        "mysql://ana:very.secret@host/games",
    ],
)
def test_an_invalid_database_address_is_refused_and_not_repeated(value: str) -> None:
    line = refused(database=value)
    assert line.startswith("ESCOBA_DATABASE takes the path of a file, or postgresql+psycopg://")
    assert "secret" not in line


def test_a_databases_password_is_never_shown() -> None:
    settings = load_settings(database="postgresql+psycopg://ana:very%2Fsecret@host/games", token="a.b.c")
    assert "secret" not in f"{settings!r} {settings} {settings.heartbeat_path}"
    assert settings.secrets == ("a.b.c", "very%2Fsecret", "very/secret")
    assert load_settings(database="x.sqlite3").secrets == ()


@pytest.mark.parametrize("option", ["password", "sslpassword", "pass%77ord"])
def test_a_password_is_also_known_as_a_parameter_of_the_address(option: str) -> None:
    address = f"postgresql+psycopg://ana@host/games?sslmode=require&{option}=very%2Fsecret"
    assert load_settings(database=address).secrets == ("very%2Fsecret", "very/secret")


def test_a_password_is_also_known_from_postgresqls_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "very/secret")
    assert load_settings(database="postgresql+psycopg://ana@host/games").secrets == ("very/secret",)


def test_the_name_of_the_heartbeat_file_says_nothing_of_a_password() -> None:
    paths = {
        load_settings(database=f"postgresql+psycopg://ana@host/games?password={each}").heartbeat_path
        for each in ("one", "other")
    }
    assert len(paths) == 1


def test_the_heartbeat_file_is_on_this_machine_even_if_the_database_is_not() -> None:
    paths = {
        load_settings(database=f"postgresql+psycopg://{text}").heartbeat_path
        for text in ("ana:one@host/games", "ana:two@host/games", "ana@host/others")
    }
    assert len(paths) == 2, "the path depends on the password"
    assert all(path.is_absolute() for path in paths)


def test_each_process_on_a_database_has_its_own_heartbeat_file() -> None:
    texts = [None, "0-3/16", "4-7/16", "0,3/16", "0-3/8"]
    names = [load_settings(database="postgresql+psycopg://ana@host/games", shards=text) for text in texts]
    paths = [settings.heartbeat_path.name for settings in names]
    assert len(set(paths)) == len(texts)
    assert paths[1].endswith("-0-3-of-16.alive")
    assert paths[2].endswith("-4-7-of-16.alive")


def test_a_bare_port_serves_health_to_this_machine_only() -> None:
    assert load_settings().health_host_and_port is None
    assert load_settings(health_address=" 8080 ").health_address == "127.0.0.1:8080"
    assert load_settings(health_address="8080").health_host_and_port == ("127.0.0.1", 8080)
    assert load_settings(health_address="[::1]:09100").health_host_and_port == ("::1", 9100)
    assert load_settings(health_address="10.0.0.5:80").health_host_and_port == ("10.0.0.5", 80)


def test_the_log_format_may_be_in_upper_case() -> None:
    assert load_settings(log_format="JSON").log_format == "json"


def test_the_heartbeat_file_is_beside_the_database_file() -> None:
    assert load_settings(database="some/where.sqlite3").heartbeat_path == Path("some/where.sqlite3.alive")


def test_the_example_file_agrees_with_the_settings() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    blocks = [block for block in text.strip().split("\n\n")[1:] if not block.startswith("# ----")]
    expected = [
        "".join(f"# {line}\n" for line in (field.description or "").splitlines()) + f"# Takes {takes(field)}.\n"
        f"#{variable(name)}={'' if field.default is None else field.default}"
        for name, field in FIELDS.items()
    ]
    assert blocks == expected


def test_the_example_file_works_as_it_is_and_with_every_setting_uncommented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    for variant in (text, re.sub(r"^#(?=ESCOBA_)", "", text, flags=re.MULTILINE)):
        env_file(tmp_path, variant, monkeypatch)
        assert load_settings() == Settings(_env_file=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["support_url", "privacy_url", "terms_url"])
@pytest.mark.parametrize("value", ["https://example.org", " http://example.org:8080/a?b=c#d ", "https://discord.gg/x"])
def test_a_web_address_is_taken_as_it_is(name: str, value: str) -> None:
    assert getattr(load_settings(**{name: value}), name) == value.strip()


@pytest.mark.parametrize(
    "value",
    ["example.org", "ftp://example.org", "javascript:alert(1)", "https://", "https://a b", f"https://{'a' * 600}"],
)
def test_anything_else_is_not_a_web_address(value: str) -> None:
    with pytest.raises(SettingsError, match="ESCOBA_TERMS_URL takes a web address"):
        load_settings(terms_url=value)


def test_some_of_the_shards_need_postgresql_and_get_their_part_of_the_requests() -> None:
    settings = load_settings(shards="0, 2-4 / 16", database="postgresql+psycopg://u@h/escoba", requests_per_second=40)
    assert (settings.shards, settings.own_shards.numbers) == ("0,2-4/16", (0, 2, 3, 4))
    budget = budget_of(settings)
    assert (budget.per_second, budget.ban, budget.follow_ups) == (10, 2_500, 7)
    assert budget_of(load_settings()) == Budget()
    assert load_settings().own_shards.complete
    assert refused(shards="0/2") == (
        "ESCOBA_SHARDS takes shards and how many there are, such as 0-3/16 or 0,2/4; fewer than all only with"
        " PostgreSQL; it got '0/2'."
    )


def test_all_processes_of_an_address_together_stay_below_its_ban() -> None:
    postgres = "postgresql+psycopg://u@h/escoba"
    for requests_per_second in (0, 45):
        for count in (2, 7, 16, 400):
            budget = budget_of(
                load_settings(shards=f"0/{count}", database=postgres, requests_per_second=requests_per_second)
            )
            assert 0 < count * budget.ban <= 10_000
