"""The parts of the lesson `families` alone.

charts.py: Masks, a blank filled in, and the loop in which a language model
    writes.
sections.py: What the lesson on the families shows: blanks, turns of the loop,
    a question.
"""
