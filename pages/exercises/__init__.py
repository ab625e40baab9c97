"""The parts of the page `exercises` alone.

words.py: How many kinds of exercise are solved.
"""
