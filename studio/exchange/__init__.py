"""Tables and reports, out and in."""
