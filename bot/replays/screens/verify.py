"""The proof of how a match was dealt, for one of its players: the seal, the message's number, each round's key and
deck."""

from typing import Final

from discord.utils import format_dt

from bot.cards.words.cards import shown_all
from bot.engine.proofs import Proof
from bot.platform.kit.colours import FELT
from bot.platform.kit.links import channel_url
from bot.platform.language.texts import Words
from bot.platform.layout import BoxPart, Layout, box_of, line, menu, option, row
from bot.platform.people import safe
from bot.replays.ids.replay import ReplayRef, ReplayVerb
from bot.replays.live.proofs import Checked
from bot.tables.words.scores import FAULTS

_IN_A_ROW: Final = 10
_IN_A_MENU: Final = 25
_FLAWS: Final = 10
"""Flaws that are listed one by one."""


def verify_layout(match: Checked, t: Words, *, number: int = 0) -> Layout:
    """The check of a match; `number`: the round whose deck is shown, else the latest."""
    ref, proof = ReplayRef(match.row.id), match.proof
    number = number if 1 <= number <= len(match.decks) else len(match.decks)
    first = max(1, min(number - _IN_A_MENU // 2, len(match.decks) - _IN_A_MENU + 1))
    rounds = [
        option(t("Round {round}", round=round), str(round), chosen=round == number)
        for round in range(first, min(first + _IN_A_MENU, len(match.decks) + 1))
    ]
    return box_of(
        FELT,
        t("## 🔒 How your cards were dealt"),
        " · ".join(("**" + "** – **".join(map(safe, match.names)) + "**", format_dt(match.row.opened_at, "f"))),
        _verdict(match, t),
        line(),
        *(() if proof is None else _proof_parts(match, proof, number, t)),
        *((t("**Another round**"), row(menu(ref.custom_id(ReplayVerb.VERIFY_ROUND), rounds))) if rounds[1:] else ()),
        "-# " + t("The match's file can be checked without me.") if proof is not None else None,
        row(ref.match_button(t)),
    )


def _verdict(match: Checked, t: Words) -> str:
    if match.boards:
        return t("All tables of this tournament's round play the same boards. The tournament's own secret deals them.")
    if match.flaws:
        lines = [t("Round {round}", round=flaw.round) + f": {t(FAULTS[flaw.fault])}." for flaw in match.flaws[:_FLAWS]]
        more = len(match.flaws) - len(lines)
        lines += [t.plural("… and {n} more", "… and {n} more", more)] if more else []
        return "\n".join((t("❌ **Something is wrong with this deal.**"), *lines))
    if not match.decks and match.running:
        return t("⏳ No round is over yet. The key to a deck is opened when its round is over.")
    if not match.decks:
        return t("It was broken off before a round was over, so no key was opened.")
    good = t("✅ **These decks follow from the seal and from the message's number.**") + "\n"
    good += t("If you saw this seal when the message was new, nobody could change a deck after that.")
    if match.rounds > len(match.decks):
        later = t("From round {n} on, cards were dealt without the seal.", n=len(match.decks) + 1)
        return f"{good}\n-# ⚠️ {later}"
    if match.running:
        return good + "\n-# " + t("The match goes on: the keys to the rounds that are left stay closed.")
    if match.broken_off:
        return good + "\n-# " + t("The round that was broken off isn't checked: its key stays closed.")
    return good


def _proof_parts(match: Checked, proof: Proof, number: int, t: Words) -> list[BoxPart]:
    """Show what was known before, what Discord added, and what follows from both."""
    where = match.row.guild_id or 0, match.row.channel_id or 0  # a match without a channel has no proof
    link = f"[{proof.message_id}]({channel_url(*where, proof.message_id)})"
    cut = t("**2. The cut.** Discord gave that message a number that nobody knew before: {link}", link=link)
    often = t.plural(
        "The table was posted once before the first deal.",
        "The table was posted {n} times before the first deal.",
        max(1, proof.posted),
    )
    cut += f"\n-# {often}"
    cut += " " + t("Whoever runs the bot could have thrown tables away until a number suited them.")
    parts: list[BoxPart] = [
        t("**1. The seal.** Before the first card, the table's message showed how it starts:")
        + f"\n`{proof.commitment}`",
        cut,
    ]
    if number:
        deck = match.decks[number - 1]
        cards = "\n".join(shown_all(deck[n : n + _IN_A_ROW], t) for n in range(0, len(deck), _IN_A_ROW))
        key = t("**3. The key to round {n}.** It fits the seal, and was opened when the round was over:", n=number)
        parts.append(f"{key}\n`{proof.links[number - 1]}`")
        parts.append(t("**4. The deck.** Key and number together give it, in the order of dealing:") + f"\n{cards}")
    return parts
