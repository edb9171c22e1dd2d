"""Checklists: merging, versions, linting, code rules and scores."""
