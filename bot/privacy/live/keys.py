"""The meaning of the keys of a person's data, as the document itself tells it."""

from typing import Final

KEYS: Final = {
    "user_id": "your id on Discord",
    "names": "the names that are kept with what you did or were asked to, each once",
    "chosen_at": "by when it was noted that you had chosen something, or what else belongs to no server",
    "games": "the games you opened, sat in, were asked to or ended; 'game' is the bot's own number of it",
    "games.server_id": "the server where it was played; null, like 'channel_id', if you played alone in private",
    "games.language": "the language of its public messages; if you opened it, maybe that of your Discord",
    "games.open": "whether it still goes on; of such a game this file tells no more, because its cards are secret",
    "games.seat": "your seat in its match, counted from 0; null if there was none",
    "games.you": "when you opened, joined, left or ended it, were challenged, chosen as a guest, invited to a rematch "
    "or taken off it, were away or came back, and your name; called_computer: "
    "you had a computer play for whoever sat at 'for_seat'; "
    "claimed_match: you had them lose by time; proposed_end, agreed_to_end, against_end: whether a rated match "
    "was to end without a result; in the same way _pause: whether a slow one was to pause, and _seat: whether somebody "
    "might play on for a person who had left; paused: it did, as you had asked, 'until' a time in seconds since 1970; "
    "resumed: you ended a pause; asked_for_seat, took_seat: that was you; changed_lobby, agreed_to_change; "
    "missed_turn: a slow one, which a computer played, or spent_holiday: a day of yours was spent for it; nudged: you "
    "had the player told that others wait",
    "games.broken_off": "whether its rated match ended early, and nobody won it",
    "games.moves": "what you played, in order: your seat, the card, and after an x what it took. Cards are a number "
    "and a suit: o(ros), c(opas), e(spadas), b(astos). A ? shows a card whose capture was still to be chosen, "
    "'claim' takes what another has missed",
    "games.moved_at": "when you played each of them",
    "private_message": "the hour of today's private message while you are still to get it, in seconds since 1970, then "
    "when I began to send it, or 0; null if there is none",
    "results": "the matches that you played to their end",
    "results.counts": "whether it counts for the leaderboard; matches against computers only don't",
    "ahead": "the cards that you have named for your next turn; with 'untaken' only if the other player takes nothing",
    "faces": "the faces that you show at tables, as a player or an onlooker, until the next deal",
    "votes": "the side that you, as an onlooker, expected to win a round, until the evening or its match is over",
    "roles": "the roles that came with a podium, until the next one",
    "results.rule_system": "the rule system, with 'target' the points that it was played to",
    "results.rule_set": "the number of the server's own rules that it was played by; null if it was by none",
    "results.side": "your side, counted from 0: partners share one",
    "results.luck": "by how many points your side was ahead of the others' mean: with these cards normal computer "
    "players would have been ahead by 'cards', give or take 'spread', and 'rest' is the difference from the real lead; "
    "null if that wasn't found out",
    "results.stayed": "whether you played it to its end",
    "results.rating": "your rating on that server as the match ended, and what it made of it; null if it changed none. "
    "The latest of them is your rating now, which grows more uncertain with time; 'weight' is how much of the change "
    "was made",
    "results.known": "whether you had met three people and so counted as a person of your own, in a match that counts",
    "results.nth": "its number among those of that day in which you met the same people, where all who didn't count as "
    "persons of their own are one: the first three bring season points. null if only exactly the same people count",
    "reviews": "the matches that you had me look back at: in how many rounds you made how many decisions, and how well",
    "reviews.score": "1000 with nothing given away, about 500 for a normal computer player, 0 for chance",
    "reviews.points_given_away": "compared with the best moves, in thousandths of a point",
    "opponents": "for each person you have played against, whom it doesn't name: how many matches, how many of those "
    "you won, and how many they did",
    "gains": "how many points your rating has gained from each person, whom it doesn't name, or from all together "
    "who had met fewer than three people, on each of the latest days",
    "practice": "the positions that you have missed or practised: the game and the place in its log, or the day, and "
    "what each is about",
    "practice.exercise": "the position: in its first line the rules, then decks and moves up to it, in the notation of "
    "'games.moves'; and what each of its moves is worth. null once it needn't be asked again",
    "practice.solved": "how often in a row you have solved it since you missed it: it is learned after 3; 4 says that "
    "you solved it at first sight",
    "practice.due_at": "when it is to be asked again; if it needn't be, when you solved it last",
    "lessons": "the lessons that you were offered or have begun: how many steps you have done and, in the middle of a "
    "deal, the moves so far; at step 0 you were only offered it",
    "answers": "your answers to days' positions, with your move, and where you gave them: null once the data of that "
    "server is deleted",
    "answers.points_given_away": "compared with the best move, in thousandths of a point; 0 if it was as good",
    "answers.counts": "whether you gave it on the day itself",
    "achievements": "what you have achieved on servers, each with the end of the match in which you first did",
    "rule_sets": "the rules that you have saved for servers under a name; 'rules' is what a game by them begins with",
    "times": "are in UTC",
}
