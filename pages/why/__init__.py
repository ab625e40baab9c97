"""The parts of the lesson `why` alone.

charts.py: Reading one word after the other, and what is left of an early word.
measures.py: What lessons measure and no control changes: done once, for all
    students.
"""
