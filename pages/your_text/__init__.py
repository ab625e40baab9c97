"""The parts of the lesson `your_text` alone.

charts.py: Bars for the next token of one's own model, beside counting pairs.
model.py: One's own model after its training: asked, compared, looked into,
    taken home.
text.py: What the lesson on one's own text shows: the text, the training, the
    sizes.
"""
