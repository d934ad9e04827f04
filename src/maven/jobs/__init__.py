"""What Maven does beside turns."""
