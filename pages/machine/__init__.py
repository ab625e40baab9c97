"""The parts of the lesson `machine` alone.

panel.py: The numbers of one crossing, opened beside the picture, and the
    lesson on them.
picture.py: The picture of the machine: what Python computed, handed to the
    browser to draw.
state.py: What the machine keeps: how many words are written, and what is open.
words.py: What the machine shows, in words that follow from its numbers.
"""
