"""The whole bot simulated: one number decides everything, so that whatever goes wrong can be had again.

`python -m tests.simulation --seed 42 --days 365` runs it; `tests/README.md` says how it is made and what to add.
"""
