"""Runs: a specification becomes units, an engine works them off, a recorder stores each result."""
