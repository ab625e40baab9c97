"""The parts of the page `exercises` alone.

lists.py: Which exercises there are, by lesson, and which are done.
"""
