"""How far back can each network look? The same task with longer and longer
rows.

Whether a recurrent network learns it depends on its first weights, so each is
trained from several draws of them, and all of them are kept.
"""

from dataclasses import replace

from llm.digits.experiment import MODELS, Experiment

LENGTHS = (10, 20, 30, 45)
DRAWS = (0, 1, 2)


def experiments(lengths=LENGTHS, draws=DRAWS, budget=None):
    """Every training of the sweep, as (name of the model, `Experiment`).

    Args:
        budget: an `Experiment`; the course's own if None, for every length.
    """
    budget = budget or Experiment()
    return [
        (name, replace(budget, length=length, draw=draw))
        for length in lengths for draw in draws for name in MODELS
    ]


def record_of(results, budget):
    """What the sweep found, for `assets/lengths.json`.

    Args:
        results: what `llm.digits.train.learn` gave, one for each training.
        budget: the `Experiment` that they share but for length and draw.
    """
    return {
        "budget": {
            "num_rows": budget.num_rows, "num_test_rows": budget.num_test_rows,
            "epochs": budget.epochs, "batch_size": budget.batch_size,
            "steps": budget.num_steps, "seed": budget.seed,
            "draws": sorted({result["draw"] for result in results}),
        },
        "results": results,
    }
