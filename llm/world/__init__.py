"""The toy world: it writes stories, and knows exactly what may come next."""

from llm.world.words import held_out_pairs
from llm.world.world import END, SKILLS, START, Story, World

__all__ = ["END", "SKILLS", "START", "Story", "World", "held_out_pairs"]
