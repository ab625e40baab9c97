"""What was trained, opened and ready to be asked. Nothing here imports Keras
but
the Keras engine.

config.py: The sizes of a model, in one frozen place that checks itself.
encoder_twin.py: The encoder twin: the same network without the causal mask,
    ready to be asked.
keras_engine.py: The tiny LLM run by Keras itself, to compare the glass box
    with.
keras_file.py: Reads the weights out of a `.keras` file, without Keras.
keras_lock.py: One lock for Keras: building, compiling and running a model, by
    one thread at a time.
pairs.py: The simplest language model: count which word follows which.
parameters.py: How many numbers a Transformer has to learn, part by part.
shipped.py: What the course ships besides the tiny LLM, read without Keras.
tiny_llm.py: The tiny LLM, ready to be asked: what comes next, and why?
tokenizer.py: Text to tokens to numbers and back: one word, one token.
twins.py: The twins: the tiny LLM, each with one part removed or exchanged, and
    retrained.
"""
