"""Trainings in a process of their own, so that the server never loads
TensorFlow.

A training leaves memory behind that never comes back to its process (measured:
33 to 40 MB), so it gets one that can be ended. The server starts it as `python
-m llm.worker` and speaks with it through pipes.

__main__.py: The worker process: it trains what it is told to, and reports.
messages.py: Messages through a pipe: JSON, then raw arrays.
process.py: A worker process, seen from the server.
trainings.py: Who trains and who waits: the queue in front of the workers.
"""
