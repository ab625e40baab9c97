"""The parts of the lesson `queries_keys_values` alone.

charts.py: Score, scale, softmax, blend: four pictures in one, for the word
    that is pointed at.
row.py: One row of attention: a bar for each word that is looked at.
tables.py: Tables of numbers that a reader may change, with undo, reset and
    their address.
words.py: What a row of attention weights says, in words.
"""
