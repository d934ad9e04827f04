"""What Hexis keeps in SQLite: executions, confirmations, audit; and the provider files it reads."""
