"""The rules of Escoba: pure values and functions, with no clock, no I/O and no randomness of their own."""
