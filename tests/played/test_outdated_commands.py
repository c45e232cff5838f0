"""Commands that a Discord client still shows as they were before an update of the bot: they are refused kindly."""

from typing import Any

from bot.platform.language.catalogues import words
from bot.platform.refusals import CommonRefusal
from tests.support.escoba import RoomOf
from tests.support.people import forge_slash, set_locale

STRING, INTEGER, NUMBER, USER = 3, 4, 10, 6


def of(command: str, *options: tuple[str, int, Any]) -> dict[str, Any]:
    """The data of a subcommand with options (name, type, value), as Discord sends it."""
    given = [{"name": name, "type": kind, "value": value} for name, kind, value in options]
    return {"name": "escoba", "options": [{"name": command, "type": 1, "options": given}]}


OUTDATED = {
    "a group that is gone": {"name": "brisca", "options": []},
    "a command that is gone": of("deal"),
    "a command that left the group": of("admin"),
    **{f"{name}, which went elsewhere": of(name) for name in ("review", "replay", "verify", "privacy", "cancel")},
    "the group alone": {"name": "escoba", "options": []},
    "an option that is gone": of("play", ("seats", INTEGER, 4)),
    "an option that has another name": of("play", ("preset", STRING, "quince")),
    "an option of another type": of("play", ("target", STRING, "21")),
    "another command's choice that is gone": of("leaderboard", ("order", STRING, "elo")),
    "a number below the range": of("play", ("target", INTEGER, 0)),
    "a number above the range": of("play", ("target", INTEGER, 102)),
    "a number for a person": of("stats", ("player", NUMBER, 0.5)),
}


async def test_an_outdated_command_is_refused_with_an_explanation(room_of: RoomOf):
    async with room_of(1) as here:
        ana = here.people[0]
        for what, data in OUTDATED.items():
            errors = len(here.env.errors)
            for locale in ("en-US", "es-ES"):
                answers = len(ana.messages(here.channel))
                set_locale(ana, locale)
                await forge_slash(ana, here.channel, data)
                assert len(ana.messages(here.channel)) > answers, what
                assert here.private_text(ana) == words(locale)(CommonRefusal.OUTDATED.value), what
                assert here.bot.parts.manager.at(here.channel.id) is None, what
            assert len(here.env.errors) <= errors + 2, what  # SimCord also keeps errors that were handled


async def test_a_current_command_is_carried_out(room_of: RoomOf):
    async with room_of(1) as here:
        await forge_slash(
            here.people[0], here.channel, of("play", ("variant", STRING, "quince"), ("target", INTEGER, 7))
        )
        config = here.table.view().config
        assert (config.preset, config.rules.target) == ("quince", 7)
