"""The parts of the lesson `your_text` alone.

charts.py: The losses of a training, and bars for the next token.
model.py: One's own model after its training: asked, looked into, taken home.
samples.py: What the model wrote on the way, from letters to sentences.
text.py: The text to learn from, the sizes, and the training.
words.py: What the figures of the lesson mean, in sentences.
"""
