"""The two kinds of database the store runs on. All differences between them are here and nowhere else."""
