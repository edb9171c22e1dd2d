"""The nouns of the studio: frozen values without I/O that every layer may use."""
