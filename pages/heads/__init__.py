"""The parts of the lesson `heads` alone.

charts.py: Pictures of heads: all at a glance.
measures.py: What was measured on every head, from the record of the heads.
sections.py: The *Go deeper* sections of the lesson on heads.
words.py: What the figures of the lesson on heads mean, in sentences.
"""
