"""The parts of the lesson `embeddings` alone.

charts.py: Rows of the embedding table as coloured strips.
measures.py: What the lesson on embeddings measures once, for all students.
sections.py: The *Go deeper* sections of the lesson on embeddings; each takes
    the step.
typed.py: A box that is read while one types: tokens, ids and rows.
words.py: What the figures of the lesson on embeddings mean, in sentences.
"""
