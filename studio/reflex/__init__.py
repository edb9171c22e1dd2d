"""REFLEX: content scores without a reference."""
