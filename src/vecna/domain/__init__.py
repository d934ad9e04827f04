"""The rules of shared memory: pure functions over frozen values."""
