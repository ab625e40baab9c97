"""The parts of the lesson `check` alone.

concept_views.py: The concept test on the page: twelve questions at once, then
    both times together.
progress.py: What the tries at the questions say: what is right, what is open,
    by lesson.
takeaways.py: What to take away, one sentence or two for each lesson.
views.py: The views of the last lesson: questions one by one, the result, the
    glossary.
"""
