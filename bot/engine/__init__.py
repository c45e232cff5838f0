"""The rules of Escoba: pure values and functions, without clock, I/O or randomness of their own."""
