"""Texts, catalogues and dates in each language."""
