"""Widgets that more than one page uses. None of them knows the project."""
