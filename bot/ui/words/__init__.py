"""The subjects' sentences for their codes."""
