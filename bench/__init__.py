"""Measurements, one file per claim; `make bench` prints the table."""
