"""Keeps SQLAlchemy's ORM, which the bot never uses, out of the process's memory: it would take 5 MB."""

import sys
from importlib.util import find_spec, module_from_spec
from typing import Final

_PACKAGE: Final = "sqlalchemy.ext.asyncio"
_ENGINE: Final = ("AsyncConnection", "AsyncEngine", "create_async_engine")


def leave_out_orm() -> None:
    """Fill SQLAlchemy's asyncio package with its engine alone; what it imports besides needs the ORM.

    If somebody has imported the package already, it stays as it is.
    """
    spec = None if _PACKAGE in sys.modules else find_spec(_PACKAGE)
    if spec is not None:
        package = sys.modules[_PACKAGE] = module_from_spec(spec)  # not executed: its submodules can be imported now
        from sqlalchemy.ext.asyncio import engine

        vars(package).update({name: getattr(engine, name) for name in _ENGINE})
