"""The commands of Praxis beside its operations."""
