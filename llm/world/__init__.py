"""The toy world: it writes stories, and knows exactly what may come next.

words.py: the words by kind, and the pairs of words kept apart.
draws.py: the chance behind the stories.
grammar.py: a weighted grammar with a memory.
stories.py: the stories, one family for each skill.
world.py: the world as a whole.
reading.py: what a training reads.
"""

from llm.world.words import held_out_pairs
from llm.world.world import END, SKILLS, START, Story, World

__all__ = ["END", "SKILLS", "START", "Story", "World", "held_out_pairs"]
