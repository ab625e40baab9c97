"""The parts of the lesson `sampling` alone.

charts.py: From logits to one word in one picture, computed in the browser
    while sliders move.
counts.py: Counts of draws beside what theory expects, and how far chance may
    go.
number_of_draws.py: How many draws there are: buttons that add some, and the
    number itself.
verdicts.py: Stories and their verdicts: tables and words for the sampling
    lesson.
"""
