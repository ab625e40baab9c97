"""`python -m llm train`: rebuild every trained asset from nothing."""


def command(args):
    """Run `python -m llm train --what ... --out ...`."""
    from llm.training.memory import keep_freed_memory

    keep_freed_memory()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, training in trainings().items():
        if args.what in (name, "all"):
            training(args.out)
    return 0


def trainings():
    """Every training by its name for `--what`, in the order in which they
    build on
    each other."""
    from llm.digits.train import train_first_and_last, train_lengths
    from llm.own_text.record import train_own_text
    from llm.training.encoder import train_encoder
    from llm.training.lstm import train_lstm
    from llm.training.measurements import (
        measure_distance,
        measure_heads,
        measure_shortfall,
        measure_sweep,
        train_pairs,
    )
    from llm.training.tiny_llm import train_tiny
    from llm.training.twins import train_twins

    return {
        "tiny": train_tiny,
        "encoder": train_encoder,
        "twins": train_twins,
        "lstm": train_lstm,
        "pairs": train_pairs,
        "heads": measure_heads,
        "distance": measure_distance,
        "sweep": measure_sweep,
        "shortfall": measure_shortfall,
        "lengths": train_lengths,
        "first_and_last": train_first_and_last,
        "own_text": train_own_text,
    }
