"""A tiny language model, from its toy world to its glass box.

`from llm import TinyLLM` is the way in. It is loaded on first use, so that the
toy world can be used without the packages that the model needs.
"""

__all__ = ["TinyLLM"]


def __getattr__(name):
    if name == "TinyLLM":
        from llm.models.tiny_llm import TinyLLM

        return TinyLLM
    raise AttributeError(f"module 'llm' has no attribute {name!r}")
