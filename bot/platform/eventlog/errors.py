"""The reasons why an entry of a log can't be read."""


class CodecError(Exception):
    """Stored text can't be read: it is damaged, or `WrittenByNewer`."""


class WrittenByNewer(CodecError):
    """Stored text has a kind, a field or a value that this version doesn't know, so a newer one has written it.

    It is sound: it stays as it is until a newer version reads it.
    """
