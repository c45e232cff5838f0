"""The judges: each watches what people are shown and what is stored, and objects if a promise is broken.

They are written from the rules and from what the bot promises, not from its code, and keep books of their own. What is
stored is read from the database's file, which they don't write to, or from a copy of it, never through the bot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.judges.answers import Answers
from tests.simulation.judges.bodies import Bodies
from tests.simulation.judges.clocks import Clocks
from tests.simulation.judges.consent import Consent
from tests.simulation.judges.controls import Controls
from tests.simulation.judges.ends import Ends
from tests.simulation.judges.erased import Erasures
from tests.simulation.judges.evenings import Evenings
from tests.simulation.judges.faces import Faces
from tests.simulation.judges.growth import Growth
from tests.simulation.judges.judge import Judge
from tests.simulation.judges.limits import Limits
from tests.simulation.judges.notices import Notices
from tests.simulation.judges.results import Results
from tests.simulation.judges.sealed import Sealed
from tests.simulation.judges.secrets import Secrets
from tests.simulation.judges.stored import Stored
from tests.simulation.judges.texts import Texts
from tests.simulation.judges.votes import Votes
from tests.simulation.weeks import Weeks

if TYPE_CHECKING:
    from tests.simulation.town import Town


def judges_of(town: Town) -> list[Judge]:
    """All judges, for a town that has just been built."""
    kinds = (
        Answers,
        Bodies,
        Clocks,
        Consent,
        Controls,
        Erasures,
        Evenings,
        Faces,
        Growth,
        Limits,
        Results,
        Sealed,
        Secrets,
        Stored,
        Texts,
        Votes,
        Ends,
    )
    if isinstance(town, Weeks):  # each of the private messages that come in weeks offers something about the match
        return [*(each(town) for each in kinds if each is not Limits), Notices(town)]
    return [each(town) for each in kinds]
