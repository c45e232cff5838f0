"""The per-channel game manager: tables with seats, deadlines and a persisted event log. It knows nothing of Discord."""
