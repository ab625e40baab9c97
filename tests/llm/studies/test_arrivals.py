"""What a run's record says: when a skill arrived, and what a twin lost."""

from llm.studies.arrivals import (
    arrivals,
    biggest_jump,
    difference,
    last_to_arrive,
    spread,
)


def record(step, **accuracies):
    skills = {name: {"accuracy": value} for name, value in accuracies.items()}
    return {"step": step, "excess": 1 / (step + 1), "skills": skills}


def test_a_skill_arrives_at_the_step_from_which_on_it_stays():
    scores = [
        record(0, a=0.1, b=0.95, c=0.0, d=None),
        record(10, a=0.95, b=0.5, c=0.1, d=None),
        record(20, a=0.99, b=0.97, c=0.2, d=None),
    ]
    assert list(arrivals(scores).items()) == [("a", 10), ("b", 20), ("c", None)]


def test_what_comes_last_may_hang_on_the_bound():
    scores = [
        record(0, a=0.1, b=0.1, c=0.1), record(10, a=0.82, b=0.1, c=1.0),
        record(20, a=0.92, b=1.0, c=1.0), record(30, a=1.0, b=1.0, c=1.0),
    ]
    assert last_to_arrive(scores, (0.9,)) == ["a", "b"]
    assert last_to_arrive(scores, (0.8,)) == ["b"]
    assert last_to_arrive(scores, (0.8, 0.95)) == ["a", "b"]
    never = [record(0, a=0.1, b=0.1), record(9, a=0.2, b=1.0)]
    assert last_to_arrive(never) == ["a"]


def test_a_difference_names_the_skills_that_were_lost():
    full, twin = record(9, a=1.0, b=0.5, c=1.0), record(9, a=0.6, b=0.9, c=0.99)
    found = difference(full, twin)
    assert found.lost == {"a": (1.0, 0.6)}
    assert found.gained == {"b": (0.5, 0.9)}
    assert not found.nothing
    assert difference(full, full).nothing


def test_the_biggest_jump_lies_between_the_two_records_that_differ_most():
    scores = [record(0, a=0.1), record(10, a=0.3), record(20, a=0.9), record(30, a=1.0)]
    before, after = biggest_jump(scores, "a")
    assert (before["step"], after["step"]) == (10, 20)


def drawn(*figures):
    """A record of `twins.json` in which each draw reached one of the figures."""
    scores = [
        {"excess": figure, "skills": {"binding": {"accuracy": 1 - figure}}}
        for figure in figures
    ]
    return {"draws": [{"scores": [score]} for score in scores]}


def test_a_difference_that_another_draw_undoes_is_chance():
    full = drawn(0.02, 0.015, 0.03)
    assert spread(full, drawn(0.025, 0.09, 0.1)).side == ""
    assert spread(full, drawn(0.05, 0.09, 0.1)).side == "above"
    assert spread(full, drawn(0.01, 0.001)).side == "below"
    assert spread(full, drawn(0.5)).side == "", "one training proves nothing"


def test_a_spread_can_be_one_of_a_skill():
    found = spread(drawn(0.0, 0.1), drawn(0.5), "binding")
    assert found.full == (1.0, 0.9) and found.twin == (0.5,)
