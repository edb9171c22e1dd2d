"""The demo project's recipe: invented sources and decks, made anew from text on every machine."""
