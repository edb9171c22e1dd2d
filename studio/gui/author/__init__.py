"""The parts of the author page."""
