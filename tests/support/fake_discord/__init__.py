"""Discord for the tests: SimCord, whose internals are used here. `tests/README.md` lists each of them.

- `worlds`: SimCord's own in-process world, which the tests by clicks use. Its public interface can't listen to
  requests, send forged interactions, give people a language, or make a server a Community.
- `attachments`: how SimCord shows and keeps the files of messages, in both kinds of worlds; Discord is stricter.
- `shapes`: the fields that SimCord leaves out of its answers, in both kinds of worlds. `Wiretap` checks them all.
- `scheduled_events`: which permission they need, and when Discord refuses them; SimCord asks for another, and for less.
- `realm`: SimCord's `Backend` and router behind our own HTTP server and gateway (`tests/wire`), for a bot in a process
  of its own. SimCord has no such server; `threads` refuses requests that SimCord's threads allow, and
  `inputs` says what people's clients send with a click, a menu or a form.

The demo has its own module for this (`bot/demo/simulated.py`), as the bot's packages can't import the tests.
"""
