"""The parts of the lesson `positions` alone.

charts.py: A table of positions as a picture: one row a place, one column a
    dimension.
"""
