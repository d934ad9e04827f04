"""The rules of acting: pure functions over frozen values."""
