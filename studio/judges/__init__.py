"""Judges: providers, prompts, protocols and reading of replies."""
