"""What the window has for judges: asking for a run, looking into a unit, prices, keys."""
