"""A small training on somebody's own text."""

from llm.own_text.training import Plan, TextRun


def test_a_run_measures_writes_and_keeps_its_best(run):
    assert run.finished and run.curve[-1][0] == run.plan.num_steps
    assert len(run.losses) == len(run.samples)
    assert run.best[0] == min(run.losses, key=lambda point: point[1])[0]
    assert run.model().step == run.plan.num_steps
    assert run.num_parameters == sum(array.size for array in run.last[1])


def test_the_loss_of_a_toy_falls(text):
    run = TextRun(text, Plan(8, 1, 8, num_steps=12, learning_rate=0.03))
    list(run.reports())
    assert run.losses[-1][1] < run.losses[0][1]
