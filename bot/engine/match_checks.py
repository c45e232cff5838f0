"""Checks of how a match in a file was dealt."""

from bot.engine.events import RoundDealt
from bot.engine.match_file import MatchFile


def check_lines(file: MatchFile) -> tuple[list[str], bool]:
    """Tell what a check of the deals finds, and whether the match passes: there are rounds to check, all dealt as
    proven."""
    proof, rounds = file.proof, len(file.match.scores)
    if proof is None:
        return ["This match has no proof of how it was dealt: one by a tournament's boards never has."], False
    decks = [event.deck for event in file.events if isinstance(event, RoundDealt)][:rounds]
    flaws = proof.flaws(decks, file.start.dealer)
    posted = "once" if proof.posted == 1 else f"{proof.posted} times"
    lines = [
        f"commitment: {proof.commitment}",
        f"message: {proof.message_id} (the table was posted {posted} before its first deal)",
    ]
    for number in range(1, rounds + 1):
        found = [str(flaw) for flaw in flaws if flaw.round == number]
        lines += found or [f"round {number}: its deck is the one that its link and the message's id give"]
    if file.match.round_number > rounds:
        lines.append(f"round {rounds + 1}: it was broken off, so its link stays closed, and its deck isn't checked")
    if not rounds:
        lines.append("No round is over, so there is no deck to check.")
    elif not flaws:
        what = "These decks, and who dealt first," if proof.draws_dealer else "These decks"
        lines.append(f"{what} follow from this commitment and this message.")
        if not proof.draws_dealer:
            lines.append("Who dealt first isn't proven: at a tournament's table the pairing decides it.")
        lines += [
            "Compare both, and how often it was posted, with the table's message in Discord: a file proves nothing.",
            "Whoever runs the bot could have posted tables and thrown them away until an id suited them.",
        ]
    else:
        lines.append(f"{len({flaw.round for flaw in flaws})} of {rounds} rounds fail the check.")
    return lines, bool(rounds) and not flaws
