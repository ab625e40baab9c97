"""How far back can each network look? The same task with longer and longer rows."""

from dataclasses import replace

from llm.digits.experiment import MODELS, Experiment, always_yes

LENGTHS = (5, 10, 15, 20, 30, 45, 60)

# The same 1,500 steps for every network and length: about six minutes for the sweep.
# The course's own run at 30 digits takes 7,500.
BUDGET = Experiment(epochs=12, batch_size=64)


def experiments(lengths=LENGTHS, budget=BUDGET):
    """Every training of the sweep, as (name of the model, `Experiment`)."""
    return [
        (name, replace(budget, length=length)) for length in lengths for name in MODELS
    ]


def record_of(runs):
    """What the sweep found, for `assets/lengths.json`.

    Args:
        runs: finished `Run`s.
    """
    budget = runs[0].experiment
    return {
        "budget": {
            "num_rows": budget.num_rows, "num_test_rows": budget.num_test_rows,
            "epochs": budget.epochs, "batch_size": budget.batch_size,
            "steps": budget.num_steps, "seed": budget.seed,
        },
        "results": [
            {
                "length": run.experiment.length, "model": run.name,
                "accuracy": run.accuracy, "seconds": round(run.seconds, 1),
                "always_yes": always_yes(run.experiment),
            }
            for run in runs
        ],
    }
