"""The rulebook as tests: what the engine must do, by topic."""
