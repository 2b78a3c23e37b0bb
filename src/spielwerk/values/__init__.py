"""Value functions: what a position is worth to the player to move, without looking ahead."""
