"""A small language model that learns from somebody's own text."""
