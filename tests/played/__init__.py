"""People play on a simulated Discord, slash by slash and click by click."""
