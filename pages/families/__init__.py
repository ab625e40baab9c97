"""The parts of the lesson `families` alone.

charts.py: Masks, a blank filled in, and patches of a picture.
measures.py: What the networks of the lesson on the families say about a blank.
sections.py: The *Go deeper* sections of the lesson on the families.
words.py: What the figures of the lesson on the families mean, in sentences.
"""
