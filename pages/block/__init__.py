"""The parts of the lesson `block` alone.

charts.py: Pictures of the block: every word's way up, and where the
    parameters sit.
measures.py: What the lesson on the block tries out on the trained model.
parts.py: What the lesson on the block says about each part, with the numbers
    that it holds.
sections.py: What stands in the *Go deeper* sections of the lesson on the
    block.
words.py: What the figures of the lesson on the block mean, in sentences.
"""
