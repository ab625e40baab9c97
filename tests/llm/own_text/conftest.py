"""A text, and a toy that was trained on it; shared by all tests of this folder."""

import pytest

from llm.own_text.record import story
from llm.own_text.text import own_text
from llm.own_text.training import Plan, TextRun

TOY = Plan(embed_dim=8, num_layers=1, context_length=8, num_steps=3, batch_size=2)


@pytest.fixture(scope="session")
def text():
    return own_text(story())


@pytest.fixture(scope="session")
def run(text):
    """A toy that has taken three steps."""
    run = TextRun(text, TOY)
    list(run.reports())
    return run
