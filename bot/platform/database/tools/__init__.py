"""Work on a whole database from the command line: a backup, a copy to another database, a check."""
