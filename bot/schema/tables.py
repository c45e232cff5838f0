"""The tables of games and tournaments, each with its log."""

from typing import Final

import sqlalchemy as sa

from bot.platform.database.base import UtcDateTime, metadata, partial_index, row_id


def _of_game() -> "sa.Column[int]":
    """Make the key of rows that go with their game."""
    game = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game_id", sa.BigInteger, game, primary_key=True, autoincrement=False)


games: Final = sa.Table(
    "games",
    metadata,
    sa.Column("id", row_id, primary_key=True),
    # Both are null for somebody who plays alone in private: the place of such a game is its opener.
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("opener_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", UtcDateTime, nullable=False),
    sa.Column("closed_at", UtcDateTime),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("message_at", UtcDateTime),
    # The tournament that this table belongs to, and which of its tables it is, as round.table(.attempt): none is opened
    # twice.
    sa.Column("tournament_id", sa.BigInteger),
    sa.Column("fixture", sa.Text),
    # A rated match that ended early, and that nobody has won: people who may manage the server can list these.
    sa.Column("broken_off", sa.Boolean, nullable=False, server_default=sa.false()),
    # Whether people gain from its match only what they have played for themselves. It is false if 1.0 has opened it.
    sa.Column("gains_by_play", sa.Boolean, nullable=False, server_default=sa.false()),
    # Buttons of old messages name games by id, so no id may be reused.
    sqlite_autoincrement=True,
)
partial_index(
    "uq_games_open_channel",
    games.c.channel_id,
    unique=True,
    where="closed_at IS NULL",
)
partial_index(
    "uq_games_open_alone",
    games.c.opener_id,
    unique=True,
    where="closed_at IS NULL AND channel_id IS NULL",
)

partial_index(
    "ix_games_broken_off",
    games.c.guild_id,
    games.c.id,
    where="broken_off",
)

partial_index(
    "ix_games_unshown_end",
    games.c.id,
    where="closed_at IS NOT NULL AND message_id IS NOT NULL",
)

partial_index(
    "uq_games_fixture",
    games.c.tournament_id,
    games.c.fixture,
    unique=True,
    where="tournament_id IS NOT NULL",
)

# A game's version is that of its newest entry. The primary key gives the next version to only one of two writers.
events: Final = sa.Table(
    "events",
    metadata,
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
    sqlite_with_rowid=False,
)

# What a game's decks are drawn with, unless they are a tournament's boards. A seed is as secret as the decks.
deals: Final = sa.Table(
    "deals",
    metadata,
    _of_game(),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("message_id", sa.BigInteger),  # the decks are drawn with its id: the latest one before the first deal
    sa.Column("posted", sa.Integer, nullable=False, server_default=sa.text("0")),  # times posted before the first deal
    sa.Column("dealt", sa.Integer, nullable=False, server_default=sa.text("0")),  # rounds, from the first
    sqlite_with_rowid=False,
)

# The cards that people have named ahead in slow matches, for their next turn. As secret as their hands.
ahead_cards: Final = sa.Table(
    "ahead_cards",
    metadata,
    _of_game(),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("card", sa.Text, nullable=False),
    sa.Column("captured", sa.Text, nullable=False),
    sa.Column("untaken", sa.Boolean, nullable=False),
    sqlite_with_rowid=False,
)

# The faces that players and onlookers show at a table, one each, until the next deal: its round and number, as "3.2".
faces: Final = sa.Table(
    "faces",
    metadata,
    _of_game(),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("deal", sa.Text, nullable=False),
    sa.Column("face", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

# The votes of onlookers about who wins a round of a match, one each, until the card of its evening is written.
votes: Final = sa.Table(
    "votes",
    metadata,
    _of_game(),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sa.Column("side", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)

# The matches of evenings that aren't over yet, or whose single results are yet to be deleted. Their people are those of
# the results.
evening_matches: Final = sa.Table(
    "evening_matches",
    metadata,
    _of_game(),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("begun_at", UtcDateTime, nullable=False),
    sa.Column("ended_at", UtcDateTime, nullable=False),
    sa.Column("best_of_three", sa.Boolean, nullable=False),
    sa.Column("message_id", sa.BigInteger),  # the message that shows its result
    sa.Column("card_id", sa.BigInteger),  # the card of its evening, once posted; 0 while it is being posted
    sqlite_with_rowid=False,
)

# The people named in a game's log, so that a person's data is found without reading every log.
participants: Final = sa.Table(
    "participants",
    metadata,
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sqlite_with_rowid=False,
)

results: Final = sa.Table(
    "results",
    metadata,
    sa.Column("id", row_id, primary_key=True),
    sa.Column("game_id", sa.BigInteger, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the log, when the match ended
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("ended_at", UtcDateTime, nullable=False),
    sa.Column("preset", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("seating", sa.Text, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.Column("luck", sa.Text),  # what each side's cards were worth and what it made of them, once it is known
    sa.Column("friendly", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("weight", sa.Double),  # the share that its number leaves of rating changes; None if no ratings changed
    sa.Column("nth", sa.Integer),  # its number among these people's matches of that UTC day; None if it doesn't count
    sa.Column("rule_set", sa.BigInteger),  # the server's own rules that it was played by, if any
    sa.UniqueConstraint("game_id", "version"),  # a match's result is written once
    sqlite_autoincrement=True,
)

# guild_id, ended_at and ranked repeat the match's, so that standings are counted from this table alone.
result_players: Final = sa.Table(
    "result_players",
    metadata,
    sa.Column("result_id", sa.BigInteger, sa.ForeignKey("results.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("escobas", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("ended_at", UtcDateTime, nullable=False),
    sa.Column("ranked", sa.Boolean, nullable=False),
    sa.Column("place", sa.Integer),  # 1 for those who won; somebody who left is last
    sa.Column("sources", sa.Text),  # the side's points by the item they came from, as JSON
    # The player's rating when the match ended, and the one the match gave them; None if it changed no ratings.
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("new_mu", sa.Double),
    sa.Column("new_sigma", sa.Double),
    sa.Column("stayed", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("weight", sa.Double),  # the share of the player's rating change that was made
    # whether the player had met enough people to count as a person of their own: see bot.club.rules.gains
    sa.Column("known", sa.Boolean, nullable=False, server_default=sa.false()),
    # Whether they have played a card themselves in a scored round, and whether they gain anything by the match. None
    # means yes: so it is without a rank, and in the results of 1.0.
    sa.Column("played", sa.Boolean),
    sa.Column("gains", sa.Boolean),
    # The match's number on its day for the player's season points: see bot.club.store.day_numbers. None means that of
    # the result: so it is in those of 1.0.
    sa.Column("nth", sa.Integer),
    sa.UniqueConstraint("result_id", "user_id"),  # there may be several computers, which have no user_id
    sa.Index(None, "guild_id", "user_id", "ended_at"),
    # Only rated matches, so that a person's rating at a given time is found without reading their earlier matches.
    partial_index(
        "ix_result_players_rated",
        *("guild_id", "user_id", "ended_at", "result_id"),
        where="new_mu IS NOT NULL",
    ),
)


# Tournaments, each with a log like a game's, and its public message.
tournaments: Final = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", row_id, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("organiser_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("locale", sa.Text, nullable=False),
    sa.Column("opened_at", UtcDateTime, nullable=False),
    sa.Column("closed_at", UtcDateTime),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("event_id", sa.BigInteger),  # its scheduled event on Discord, if it has one
    # whether it is over, and the one of the week after is yet to be opened
    sa.Column("repeats", sa.Boolean, nullable=False, server_default=sa.false()),
    sqlite_autoincrement=True,
)
partial_index(
    "uq_tournaments_open_channel",
    tournaments.c.channel_id,
    unique=True,
    where="closed_at IS NULL",
)
tournament_events: Final = sa.Table(
    "tournament_events",
    metadata,
    sa.Column("tournament_id", sa.BigInteger, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.CheckConstraint("version >= 1", name="version"),
    sqlite_with_rowid=False,
)
# The people named in a tournament's log, so that a person's data is found without reading every log.
tournament_people: Final = sa.Table(
    "tournament_people",
    metadata,
    sa.Column("tournament_id", sa.BigInteger, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False, index=True),
    sqlite_with_rowid=False,
)
