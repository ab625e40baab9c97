"""The parts of the lesson `heads` alone.

charts.py: Pictures of heads: all at a glance, their roles, and what falls
    without one.
"""
