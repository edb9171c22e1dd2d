"""Podium Studio: rank slide decks, run metrics and judges, and compare the two."""

__version__ = "0.1.0"
