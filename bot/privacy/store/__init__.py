"""The stores' part in erasure, names and retention."""
