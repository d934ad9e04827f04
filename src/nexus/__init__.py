"""Canonical identity: which real thing a name refers to. Nexus is authoritative for it."""
