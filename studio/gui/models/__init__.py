"""Item models over values of the project."""
