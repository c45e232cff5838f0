"""The databases that the store can stand on: what they do in ways of their own is here, and nowhere else."""
