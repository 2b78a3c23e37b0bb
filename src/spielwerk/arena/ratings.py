"""Strengths behind the results: Bradley & Terry (1952), on the scale of Elo.

A player of strength θ_a beats one of strength θ_b with probability 1 / (1 + exp(θ_b − θ_a)), and
wins at a table of several by exp θ_a / Σ exp θ (Luce 1959). 400 points are odds of ten to one. The
average of the field is 0: ratings compare those who played, nobody else.
"""

import math
from collections import Counter
from dataclasses import dataclass

import choix
import numpy as np

from spielwerk.arena.intervals import Z_95
from spielwerk.arena.tournament import Tournament

POINTS = 400 / math.log(10)
"""Elo points of one unit of θ."""
PRIOR = 0.5
"""Games that every two players are taken to have drawn beforehand: whoever has won all games has a
rating by that, too."""
FOUR = int(2 / PRIOR)


@dataclass(frozen=True)
class Rating:
    """Elo points with their 95 % interval."""

    elo: float
    low: float
    high: float
    games: int


def rate(tournament: Tournament) -> list[Rating]:
    """The rating of each player."""
    if tournament.plan.table.seats == 2:
        found, covariance = rate_pairs(tournament.wins, tournament.draws)
    else:
        found, covariance = _rate_tables(tournament)
    errors = Z_95 * np.sqrt(np.diag(covariance))
    return [
        Rating(
            float(POINTS * theta),
            float(POINTS * (theta - error)),
            float(POINTS * (theta + error)),
            int(games),
        )
        for theta, error, games in zip(found, errors, tournament.sat, strict=True)
    ]


def rate_pairs(wins: np.ndarray, draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Strengths from games of two, and their covariance; a draw is half a win for each.

    The covariance is the sandwich of the likelihood's curvature and the variance of the points: a
    draw varies less than a win and a loss would.
    """
    players = len(wins)
    prior = PRIOR * (1 - np.eye(players))
    strengths = choix.ilsr_pairwise_dense(wins + draws / 2 + prior / 2)
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    games = wins + wins.T + draws
    spread = chances * (1 - chances)
    curvature = _laplacian((games + prior) * spread)
    vary = np.maximum(games * spread - draws / 4, 0) + prior * spread
    inverse = np.linalg.pinv(curvature)
    return strengths, inverse @ _laplacian(vary) @ inverse


def _laplacian(weights: np.ndarray) -> np.ndarray:
    """Σ w_ab (e_a − e_b)(e_a − e_b)ᵀ over all pairs."""
    outside = weights * (1 - np.eye(len(weights)))
    return np.diag(outside.sum(axis=1)) - outside


def _rate_tables(tournament: Tournament) -> tuple[np.ndarray, np.ndarray]:
    """Strengths from tables of three and more: somebody wins, the others have all lost.

    Drawn games, in which nobody wins, say nothing here.
    """
    players = len(tournament.specs)
    data = [
        (winner, [who for who in group if who != winner])
        for (group, winner), count in sorted(tournament.winners.items())
        for _ in range(count)
    ]
    # One win each way, beside every game taken FOUR times: PRIOR games for every two.
    prior = [(a, [b]) for a in range(players) for b in range(players) if a != b]
    strengths = choix.ilsr_top1(players, FOUR * data + prior, alpha=0.0)
    weights = np.zeros((players, players))
    tables = Counter(tuple(sorted((winner, *rest))) for winner, rest in FOUR * data + prior)
    for group, count in tables.items():
        shares = np.exp(strengths[list(group)])
        shares /= shares.sum()
        weights[np.ix_(group, group)] += count / FOUR * np.outer(shares, shares)
    return strengths, np.linalg.pinv(_laplacian(weights))
