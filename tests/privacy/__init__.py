"""Tests of what is kept about people."""
