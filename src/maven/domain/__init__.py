"""The rules of conversation: pure functions over frozen values."""
