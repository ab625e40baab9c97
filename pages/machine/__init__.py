"""The parts of the lesson `machine` alone.
"""
