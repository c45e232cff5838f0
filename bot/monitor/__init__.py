"""Lets an operator watch a running bot: metrics for Prometheus, a health endpoint, and its status in figures."""

from bot.monitor.monitor import Monitor

__all__ = ["Monitor"]
