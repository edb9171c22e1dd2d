"""The pages of the window, one module each. Pages never import each other."""
