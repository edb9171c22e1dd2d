"""Parts of the Leaderboard page."""
