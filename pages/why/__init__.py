"""The parts of the lesson `why` alone.

charts.py: The picture of the lesson on why: one network carries, the other
    fetches.
measures.py: What the lesson on why measures once, for all students.
sections.py: The *Go deeper* sections of the lesson on why; each takes the
    story on the page.
words.py: What the figures of the lesson on why mean, in sentences.
"""
