"""The bot's sentences for its codes: catalogues, names of cards and people, rules, refusals, and the events of play."""
