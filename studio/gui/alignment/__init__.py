"""Parts of the Alignment page: the human side, what-ifs, and numbers opened."""
