"""The parts of the lesson `next_token` alone.

charts.py: The draw of each word on the line from 0 to 1, and softmax step by
    step.
words.py: What the figures of the lesson on the next token mean, in sentences.
writing.py: Writing one word at a time: the buttons, and how many words stand
    so far.
"""
