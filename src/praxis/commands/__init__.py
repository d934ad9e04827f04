"""The commands of `praxis` that are more than one call of an operation."""
