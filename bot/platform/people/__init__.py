"""People, and how those with the same name are told apart."""
