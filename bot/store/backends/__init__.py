"""The two kinds of database the store runs on. What differs between them is here and nowhere else."""
