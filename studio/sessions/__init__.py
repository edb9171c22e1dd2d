"""Human work as state machines without Qt: order, ranks, undo, time."""
