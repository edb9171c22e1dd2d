"""Why a deck has its numbers: one window with a tab for each metric."""
