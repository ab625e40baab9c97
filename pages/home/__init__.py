"""The parts of the lesson `home` alone.

course_map.py: The map of the course: the machine from its top to its words,
    and who explains it.
roadmap.py: Where this course stands among the twelve modules of the students.
"""
