"""A small language model that learns from somebody's own text.

export.py: One's own model to take home: a zip with the model, its words and a
    short script.
measures.py: How good is it, and what does it know by heart?
own_model.py: One's own model in the glass box, ready to be asked.
record.py: The training on the course's own little story, written down for the
    lesson.
text.py: Somebody's own text: what is taken, how it is cut, and what is kept
    back.
training.py: Training a small model on somebody's own text.
write_text.py: Write text with your own small language model.
"""
