"""The project on disk; the only layer that knows SQL."""
