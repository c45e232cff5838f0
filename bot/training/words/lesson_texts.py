"""The texts of the lessons, by lesson and by step. `bot.training.words.lessons` fills them in."""

from collections.abc import Mapping
from typing import Final

from bot.platform.language.texts import N_, NC_

LESSON_NAMES: Final[Mapping[str, str]] = {
    "escoba": N_("First lesson"),
    "quince": N_("Escoba de quince"),
    "clasica": N_("Classic escoba"),
}
LESSON_TEXTS: Final[Mapping[str, str]] = {
    "escoba": N_("The game from the first card to the score. Ten minutes, and you can stop anywhere."),
    "quince": N_("For those who know escoba: find captures yourself, and claim what others miss."),
    "clasica": N_("For those who know escoba: a card takes an equal one, or several that add up to it."),
}
GOODBYES: Final[Mapping[str, str]] = {
    "escoba": N_("That's all there is to it: you can play. `/escoba rules` is there to look things up."),
    "quince": N_(
        "That's the difference. When the round is scored, most sevens are a point, too, and so is the prime: `/escoba "
        "rules` tells what each card is worth for it."
    ),
    "clasica": N_(
        "That's the difference. Nobody tells you what a card could take, but nobody claims what you miss, either. "
        "`/escoba rules` tells how a round is scored."
    ),
}
CHAPTERS: Final[Mapping[str, str]] = {
    "sota": N_("The face cards"),
    "caballo": N_("The face cards"),
    "rey": N_("The face cards"),
    "capture": N_("Taking cards"),
    "choice": NC_("lesson", "Choosing"),
    "which": NC_("lesson", "Choosing"),
    "escoba": NC_("lesson", "Escoba!"),
    "large_escoba": NC_("lesson", "Escoba!"),
    "leaving": N_("What you leave"),
    "leaving_little": N_("What you leave"),
    "score_cards": N_("The score"),
    "score_oros": N_("The score"),
    "score_seven": N_("The score"),
    "score_setenta": N_("The score"),
    "score_points": N_("The score"),
    "deal": N_("Now you play"),
    "quince_find": N_("Find it yourself"),
    "quince_claim": NC_("lesson", "Claiming"),
    "quince_escoba": NC_("lesson", "Escoba!"),
    "clasica_equal": N_("Equal cards"),
    "clasica_sum": NC_("lesson", "Sums"),
    "clasica_choice": N_("Equal or sum?"),
    "clasica_escoba": NC_("lesson", "Escoba!"),
    "clasica_leaving": N_("What you leave"),
}
ASKED: Final[Mapping[str, str]] = {
    "sota": N_(
        "Welcome to escoba. The card you play takes cards from the table that make **15** with it. {values}\n**Which "
        "card on the table makes 15 with your {figure}?**"
    ),
    "caballo": N_("Now with your {figure}. **Which card makes 15?**"),
    "rey": N_("{deck}\n**Which card makes 15 with your {figure}, the highest of all?**"),
    "capture": N_(
        "On your turn you play one card. It can take several cards at once, if they make 15 together with it.\n"
        "**Which of your cards can take something here?**"
    ),
    "choice": N_(
        "Your {card} can take in three ways. At the end of the round there's a point for the most cards, for the most "
        "{oros}, for the best cards (sevens above all), and one just for **the seven {of_oros}**.\n**What do you "
        "take?**"
    ),
    "which": N_(
        "Two of your cards can take something. A card that can take must take, but which card you play is up to "
        "you.\n**Which one do you play?**"
    ),
    "escoba": N_(
        "Whoever takes **all** the cards on the table makes an **escoba**: the table is swept, and that is a point.\n"
        "**Which of your cards does it?**"
    ),
    "large_escoba": N_(
        "Four cards on the table. Add them up: what's missing to make 15?\n**Which card sweeps them all?**"
    ),
    "leaving": N_(
        "None of your cards takes anything, so one must stay on the table, and {other} is next. If the table adds up "
        "to anything from 5 to 14, one card may sweep it.\n**Which card do you leave there?**"
    ),
    "leaving_little": N_("This time there is little on the table.\n**Which card can you add without danger?**"),
    "score_cards": N_(
        "All forty cards are played, and what was left on the table went to whoever took last. Now the score.\n"
        "**Cards:** a point for the side that took the most. **Who gets it?**"
    ),
    "score_oros": N_("**{Oros}:** a point for the most of them. **Who gets it?**"),
    "score_seven": N_(
        "**The seven {of_oros}** is a point by itself: it's the most wanted card of all. **Who took it?**"
    ),
    "score_setenta": N_(
        "**Setenta:** your best card of each suit, four in all. Sevens are best, then sixes, aces, 5, 4, 3, 2; face "
        "cards come last. Compare the best card of each side, then the second best, until one is better. **Who gets "
        "the point?**"
    ),
    "score_points": N_(
        "**Escobas:** each is a point. You made one, {other} two. So far: cards for you, {oros} for nobody, the "
        "seven {of_oros} for {other}, the setenta for you.\n**How many points do you get in all?**"
    ),
    "deal": N_(
        "Now you play. It's the end of a round against {other}: three cards each, then three more, then the score. "
        "I'll whisper what I would play, but it's up to you."
    ),
    "quince_find": N_(
        "In escoba de quince nobody shows you what a card can take. Press the table cards that you want, then the "
        "card of yours that makes 15 with them.\n**Find something to take.**"
    ),
    "quince_claim": N_(
        "{other} played the {laid} and missed that it could take something. Before you play, you may **claim** that: "
        "press **Claim**, choose the cards that make 15 with the {laid}, then **Claim them**."
    ),
    "quince_escoba": N_("An escoba is hidden here. **Find it:** add up the whole table first."),
    "clasica_equal": N_(
        "In classic escoba nothing has to make 15: a card takes **one of the same value**. Press the card on the "
        "table, then the card of yours that takes it.\n**Which one can you take?**"
    ),
    "clasica_sum": N_(
        "Or it takes several cards that **add up** to its own value. Press them, then your card.\n**What can you "
        "take here?**"
    ),
    "clasica_choice": N_(
        "Your 7 could take an equal card, or a sum: as you like, but not both at once.\n**Which is worth more?**"
    ),
    "clasica_escoba": N_("Add up the whole table. **Which card of yours is worth as much, and sweeps it?**"),
    "clasica_leaving": N_(
        "Nothing to take, so one card must stay there. With up to 10 on the table, {other} may have a card worth "
        "just that, and sweep it.\n**Which card do you leave there?**"
    ),
}
PRAISED: Final[Mapping[str, str]] = {
    "sota": N_("{sum}. That's the heart of the game."),
    "caballo": N_("{sum}. That's it."),
    "rey": N_("{sum}. Now you know the face cards."),
    "capture": N_(
        "{sum}. They all go to your pile. In this variant the buttons show what each card takes, so you don't have to "
        "do the sums."
    ),
    "choice": N_("Three cards at once, and one of them is the seven {of_oros}: a point by itself."),
    "which": N_(
        "Three cards instead of two, and two of them count for the {oros}. You get three new cards only when "
        "everyone's are played; the table isn't filled up."
    ),
    "escoba": N_("🧹 **Escoba!** {sum}. The table is empty, and you have a point."),
    "large_escoba": N_(
        "🧹 **Escoba!** {sum}. If the four cards that a round starts with make 15, the dealer takes them: that's an "
        "escoba, too."
    ),
    "leaving": N_("Now the table adds up to {total}: more than 14, so no single card can sweep it."),
    "leaving_little": N_(
        "Now the table adds up to {total}. Less than 5 is safe, as no card is worth more than 10; so is more than 14."
    ),
    "score_cards": N_("{own} against {theirs}: the point is yours."),
    "score_oros": N_("{own} each, and a tie scores for nobody. That goes for all of these points."),
    "score_seven": N_("It's in {other}'s pile: a point for {other}."),
    "score_setenta": N_(
        "{own} beats {theirs}: the first card that differs decides. The point is yours. A side without a card of one "
        "of the suits has no setenta."
    ),
    "score_points": N_(
        "Cards, setenta and an escoba make {own}. {other} gets {theirs}, too. And so it goes on, round after round, "
        "until someone has {target} points."
    ),
    "quince_find": N_("{sum}. You found it yourself."),
    "quince_claim": N_("{sum}. The cards are yours, and it's still your turn."),
    "quince_escoba": N_("🧹 **Escoba!** {sum}. And don't forget: what you miss, the next player may claim."),
    "clasica_equal": N_("A card takes one that is equal, and only one."),
    "clasica_sum": N_("{cards} add up to {worth}: they are yours."),
    "clasica_choice": N_("Fewer cards, but the seven {of_oros} is a point by itself."),
    "clasica_escoba": N_("🧹 **Escoba!** {cards} add up to {worth}, and the table is empty."),
    "clasica_leaving": N_("Now the table adds up to {total}. No card is worth more than 10, so nobody can sweep it."),
}
