"""The parts of the lesson `positions` alone.

charts.py: Pictures of positions: the table, and trainings with and without
    one.
measures.py: What the lesson on positions measures once, for all students.
sections.py: The *Go deeper* sections of the lesson on positions; each takes
    the tiny LLM.
words.py: What the figures of the lesson on positions mean, in sentences and in
    LaTeX.
"""
