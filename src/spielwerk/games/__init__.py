"""The rules: one module per game, nothing but rules and notation."""
