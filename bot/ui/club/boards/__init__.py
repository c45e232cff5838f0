"""What is shown next and when."""
