"""The parts of the page `teacher` alone.

links.py: A link to an exact screen, made from a lesson and its settings.
paths.py: Three ready paths through the course, stop by stop.
results.py: What a class has done, from a handful of files.
sections.py: The parts of the page, each drawn only while it is open.
worksheets.py: Exercises on paper, and the key to them.
"""
