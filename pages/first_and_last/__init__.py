"""The parts of the lesson `first_and_last` alone.

charts.py: Where each head of the digit model looks: one strip a head.
live.py: A training of the experiment on the page: its curves, and what they
    mean.
words.py: What the figures mean, in sentences.
training.py: Rows of digits, what the shipped networks reached, and the sizes
    of a training.
"""
