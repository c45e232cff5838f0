"""What messages look like: pure functions of a view and words to a layout.

Whoever draws a button doesn't know who handles its press.
"""
