"""Intervals for shares of points."""

import math

Z_95 = 1.959963984540054
"""A normal variable lies within ± this with 95 % probability."""


def wilson(points: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval for the share points/games (Wilson 1927).

    Draws count half a point. The interval takes every game for won or lost; draws vary less, so
    with draws it is a little wider than it need be, never too narrow.

    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    if games == 0:
        return 0.0, 1.0
    share = points / games
    centre = share + z * z / (2 * games)
    margin = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    # Rounding must not leave the share itself outside.
    return min(share, max(0.0, (centre - margin) / scale)), max(
        share, min(1.0, (centre + margin) / scale)
    )
