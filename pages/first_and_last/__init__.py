"""The parts of the lesson `first_and_last` alone.

charts.py: Where each head of the digit model looks: one strip a head.
training.py: What the lesson on the first and the last digit shows: rows,
    results, settings.
"""
