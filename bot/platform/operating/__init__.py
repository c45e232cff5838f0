"""Logs, metrics and health, for operators."""
