"""Small experiments beside the tiny LLM."""
