"""The parts of the lesson `embeddings` alone.

charts.py: Pictures of the embedding table: rows of numbers, likeness, and a
    map of words.
"""
