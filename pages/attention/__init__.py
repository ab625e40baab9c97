"""The parts of the lesson `attention` alone.

charts.py: Where one word looks in a sentence with one ending, and below with
    another.
measures.py: The course's own sentence with its two endings, as both networks
    read it.
sections.py: Go deeper: every row, a network that looks both ways, and cuts in
    many sentences.
words.py: What the figures of the attention lesson mean, in words.
"""
