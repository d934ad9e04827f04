"""Everything together: the one package that may import every app."""
