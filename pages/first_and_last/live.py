"""A training of the experiment on the page: its curves, and what they mean."""

from functools import partial

import streamlit as st

from llm.digits.run import DigitRun
from pages.first_and_last.training import YES, chosen_experiment, yes_share
from pages.ui.chart import show
from pages.ui.charts.lines import lines
from pages.ui.colours import MODEL, QUIET, TRUTH
from pages.ui.live_training import (
    before_the_first,
    current_run,
    is_on,
    keep_training,
    training_buttons,
)

KEY = "digit_model"
TRAINING_ROWS, TEST_ROWS = "training rows", "test rows"
USUAL_SECONDS = 60
FLAT = 0.03  # above always yes; below it nothing has been found yet


def train_here(experiment, name, row):
    """The buttons and the curves of a training.

    Args:
        experiment: the `Experiment` that is chosen now.
        name: the network that is chosen now.
        row: a container for the buttons.

    Returns:
        The `DigitRun` of this student or None, and a function to be called at the end
        of the page, which watches the training.
    """
    with row:
        training_buttons(KEY, f"Train the {name}", chosen_run)
    run = current_run(KEY)
    place, live = st.container(), Live()
    if run is None:
        with place:
            before_the_first(USUAL_SECONDS)
    else:
        if is_old(run, experiment, name):
            place.info(f"Below is {whose(run)}. *Train anew* takes what you chose now.")
        if run.curve:
            live.draw(run)
        if run.tests and not is_on(KEY):
            place.markdown(what_it_reached(run, yes_share(run.experiment)))
    return run, partial(keep_training, KEY, place, live.draw)


def chosen_run():
    """The training of what is chosen at the click, which may be newer than the page."""
    return DigitRun(chosen_experiment(), st.session_state["network"])


def is_old(run, experiment, name):
    """Whether something else is chosen now than what the run is of."""
    return (run.experiment, run.name) != (experiment, name)


def whose(run):
    """Which training a run is, in words."""
    return (f"the {run.name} on rows of {run.experiment.length} digits, "
            f"{run.num_parameters:,} parameters")


def what_it_reached(run, baseline):
    """What a training has reached, and whether that is its end, in sentences."""
    step, right = run.tests[-1]
    said = (f"After {step:,} steps the {run.name} is right on {right:.4f} of the test "
            f"rows; always yes is right on {baseline:.4f}.")
    if not run.finished:
        return f"{said} It is not finished: *Continue* takes it up."
    if run.right_for_good:
        return (f"{said} All were right at two tests running, so it stopped by itself: "
                "it has learned the task.")
    if right >= 0.99:
        return f"{said} It has learned the task."
    if right <= baseline + FLAT:
        return (f"{said} This time it has found nothing that helps. Another draw of "
                "the first weights may do better.")
    return f"{said} It has learned a part of the task."


def while_it_trains(run, baseline):
    """How far a training is, and that waiting is normal, in sentences."""
    said = (f"{run.name}, {run.experiment.length} digits: step {run.step:,} of at most "
            f"{run.num_steps:,}, {run.seconds:.0f} s")
    if run.num_parameters:
        said += f", {run.num_parameters:,} parameters"
    if run.tests and run.tests[-1][1] > baseline + FLAT:
        return f"{said}. It has found something: watch the test rows."
    return (f"{said}. Flat so far, as good as always yes. That is normal: nothing "
            "happens for a long time, then it rises within a few hundred steps.")


class Live:
    """The picture of a training: a bar, its accuracy and its loss."""

    def __init__(self):
        self.bar, self.shares, self.losses = st.empty(), st.empty(), st.empty()

    def draw(self, run):
        """Show how far the run is."""
        baseline = yes_share(run.experiment)
        self.bar.progress(
            min(run.step / run.num_steps, 1.0), while_it_trains(run, baseline)
        )
        with self.shares.container():
            show(accuracy_curve(run, baseline), name_of("digit_accuracy"))
        with self.losses.container():
            show(loss_curve(run), name_of("digit_loss"))


def name_of(name):
    """A name for the table of a picture; none while the picture still moves."""
    return None if is_on(KEY) else name


def accuracy_curve(run, baseline):
    """The share of rows that it answers correctly, step by step."""
    return lines(
        {
            TRAINING_ROWS: run.accuracies, TEST_ROWS: run.tests,
            YES: [(0, baseline), (run.num_steps, baseline)],
        },
        "step", "rows answered correctly",
        colours={TRAINING_ROWS: QUIET, TEST_ROWS: MODEL, YES: TRUTH}, dashed=(YES,),
        domain=(0.4, 1.0), form="percent", points=False, height=240,
    )


def loss_curve(run):
    """The loss on the training rows, step by step."""
    return lines({"loss": run.curve}, "step", "loss", colours={"loss": MODEL},
                 points=False, height=220)
