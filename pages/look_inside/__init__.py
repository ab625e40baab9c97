"""The parts of the lesson `look_inside` alone.

charts.py: Pictures for showing the working: amounts of a sum, the logit lens,
    three measures.
sections.py: The *Go deeper* sections of showing the working: lens, cuts,
    honesty, search.
steps.py: The steps of showing the working, from the parts of a logit down to
    the words.
"""
