"""The commands of `nexus` that are more than one call of an operation."""
