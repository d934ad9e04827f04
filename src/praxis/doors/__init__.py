"""Doors for the deliveries of others: a loopback listener, an ingest-only token in each path."""
