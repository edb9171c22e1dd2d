"""Rank correlation, agreement and intervals: pure functions whose result is a number or a reason."""
