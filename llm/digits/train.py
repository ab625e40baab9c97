"""Trains the experiments and writes what they found into `assets/`."""

import sys
import time
from dataclasses import asdict, replace

from llm.digits.experiment import (
    MODELS,
    Experiment,
    always_yes,
    build_transformer,
    compiled,
    share_right,
    split_rows,
)
from llm.digits.lengths import DRAWS, LENGTHS, experiments, record_of
from llm.training.records import write_json

STEPS_AT_ONCE = 25  # the same steps, without going back to Python after each


def train_first_and_last(out, experiment=None, draws=DRAWS):
    """Train all three networks, each from several draws of its first weights.

    Keeps the Transformer of the first draw, and the curves of all.
    """
    experiment = experiment or Experiment()
    models = {}
    for name in MODELS:
        runs = [learn(replace(experiment, draw=draw), name) for draw in draws]
        if name == "Transformer":
            # A fresh copy, because the optimiser triples the file.
            fresh = build_transformer(experiment)
            fresh.set_weights(runs[0][0].get_weights())
            fresh.save(out / "first_and_last.keras")
        models[name] = model_record([result for _, result in runs],
                                    runs[0][0].count_params())
    write_json(
        out / "first_and_last.json", first_and_last_record(experiment, models)
    )


def first_and_last_record(experiment, models):
    """What `assets/first_and_last.json` holds."""
    return {
        "experiment": asdict(experiment), "always_yes": always_yes(experiment),
        "models": models,
    }


def model_record(results, parameters):
    """What the draws of one network reached; the first draw once more by
    itself.
    """
    first = results[0]
    return {
        "parameters": parameters,
        "accuracy": first["accuracy"],
        "trained": first["trained"],
        "seconds": first["seconds"],
        "tests": [
            [epoch, right] for epoch, right in enumerate(first["tests"], 1)
        ],
        "draws": [
            {
                key: result[key]
                for key in ("draw", "accuracy", "trained", "seconds", "tests")
            }
            for result in results
        ],
    }


def train_lengths(out, lengths=LENGTHS, draws=DRAWS, budget=None):
    """Train each network on rows of several lengths, all with the same budget.
    """
    results = []
    for name, experiment in experiments(lengths, draws, budget):
        results.append(learn(experiment, name, stop_early=True)[1])
    write_json(
        out / "lengths.json", record_of(results, budget or Experiment())
    )


def learn(experiment, name, stop_early=False):
    """One training as in the course: `fit`, and a test after every epoch.

    Args:
        experiment: an `Experiment`.
        name: which of `MODELS`.
        stop_early: whether to end once all test rows were right after two
            epochs running.

    Returns:
        The trained model, and what it reached, a dictionary.
    """
    import keras

    print(f"{name}, {experiment.length} digits, draw {experiment.draw}",
          file=sys.stderr)
    rows, answers, test_rows, test_answers = split_rows(experiment)
    model = compiled(experiment, name)
    model.steps_per_execution = STEPS_AT_ONCE
    tests, started = [], time.monotonic()

    def test(epoch, logs):
        tests.append(round(share_right(model, test_rows, test_answers), 4))
        model.stop_training = stop_early and tests[-2:] == [1.0, 1.0]

    model.fit(
        rows, answers, experiment.batch_size, experiment.epochs,
        callbacks=[keras.callbacks.LambdaCallback(on_epoch_end=test)],
        verbose=2,
    )
    return model, {
        "model": name,
        "length": experiment.length,
        "draw": experiment.draw,
        "accuracy": tests[-1],
        "trained": round(share_right(model, rows, answers), 4),
        "tests": tests,
        "seconds": round(time.monotonic() - started, 1),
        "always_yes": always_yes(experiment),
    }
