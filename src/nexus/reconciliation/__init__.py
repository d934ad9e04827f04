"""Nexus as a Reconciliation Service: read-only, so that OpenRefine and its kind can match names."""
