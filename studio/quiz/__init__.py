"""Question banks: drafting, checking and marking."""
