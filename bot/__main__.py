"""The command line: run (the default), demo, settings, sync, backup, restore, check, copy, show, verify, health."""

import argparse
import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, suppress
from datetime import UTC, datetime
from pathlib import Path

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # what follows takes a moment, in which Ctrl-C would print a traceback

from bot import __version__
from bot.engine.match_file import LARGEST, MatchFile, MatchFileError, read
from bot.platform.operating.logs import set_up_logging
from bot.platform.secrets import Censored, hiding, passwords_in
from bot.settings import ENV_FILE, Settings, SettingsError, load_settings

OK = 0
FAILED = 1
CANNOT_START = 2  # as argparse uses it: the command or its input has to be changed
INTERRUPTED = 130  # as shells report Ctrl-C

_CANNOT_SERVE = (
    f"No token in the environment or in {Path(ENV_FILE).absolute()}: put ESCOBA_TOKEN=... there, or try the bot without"
    " one, with the command `demo`"
)
_PLACE = "a file, or postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"
_OWN_TOOL = "PostgreSQL has its own tool for this, which asks for the password or takes it from PGPASSWORD"
_BAR = 30  # characters of a progress bar
_EXAMPLE = Path(__file__).parents[1] / ".env.example"  # in a checkout, in the image and in the installed package


def main(arguments: Sequence[str] | None = None, *, program: str = "python -m bot") -> int:
    """Run one command of the program, as it was called, and return the exit code.

    0: done. 1: it failed, or found the faults that it looks for; another try may end differently. 2: it will fail again
    until somebody changes something.
    """
    options = _parser(program).parse_args(arguments)
    try:
        return _with_settings(options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _with_settings(options: argparse.Namespace) -> int:
    if options.command == "settings":  # it has to work when a setting is wrong
        _print_all(_EXAMPLE.read_text(encoding="utf-8").splitlines())
        return OK
    try:
        settings = load_settings()
    except SettingsError as error:
        return _refuse(str(error))
    if options.command == "health":  # it needs no logging: it prints one line
        return _health(settings)
    named = (getattr(options, name, None) or "" for name in ("source", "target", "file"))
    secrets = (*settings.secrets, *(password for each in named for password in passwords_in(each)))
    set_up_logging(settings.log_level, settings.log_format, secrets=secrets)
    with redirect_stderr(Censored(sys.stderr, hiding(secrets))):
        return _run_command(options, settings)


def _run_command(options: argparse.Namespace, settings: Settings) -> int:
    match options.command:
        case "demo":
            return _demo(settings, browser=not options.no_browser, fresh=options.fresh)
        case "sync":
            return _sync(settings, adopts=options.adopt)
        case "backup":
            return _backup(settings, options.file)
        case "restore":
            return _restore(settings, options.file)
        case "check":
            return _check(options.file or settings.database)
        case "copy":
            return _copy(options.source, options.target)
        case "show":
            return _show_match(Path(options.file), options.language)
        case "verify":
            return _verify(Path(options.file))
        case _:
            return _run(settings)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Escoba for Discord.")
    parser.add_argument("--version", action="version", version=f"Escoba for Discord {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("run", help="run the bot until it is stopped (the default)")
    demo = commands.add_parser("demo", help="play on a simulated Discord in the browser, without a token")
    demo.add_argument("--no-browser", action="store_true", help="only print the page's address")
    demo.add_argument("--fresh", action="store_true", help="delete the games of earlier demos first")
    commands.add_parser("settings", help="print every setting with its default, as an .env file to start from")
    sync = commands.add_parser("sync", help="send the slash commands and the emojis to Discord now")
    sync.add_argument("--adopt", action="store_true", help="take over the database of another application")
    backup = commands.add_parser("backup", help="back up the database file; the bot may keep running")
    backup.add_argument("file", metavar="FILE", nargs="?", help="the file to write; one beside the database by default")
    restore = commands.add_parser("restore", help="put a backup in the place of a stopped bot's database file")
    restore.add_argument(
        "file", metavar="BACKUP", nargs="?", help="the backup; by default the newest beside the database"
    )
    check = commands.add_parser("check", help="replay every game and recount every standing; the bot may keep running")
    check.add_argument("file", metavar="FILE", nargs="?", help="the database to check; ESCOBA_DATABASE by default")
    copy = commands.add_parser("copy", help="copy the database of a stopped bot, between a file and PostgreSQL")
    copy.add_argument("source", metavar="FROM", help=f"the database to copy: {_PLACE}")
    copy.add_argument(
        "target",
        metavar="TO",
        help="where to copy it: likewise, but empty, or left by an interrupted copy of the same database",
    )
    show = commands.add_parser("show", help="print a match that was saved as a file, with all hands open")
    show.add_argument("file", metavar="FILE", help="the match")
    show.add_argument("--language", default="en", metavar="CODE", help="en (the default), es, ...")
    verify = commands.add_parser("verify", help="check how a match saved as a file was dealt")
    verify.add_argument("file", metavar="FILE", help="the match")
    commands.add_parser("health", help="fail unless the bot is running and connected")
    return parser


def _refuse(lines: str) -> int:
    print(lines, file=sys.stderr)
    return CANNOT_START


def _run(settings: Settings) -> int:
    if settings.token is None:
        return _refuse(_CANNOT_SERVE)
    from bot.process.serve import run

    return run(settings)


def _sync(settings: Settings, *, adopts: bool) -> int:
    if settings.token is None:
        return _refuse(_CANNOT_SERVE)
    from bot.process.serve import sync

    return sync(settings, adopts=adopts)


def _demo(settings: Settings, *, browser: bool, fresh: bool) -> int:
    # SimCord tries out discord.py when it is imported, and discord.py warns about the intents it uses for that.
    logging.disable(logging.WARNING)
    from bot.demo import main as demo_main

    logging.disable(logging.NOTSET)
    return demo_main(settings, browser=browser, fresh=fresh)


def _backup(settings: Settings, file: str | None) -> int:
    from bot.platform.database.errors import StoreError
    from bot.platform.database.locations import dump_command, location_of
    from bot.platform.database.tools.backup_folder import BackupFolder, copy_database

    source = location_of(settings.database)
    if not isinstance(source, Path):
        return _refuse(f"{_OWN_TOOL}:\n{dump_command(source, file or 'FILE')}")
    if not source.is_file():
        return _refuse(f"There is no database at {source.absolute()} (ESCOBA_DATABASE) to back up.")
    target = None if file is None else Path(file)
    if target is not None and target.exists():
        return _refuse(f"{target} already exists; name a new file.")
    if target is not None and not target.parent.is_dir():
        return _refuse(f"There is no folder {target.parent} to write to.")
    try:
        if target is None:
            folder = BackupFolder(source)
            target = folder.back_up(datetime.now(UTC))
            with suppress(OSError):  # the bot tries again
                folder.prune(datetime.now(UTC))
        else:
            copy_database(source, target, checked=True)
    except StoreError as error:
        print(f"The backup failed: {error}", file=sys.stderr)
        return FAILED if error.transient else CANNOT_START
    print(f"{source} is backed up to {target} ({target.stat().st_size:,} bytes).")
    return OK


def _restore(settings: Settings, file: str | None) -> int:
    from bot.platform.database.errors import CannotCopy, StoreError
    from bot.platform.database.locations import location_of, restore_command
    from bot.process.backups import restore

    target = location_of(settings.database)
    if not isinstance(target, Path):
        return _refuse(f"{_OWN_TOOL}, and needs an empty database:\n{restore_command(target, file or 'FILE')}")
    try:
        backup, key = None if file is None else Path(file), settings.marks_key
        done = asyncio.run(restore(target, backup, datetime.now(UTC), marks_key=key))
    except CannotCopy as error:
        return _refuse(f"Nothing is restored: {error}.")
    except StoreError as error:
        print(f"Nothing is restored: {error}", file=sys.stderr)
        return FAILED if error.transient else CANNOT_START
    found = done.contents
    until = "" if found.newest is None else f", up to {found.newest:%Y-%m-%d %H:%M} UTC"
    print(f"{done.database} is restored from {done.backup}: {found.games:,} games, {found.open_games:,} open{until}.")
    if done.replaced is not None:
        print(f"The database that it replaces is kept for four weeks: {done.replaced}")
    if done.erased:
        print(f"{done.erased:,} people who had themselves erased after the backup are erased from it, too.")
    return OK


def _check(name: str) -> int:
    from bot.platform.database.errors import StoreError
    from bot.platform.database.locations import InvalidLocation, location_of
    from bot.process.check import check

    try:
        place = location_of(name)
    except InvalidLocation as error:
        return _refuse(f"This is {error}.")
    if isinstance(place, Path) and not place.is_file():
        return _refuse(f"There is no database at {place.absolute()} to check.")
    try:
        good = asyncio.run(check(place, print))
    except StoreError as error:
        print(f"The database can't be checked: {error}", file=sys.stderr)
        return FAILED if error.transient else CANNOT_START
    except FileNotFoundError as error:  # a container whose file system is read-only, without a /tmp of its own
        return _refuse(f"There is no place for a copy to check (TMPDIR can name a folder): {error.strerror}.")
    return OK if good else FAILED


def _copy(source: str, target: str) -> int:
    from bot.platform.database.errors import CannotCopy, StoreError
    from bot.platform.database.locations import InvalidLocation, location_of, without_password
    from bot.platform.database.tools.transfer import transfer
    from bot.schema import SCHEMA

    try:
        here, there = location_of(source), location_of(target)
    except InvalidLocation as error:
        return _refuse(f"This is {error}.")
    try:
        count = asyncio.run(transfer(here, there, SCHEMA, _show_progress))
    except CannotCopy as error:
        print(f"It can't be copied: {error}.", file=sys.stderr)
        return FAILED if error.transient else CANNOT_START
    except StoreError as error:
        again = "; run the same command again" if error.transient else ", and the same would happen again"
        print(f"The copy isn't finished{again}: {error}", file=sys.stderr)
        return FAILED if error.transient else CANNOT_START
    names = f"{without_password(here)} is copied to {without_password(there)}"
    print(f"{names}: {count:,} rows, each compared. Checking the copy now.")
    return _check(target)


def _read_match(file: Path) -> MatchFile | str:
    """The match in a file, or the reason in words why it can't be read."""
    try:
        with file.open("rb") as opened:
            return read(opened.read(LARGEST + 1))
    except OSError as error:
        return f"{file} can't be read: {error.strerror}."
    except MatchFileError as error:
        return f"{file}, {error}."


def _verify(file: Path) -> int:
    from bot.engine.match_checks import check_lines

    if isinstance(match := _read_match(file), str):
        return _refuse(match)
    lines, good = check_lines(match)
    _print_all(lines)
    return OK if good else FAILED


def _show_match(file: Path, language: str) -> int:
    from bot.platform.language.catalogues import language_of, languages, words
    from bot.replays.words.match_text import plain_lines

    if language_of(language) is None:
        return _refuse(f"There are no texts in {language[:20]!r}, only in {', '.join(languages())}.")
    if isinstance(match := _read_match(file), str):
        return _refuse(match)
    _print_all(plain_lines(match, words(language)))
    return OK


def _print_all(lines: Iterable[str]) -> None:
    """Print lines to a terminal or a pipe, which may lack some letters or be closed early."""
    encoding = sys.stdout.encoding  # a Windows pipe's, say
    text = "\n".join(lines).encode(encoding, "replace").decode(encoding)
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_progress(table: str, done: int, total: int) -> None:
    """Print a progress bar if there is a terminal."""
    if sys.stderr.isatty():
        full = _BAR * done // total if total else _BAR
        bar = f"{'#' * full:-<{_BAR}}"
        end = "\n" if done >= total else ""
        print(f"\r[{bar}] {done:,} of {total:,} rows ({table})\x1b[K", end=end, file=sys.stderr, flush=True)


def _health(settings: Settings) -> int:
    path = settings.heartbeat_path
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        print(f"unhealthy: no heartbeat at {path}", file=sys.stderr)
        return FAILED
    if age > Settings.HEARTBEAT_FRESH_SECONDS:
        print(f"unhealthy: not connected for {age:.0f} s", file=sys.stderr)
        return FAILED
    print("healthy")
    return OK


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
