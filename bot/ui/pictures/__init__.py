"""The parts that every picture uses: the decks, a canvas, and the studio that paints scenes off the event loop, once
each."""
