"""Messages that are kept up to date, and the decision what each shows next."""
