"""Trains the experiments and writes what they found into `assets/`."""

import json
import sys
from dataclasses import asdict

from llm.digits.experiment import (
    MODELS,
    Experiment,
    Run,
    always_yes,
    build_transformer,
)
from llm.digits.lengths import experiments, record_of


def train_first_and_last(out, experiment=None):
    """Train all three networks; keep the Transformer, and the curves of all."""
    experiment = experiment or Experiment()
    runs = [with_progress_bar(Run(experiment, name)) for name in MODELS]
    transformer = next(run for run in runs if run.name == "Transformer")
    # A fresh copy, because the optimiser triples the file.
    fresh = build_transformer(experiment)
    fresh.set_weights(transformer.weights)
    fresh.save(out / "first_and_last.keras")
    write(out / "first_and_last.json", {
        "experiment": asdict(experiment),
        "always_yes": always_yes(experiment),
        "models": {
            run.name: {
                "parameters": sum(array.size for array in run.weights),
                "accuracy": run.accuracy,
                "seconds": round(run.seconds, 1),
                "tests": [[step // experiment.steps_in_epoch, round(right, 4)]
                          for step, right in run.tests],
            }
            for run in runs
        },
    })


def train_lengths(out, sweep=None):
    """Train each network on rows of several lengths, all with the same budget."""
    runs = []
    for name, experiment in sweep or experiments():
        runs.append(with_progress_bar(Run(experiment, name)))
        runs[-1].weights = None
    write(out / "lengths.json", record_of(runs))


def with_progress_bar(run):
    """Let a `Run` go to its end, and show how far it is."""
    import keras

    length, steps = run.experiment.length, run.experiment.num_steps
    print(f"{run.name} on {length} digits: {steps:,} steps", file=sys.stderr)
    bar = keras.utils.Progbar(steps, stateful_metrics=["loss", "accuracy"])
    for report in run.reports:
        bar.update(report.step,
                   [("loss", report.loss), ("accuracy", report.accuracy)])
    print(f"  right on {run.accuracy:.4f} of the test rows", file=sys.stderr)
    return run


def write(path, record):
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path}", file=sys.stderr)
