"""One function for each thing a user can do, for the window and the terminal alike."""
