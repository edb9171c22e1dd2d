"""The parts of the page of question banks."""
