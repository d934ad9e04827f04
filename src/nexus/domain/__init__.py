"""The rules of identity: pure functions over frozen values."""
