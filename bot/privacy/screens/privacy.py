"""Private messages about a person's data: what is kept, a file with all of it, and the question before erasing it."""

from discord import ButtonStyle

from bot.platform.kit.colours import QUIET
from bot.platform.kit.links import Links, link_row
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, row
from bot.platform.settings.ids import PREFERENCES, ListVerb
from bot.privacy.ids.privacy import PrivacyRef, PrivacyVerb


def privacy_layout(t: Words, links: Links, *, note: str | None = None) -> Layout:
    """Lay out what is kept, and what can be done about it."""
    return box_of(
        QUIET,
        None if note is None else f"**{note}**",
        t("## 🔒 Your data"),
        t(
            "**What I keep:** your Discord id and the name you had when you joined a table or were challenged; the "
            "matches and tournaments you played in or organised, with what you did there; each server's results, and "
            "what follows from them; what your reviews came to; your answers to the daily puzzles, what you practise "
            "and how far you are in lessons; the house rules you saved for a server; and what you chose for "
            "yourself. Servers' settings name nobody."
        ),
        t("**What I don't:** I read no messages, and I see neither your e-mail nor your IP address."),
        t(
            "**For how long:** until you erase it here; what happened in matches and tournaments for a year, unless "
            "my operator chose otherwise. When a server removes me, its matches, tournaments and results are deleted "
            "a month later. Backup copies keep it for up to four weeks."
        ),
        row(
            _button(PrivacyVerb.DATA, t("Download my data")),
            _button(PrivacyVerb.ERASE, t("Erase my data"), ButtonStyle.danger),
            button(PREFERENCES.custom_id(ListVerb.OPEN), t.context("button", "Back"), emoji="👤"),
        ),
        link_row(links, t),
    )


def privacy_row(t: Words) -> Component:
    """The way here from the person's preferences."""
    return row(button(PrivacyRef().custom_id(PrivacyVerb.SEE), t("Your data"), emoji="🔒"))


def question_layout(t: Words) -> Layout:
    return box_of(
        QUIET,
        t("## Erase everything about you?"),
        t(
            "Your id and your name are removed from every match, tournament and result on all servers. You disappear "
            "from the leaderboards, and your numbers are gone forever. What the others won stays theirs."
        ),
        t(
            "You leave any table you sit at: a robot plays your cards to the end, and a rated match is lost. You "
            "also withdraw from tournaments, and lose the match you are playing in one."
        ),
        t(
            "-# For 30 days, what limits ratings stays under a mark, without your id: whom you met, your gains, your "
            "rating."
        ),
        t("-# Messages that I already posted stay in their channels; moderators can delete them there."),
        row(
            _button(PrivacyVerb.CONFIRM_ERASE, t("Erase everything"), ButtonStyle.danger),
            _button(PrivacyVerb.KEEP, t("Keep my data")),
        ),
    )


def file_text(t: Words) -> str:
    """The text beside the file."""
    return t("Here is everything I keep about you, on all servers. Its last part says what the words in it mean.")


def _button(verb: PrivacyVerb, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Component:
    return button(PrivacyRef().custom_id(verb), label, style=style)
