"""The target of a match, which may follow its pace, and an estimate of how long it lasts."""

from dataclasses import replace
from typing import Final

from bot.engine.rules import PRESETS, Duty
from bot.tables.log.events import Config
from bot.tables.log.pace import DAY, Pace, Tempo

SLOW_TARGET: Final = 7
"""The points to which a slow match is played: it is to be over in weeks."""
FORCED_IN_A_DEAL: Final = 0.92
"""The cards of a player that play themselves in each deal, as `bench.turns` measures it."""
POINTS_A_ROUND: Final = {2: 3.1, 3: 2.6, 4: 2.0, 5: 1.6}
"""The winner's points in a round of `escoba`, by the number of sides, as it measures them."""
PART_OF_TURN: Final = 1 / 4
"""The part of a turn's time that people are taken to need: they come a few times a day."""


def usual_target(config: Config, *, slow: bool) -> int:
    """The target of a match for which nobody chooses one."""
    return SLOW_TARGET if slow else PRESETS[config.preset].rules.target


def with_target(config: Config, target: int, *, slow: bool) -> Config:
    """A configuration with a target that somebody has chosen."""
    rules = replace(config.rules, target=target, rounds=0)
    return replace(config, rules=rules, aimed=target == usual_target(config, slow=slow))


def in_one_round(config: Config) -> Config:
    """A configuration for a single round, which is friendly, as it may be drawn; it keeps its target for another
    time."""
    return replace(config, rules=replace(config.rules, rounds=1), rated=False)


def at_pace(config: Config, tempo: Tempo, *, slow: bool, was_slow: bool) -> Config:
    """A configuration at another pace, which the target follows if neither a person nor the server has chosen one.

    `slow` and `was_slow`: whether a turn takes a day or more at that pace, and did so before.
    """
    target = config.rules.target
    if config.own is None and not config.aimed and target == usual_target(config, slow=was_slow):
        target = usual_target(config, slow=slow)
    return replace(config, tempo=tempo, rules=replace(config.rules, target=target))


def days_of(config: Config, seated: int, pace: Pace) -> int:
    """Estimate the days that a slow match takes, at least 1; 0 if it isn't slow. `seated`: how many sit there."""
    seating = config.seating(max(2, seated))
    if not pace.slow or seating is None or config.conflicts_with(seating):
        return 0
    rules, hands = config.rules, config.rules.hands(seating)
    rounds = rules.rounds or rules.target / POINTS_A_ROUND[seating.sides]
    forced = FORCED_IN_A_DEAL * len(hands) if config.forced and rules.duty is Duty.COMPULSORY else 0
    turns = rounds * seating.seats * (sum(hands) - forced)
    return max(1, round(turns * PART_OF_TURN * pace.turn / DAY))
