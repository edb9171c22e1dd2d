"""Parts of the Review page: the queue, both sides' evidence, and what is decided."""
