"""The stages of a turn: each a function from a turn and its ports to the turn with more in it."""
