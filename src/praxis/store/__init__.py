"""What Praxis keeps, in SQLite: observations, items, decisions, executions, sources, changes."""
