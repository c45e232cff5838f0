"""The rules of each system in our own words: the cards' values, an example and the scoring."""

from typing import Final

from bot.cards.words.cards import legend, shown_all, values_text
from bot.cards.words.items import canto_meaning, canto_name, sung_text
from bot.cards.words.rules import DEALS, introduction, item_lines, preset_name, seating_name, source_of
from bot.engine.cards import SUNG_CARDS, Canto, CardSet, canto_points, cantos_of
from bot.engine.rules import PRESETS, Capture, Duty, Opening, Preset, Rules, Seating
from bot.platform.kit.colours import FELT
from bot.platform.language.faces import Deck
from bot.platform.language.texts import Words
from bot.platform.layout import Component, Layout, box_of, button, line, section
from bot.tables.ids.game import Ref, Verb

_EXAMPLE_TABLE: Final = CardSet.of("1o 3c 4e 7b")


def guide_layout(name: str, rules: Rules, t: Words, own: str | None = None) -> Layout:
    """The rules of a system; `rules` may be those of a game that started from the system and changed some.

    `own`: the server's name for these rules if they are its own, escaped.
    """
    preset = PRESETS[name]
    began = preset_name(name, t)
    origin = introduction(name, t) if own is None else t("House rules, based on: {preset}", preset=began)
    return box_of(
        FELT,
        f"## 📜 {own or began}\n**{_in_a_line(rules, t)}**\n{origin}",
        _players(preset, rules, t),
        _cards(t),
        line(),
        _play(rules, t),
        _example(rules, t),
        line(),
        "\n".join(_scoring(rules, t)),
        lost_hand(t),
        t("Rather play than read? `/escoba learn` shows you the game step by step."),
        "-# " + t("Source: {source}", source=source_of(name, t)),
    )


def _in_a_line(rules: Rules, t: Words) -> str:
    """The game in a line."""
    if rules.capture is Capture.FIFTEEN:
        return t("Take cards that make 15 with yours. Clear the table: escoba.")
    return t("Take a card equal to yours, or cards that add up to it. Clear the table: escoba.")


def lesson_offer(t: Words) -> Component:
    """The offer of a first lesson. It is about no game in particular."""
    learn = button(Ref(0).custom_id(Verb.LEARN), t("First lesson"), emoji="🎓")
    return section(t("Two minutes: how to take cards"), learn)


def lost_hand(t: Words) -> str:
    """Say what to do when Discord has taken a player's panel off the screen, as it does with private messages."""
    return t("**My hand** shows your cards, to you only. Lost them? Press it again.")


def _players(preset: Preset, rules: Rules, t: Words) -> str:
    scopone = rules.hand > SUNG_CARDS and preset.rules.hand <= SUNG_CARDS
    possible = (Seating.FOUR, Seating.PAIRS) if scopone else preset.seatings
    seatings = ", ".join(seating_name(seating, t) for seating in sorted(possible, key=lambda s: (s.seats, s.in_teams)))
    lines = [t("**Players:** {seatings}.", seatings=seatings)]
    if any(seating.in_teams for seating in possible):
        lines.append(t("Partners sit opposite each other and pool their cards and points."))
    if preset.other_seatings and not scopone:
        lines.append(t("A lobby can also seat five, each solo, or six as three pairs or three against three."))
    return " ".join(lines)


def _cards(t: Words) -> str:
    if t.faces.deck is Deck.FRENCH:
        cards = t("**Cards:** forty French cards, without eights, nines and tens. {suits}", suits=legend(t))
    else:
        cards = t("**Cards:** the forty Spanish cards. {suits}", suits=legend(t))
    return f"{cards}\n{values_text(t)}"


def _play(rules: Rules, t: Words) -> str:
    paragraphs: list[str] = []
    if (rules.hand, rules.table) == DEALS[0]:
        paragraphs.append(
            t("**The deal:** {hand} cards each, and {table} face up on the table. When all hands are empty, everyone "
              "gets {hand} more, until the deck runs out. The last deal is called “últimas”.",
              hand=rules.hand, table=rules.table)
        )  # fmt: skip
        paragraphs.append(t("Five players get 3 cards and then 4, with 5 on the table."))
    elif rules.table:
        paragraphs.append(
            t("**The deal:** scopone, {hand} cards each at once, and {table} face up on the table.",
              hand=rules.hand, table=rules.table)
        )  # fmt: skip
    else:
        paragraphs.append(t("**The deal:** {hand} cards each at once, and none on the table.", hand=rules.hand))
    if rules.capture is Capture.FIFTEEN:
        paragraphs.append(
            t("**A turn:** play one card. It takes cards from the table that make exactly **15** with it, and all of "
              "them go to your pile. If it takes nothing, it stays on the table.")
        )  # fmt: skip
    else:
        paragraphs.append(
            t("**A turn:** play one card. It takes one table card of the same value, or several that add up to it. "
              "If it takes nothing, it stays on the table.")
        )  # fmt: skip
    paragraphs.append(
        {
            Duty.COMPULSORY: t(
                "You choose which card to play; but if the card you play can take something, it must. With several "
                "possible captures you pick one."
            ),
            Duty.CLAIMABLE: t(
                "Nobody tells you what a card could take. If you miss it, the next player may claim that capture "
                "before playing."
            ),
            Duty.OPTIONAL: t("Nobody tells you what a card could take: what you miss stays on the table."),
        }[rules.duty]
    )
    paragraphs.append(t("**Escoba:** whoever takes all the cards on the table sweeps it, for one point."))
    if rules.opening is Opening.SUM:
        paragraphs.append(
            t(
                "**Opening escoba:** if the first four table cards make 15, the dealer takes them as an escoba; if "
                "they make 30, as two. With five cards on the table, 45 counts as three."
            )
        )
    elif rules.opening is Opening.PAIRS:
        paragraphs.append(
            t(
                "**Opening escoba:** if the first table cards make 15, the dealer takes them as an escoba; if they are "
                "two groups of 15, as two."
            )
        )
    if rules.cantos:
        paragraphs.append(_cantos(t))
    paragraphs.append(
        t("When all cards are played, those left on the table go to whoever took last. That isn't an escoba.")
    )
    return "\n".join(paragraphs)


def _cantos(t: Words) -> str:
    """Explain what may be sung, what it is worth, and what it gives away."""
    lines = [
        t("**Cantos:** if your three cards go together, a button on your panel sings them, on your turn and before "
          "your first card of that deal. Everyone then sees them until they are played. Nobody has to sing.")
    ]  # fmt: skip
    lines += [
        f"- *{canto_name(canto)}*{t.colon}{canto_meaning(canto, t)}{t.colon}**{canto.points}**" for canto in Canto
    ]
    example = CardSet.of("2c 3c 4c")
    lines.append(
        t("All that apply are added: {cards} are {cantos}, {n} points. They are scored with the round.",
          cards=shown_all(example, t), cantos=sung_text(cantos_of(example)), n=canto_points(cantos_of(example)))
    )  # fmt: skip
    return "\n".join(lines)


def _example(rules: Rules, t: Words) -> str:
    table = shown_all(_EXAMPLE_TABLE, t)
    if rules.capture is Capture.FIFTEEN:
        return t(
            "**Example:** with {table} on the table, a 4 takes 4 + 7 or 1 + 3 + 7. With the 4 played, each makes 15.",
            table=table,
        )
    return t(
        "**Example:** with {table} on the table, a 4 takes either the 4, or 1 + 3. A 7 takes the 7, or 3 + 4.",
        table=table,
    )


def _scoring(rules: Rules, t: Words) -> list[str]:
    lines = [t("**Points of a round**"), *item_lines(rules, t)]
    if rules.cantos:
        lines.append(t("Every escoba and every canto counts. A tie in any of the others scores for nobody."))
    else:
        lines.append(t("Every escoba counts. A tie in any of the others scores for nobody."))
    if rules.rounds == 1:
        return [*lines, t("The match is a single round. Tied at the top, nobody wins.")]
    if rules.rounds:
        lines.append(
            t.plural(
                "The match has **{n}** board, which all tables play.",
                "The match has **{n}** boards, which all tables play.",
                rules.rounds,
            )
        )
        return lines
    lines.append(
        t("The match goes to **{target}** points. It ends when a round is scored; tied at the top, another is played.",
          target=rules.target)
    )  # fmt: skip
    if rules.lead > 1:
        lines.append(
            t("A win needs a lead of {n} points: at {target} to {less} another round is played.",
              n=rules.lead, target=rules.target, less=rules.target - 1)
        )  # fmt: skip
    return lines
