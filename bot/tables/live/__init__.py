"""The per-channel game manager: tables with seats, deadlines and a stored event log. It knows nothing about Discord."""
