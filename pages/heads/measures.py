"""What was measured on every head, from the record of the heads."""

from typing import NamedTuple

import numpy as np

from llm.studies.roles import roles_of
from pages.ui.models import record, tiny_llm


class Cuts(NamedTuple):
    """How often each skill is right, whole and without each head.

    Attributes:
        skills: names, (num_skills,).
        whole: (num_skills,) accuracies of the whole model.
        without: (num_heads, num_skills), each head cut out by itself.
        num_stories: on how many stories.
    """

    skills: list
    whole: np.ndarray
    without: np.ndarray
    num_stories: int


def cuts_of_heads():
    """The accuracies of the whole model and without each head: `Cuts`."""
    found, llm = record("heads"), tiny_llm()
    accuracies = found["skills"]
    skills = list(accuracies["whole"])
    without = np.array([
        [accuracies["without"][layer][head][skill] for skill in skills]
        for layer, head in map(llm.head_at, llm.head_names())
    ])
    whole = np.array([accuracies["whole"][skill] for skill in skills])
    return Cuts(skills, whole, without, found["num_stories"])


class Roles(NamedTuple):
    """How much of its attention each head gives to where a role would look.

    Attributes:
        names: of the roles.
        shares: (num_heads, num_roles)
        of: a dictionary from head to the names of the roles that fit it.
        record: for each role, as it was measured.
        num_stories: on how many stories.
    """

    names: list
    shares: np.ndarray
    of: dict
    record: dict
    num_stories: int


def roles_of_heads():
    """The measured roles of every head: `Roles`."""
    found, llm = record("heads"), tiny_llm()
    roles, names = found["roles"], llm.head_names()
    shares = np.array([roles[role]["heads"] for role in roles])
    return Roles(
        list(roles), shares.reshape(len(roles), len(names)).T,
        {name: roles_of(roles, *llm.head_at(name)) for name in names}, roles,
        found["num_stories"],
    )
