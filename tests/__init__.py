"""The tests, in folders named after the rooms they test."""

from bot.process.links import declare_links
from bot.process.refusals import declare_refusals

declare_refusals()  # as every bot does: here, because a test may use any part of one without the others
declare_links()
