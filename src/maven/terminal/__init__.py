"""The terminal: the channel a person types in. It reaches Maven through its client alone."""
