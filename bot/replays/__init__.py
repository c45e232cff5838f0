"""Replays, clips and the check of the deals."""
