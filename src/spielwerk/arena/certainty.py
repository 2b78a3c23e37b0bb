"""Whether the order of the players is certain, asked again and again while they play.

A share of points that is looked at often will cross a fixed bound by chance some time. Betting does
not: whoever claims that A is no better than B offers even odds, and we bet a part of what we have
on A, in every block of games anew. If the claim is true, our fortune is a supermartingale, and the
chance that it *ever* reaches 1/α is α at most (Ville 1939). So one may look as often as one likes.
The bets follow Waudby-Smith & Ramdas (2024, §B.3, "aGRAPA"): what would have made the fortune grow
fastest in the games before.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

MOST_BET = 0.5
"""The part of the fortune that is risked at most."""


@dataclass(frozen=True)
class Certainty:
    """If the order of all players is called certain, it is right with this probability."""

    probability: float = 0.95

    def ordered(self, points: np.ndarray) -> bool:
        """Whether the order by the sum of points is certain.

        `points` has a row per block, in which everybody has had every seat, and lies in 0 … 1. Of
        all claims "A is no better than B", each may be rejected in error with its part of α only.
        """
        players = points.shape[1]
        ranking = np.argsort(-points.sum(axis=0), kind="stable").tolist()
        alpha = (1 - self.probability) / (players * (players - 1))
        return all(
            fortune(points[:, better] - points[:, worse]).max(initial=0.0) >= math.log(1 / alpha)
            for better, worse in pairwise(ranking)
        )


def fortune(gaps: np.ndarray) -> np.ndarray:
    """The logarithm of our fortune after each block, betting on gaps above 0; they lie in −1 … 1.

    A bet knows only the blocks before it.
    """
    count = np.arange(1, gaps.size + 1)
    mean = np.cumsum(gaps) / (count + 1)
    variance = (0.25 + np.cumsum((gaps - mean) ** 2)) / (count + 1)
    bets = np.clip(mean / (variance + mean**2), 0.0, MOST_BET)
    before = np.concatenate([[0.0], bets[:-1]])
    return np.cumsum(np.log1p(before * gaps))
