"""A person's data: what is kept, its export and erasure, and how long it all is kept."""
