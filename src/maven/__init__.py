"""Conversation and personal context. Maven is authoritative for both and coordinates the rest."""
