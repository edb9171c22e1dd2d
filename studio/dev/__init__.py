"""What developers run: the checks, and pictures of the window."""
