"""Rank correlation, agreement and intervals: pure functions whose result is a number or a reason.

A function that needs scipy imports it itself: `scipy.stats` takes half a second and more, which the window should not
wait for when it opens. It comes with the first table, off the main thread.
"""
