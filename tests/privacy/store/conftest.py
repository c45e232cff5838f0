"""A store of its own for each test."""

from tests.support.stores import database, file_store, path, server_store, store, threads

__all__ = ["database", "file_store", "path", "server_store", "store", "threads"]
