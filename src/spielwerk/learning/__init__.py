"""TD(λ): schedules, traces, step sizes, learning from sequences and by self-play, training runs."""
