"""The parts of the lesson `queries_keys_values` alone.

charts.py: Queries, keys and values as coloured strips, and the four steps between
    them.
measures.py: The four steps inside a trained head, on the sentence of the lesson
    before.
sections.py: Go deeper: why scores are divided by √d, and what a trained head's
    matrices hold.
tables.py: Tables of numbers that a reader may change, with undo, reset and their
    address.
words.py: What the four steps say, in words and as sums with their own numbers.
"""
