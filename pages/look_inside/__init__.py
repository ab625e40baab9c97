"""The parts of the lesson `look_inside` alone.

charts.py: Pictures for showing the working: amounts of a sum, the logit lens,
    three measures.
measures.py: The link that is needed far more than it brings, measured once
    for all.
path.py: The path of an answer as a picture: words across, blocks upwards.
sections.py: The *Go deeper* sections of showing the working: lens, cuts,
    honesty, search.
steps.py: Every step of the working, from the logits down to the words.
words.py: What showing the working found, in sentences that follow from its
    numbers.
"""
