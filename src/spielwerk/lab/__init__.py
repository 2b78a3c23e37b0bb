"""Published tables and figures, one module each: what to run, and the printed values beside it."""
