"""The parts of the lesson `block` alone.

charts.py: Inside a block: one token's way up, its vectors, and where the
    parameters sit.
parts.py: What the lesson on the block says about each part, with the numbers
    that it holds.
sections.py: What stands in the *Go deeper* sections of the lesson on the
    block.
"""
