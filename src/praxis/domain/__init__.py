"""The rules of attention: pure functions over frozen values."""
