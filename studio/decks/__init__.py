"""Bytes in, facts, pages, text and pictures out: everything that touches a deck's or a source's file."""
