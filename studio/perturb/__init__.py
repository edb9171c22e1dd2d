"""Decks made worse on purpose, with the recipe."""
