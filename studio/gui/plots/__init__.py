"""Plots: they take ready values, draw them in the theme's colours and say what was pointed at."""
