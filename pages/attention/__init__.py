"""The parts of the lesson `attention` alone.

charts.py: Arcs over a sentence and the heat-map under it, linked: point at a
    word in either.
sections.py: Parts of the attention lesson: what its figures mean in words, and
    its sections.
"""
