"""The decks and the pictures drawn with them: scenes made from views, painted off the event loop, cached by scene."""
