"""Mechanisms every part is built on; it names no service and none of a service's nouns."""
