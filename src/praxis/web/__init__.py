"""The pages of Praxis: a program of its own that asks Praxis as the owner would."""
