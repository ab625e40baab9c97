"""What a run's record says: when a skill arrived, and what a twin lost."""

from llm.studies.arrivals import arrivals, biggest_jump, difference


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
