"""The games of the channels' tables: their logs and results, and dropping what is no longer kept."""
