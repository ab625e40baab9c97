"""The parts of the lesson `check` alone.

progress.py: What a student has answered, kept while moving between lessons.
takeaways.py: What to take away, one sentence or two for each lesson.
views.py: The views of the last lesson: questions one by one, the result, the
    glossary.
"""
