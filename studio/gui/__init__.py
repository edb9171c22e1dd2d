"""The window. The only package that knows Qt; it calls actions and shows what they return."""
