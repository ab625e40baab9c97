"""The parts of the lesson `sampling` alone.

charts.py: From logits to one word in one picture, computed in the browser
    while sliders move.
count_charts.py: A picture of how often each word was drawn, beside what theory
    expects.
sections.py: What goes deeper in the lesson on sampling; each section runs only
    while open.
words.py: What the figures of the lesson on sampling mean, in sentences and in
    LaTeX.
"""
