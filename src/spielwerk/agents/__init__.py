"""An agent chooses a move. Every player, and the spec strings that name them."""
