"""What messages look like: pure functions from a view and words to a layout.

Code that draws a button doesn't know which handler serves it.
"""
