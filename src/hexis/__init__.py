"""Capabilities: what may be done, and doing it exactly so. Hexis is authoritative for both."""
