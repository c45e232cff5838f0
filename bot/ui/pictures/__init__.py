"""The deck and what is drawn with it: scenes made of views, painted beside the event loop, kept by what they show."""
