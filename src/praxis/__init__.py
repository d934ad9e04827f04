"""Operational state: what needs a person, from evidence. Praxis is authoritative for it."""
