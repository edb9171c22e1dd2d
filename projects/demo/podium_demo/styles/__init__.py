"""The invented systems: one module for each way of making a deck."""
