"""Discord as the tests have it: SimCord, and the only place that reaches into SimCord's private parts.

Another release of SimCord may ask for changes here and nowhere else. What is reached for, and why:

- `worlds`: SimCord's own in-process world, as the tests by clicks use it. Its public interface can't listen to
  requests, send forged interactions, give people a language, or make a server a Community.
- `realm`: SimCord's `Backend` and router behind our own HTTP server and gateway (`tests/wire`), for a bot in a process
  of its own. SimCord has no such server; `threads` refuses what its threads let pass, `refused` says no.

The demo reaches in too (`bot/demo/simulated.py`), for itself: the bot's packages can't import the tests.
"""
