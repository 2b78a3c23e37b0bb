"""Nets by a short text: `dense:128-128-64`, `conv:32x3-64`, `residual:64x4-64`.

- `dense:A-B-…`: fully connected layers of A, B, … neurons (the thesis's DenseNet, §4.2);
- `conv:FxL-A-…`: L layers of F filters of 3 × 3, then dense ones (its ConvNet, §4.4);
- `residual:FxB-A`: a layer of F filters and B blocks of two with a way around each (He et al.
  2016), normalised over batches; A neurons before the value.

Every hidden layer is followed by ReLU. The value ends in tanh (−1 … 1) or a sigmoid (0 … 1).
"""

import re
from dataclasses import dataclass

import torch
from torch import nn

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.values.net_inputs import input_shape

KINDS = ("dense", "conv", "residual")
MOST_NEURONS, MOST_LAYERS = 4096, 64
_POLICY_PLANES = 8


@dataclass(frozen=True)
class Architecture:
    """What a text says."""

    kind: str
    filters: int
    layers: int
    dense: tuple[int, ...]

    def __str__(self) -> str:
        shape = "-".join(map(str, self.dense))
        if self.kind == "dense":
            return f"dense:{shape}"
        return f"{self.kind}:{self.filters}x{self.layers}" + (f"-{shape}" if shape else "")


def parse_architecture(text: str) -> Architecture:
    """
    >>> parse_architecture("conv:32x3-64").dense
    (64,)
    """
    kind, _, rest = text.partition(":")
    pattern = r"(\d+(-\d+)*)" if kind == "dense" else r"(\d+)x(\d+)((-\d+)*)"
    match = re.fullmatch(pattern, rest)
    if kind not in KINDS or match is None:
        raise SpielwerkError(
            f'"{text}" is no architecture; e.g. dense:128-128-64, conv:32x3-64 or residual:64x4-64.'
        )
    if kind == "dense":
        found = Architecture(kind, 0, 0, tuple(map(int, rest.split("-"))))
    else:
        dense = tuple(map(int, match[3].split("-")[1:]))
        found = Architecture(kind, int(match[1]), int(match[2]), dense)
    sizes = [*found.dense, *([found.filters] if kind != "dense" else [])]
    deep = max(found.layers, len(found.dense))
    if kind == "conv" and found.layers == 0:
        raise SpielwerkError(f"{text} has no layer of filters: say dense instead of conv.")
    if not all(1 <= size <= MOST_NEURONS for size in sizes) or deep > MOST_LAYERS:
        raise SpielwerkError(
            f"{text}: layers have 1 to {MOST_NEURONS} neurons, and there are {MOST_LAYERS} at most."
        )
    return found


class Block(nn.Module):
    """Two layers of 3 × 3, and a way around them."""

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(filters, filters, 3, padding=1, bias=False),
            nn.BatchNorm2d(filters),
            nn.ReLU(),
            nn.Conv2d(filters, filters, 3, padding=1, bias=False),
            nn.BatchNorm2d(filters),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.layers(x))


class BoardNet(nn.Module):
    """A trunk, a value and, if wanted, a logit for each column."""

    def __init__(
        self, text: str, representation: str, game: ConnectX, target: str, policy: bool
    ) -> None:
        super().__init__()
        architecture = parse_architecture(text)
        planes, rows, cols = input_shape(representation, game)
        self.trunk, width = _trunk(architecture, planes)
        planes_out = planes if architecture.kind == "dense" else width
        dense: list[nn.Module] = [nn.Flatten()]
        before = planes_out * rows * cols
        if architecture.kind == "residual":  # few planes are enough for one number
            dense = [nn.Conv2d(planes_out, 4, 1), nn.ReLU(), nn.Flatten()]
            before = 4 * rows * cols
        for neurons in architecture.dense:
            dense += [nn.Linear(before, neurons), nn.ReLU()]
            before = neurons
        self.value = nn.Sequential(
            *dense, nn.Linear(before, 1), nn.Tanh() if target == "minimax" else nn.Sigmoid()
        )
        self.policy: nn.Sequential | None = None
        if policy and architecture.kind == "dense":
            self.policy = nn.Sequential(
                nn.Flatten(), nn.Linear(planes * rows * cols, 64), nn.ReLU(), nn.Linear(64, cols)
            )
        elif policy:
            self.policy = nn.Sequential(
                nn.Conv2d(planes_out, _POLICY_PLANES, 1),
                nn.ReLU(),
                nn.Flatten(),
                nn.Linear(_POLICY_PLANES * rows * cols, cols),
            )

    def forward(self, board: torch.Tensor) -> tuple[torch.Tensor, ...]:
        seen = self.trunk(board)
        if self.policy is None:
            return (self.value(seen),)
        return self.value(seen), self.policy(seen)


def _trunk(architecture: Architecture, planes: int) -> tuple[nn.Module, int]:
    """The layers of filters, and how many planes they end with."""
    filters, layers = architecture.filters, list[nn.Module]()
    if architecture.kind == "conv":
        for number in range(architecture.layers):
            layers.append(nn.Conv2d(filters if number else planes, filters, 3, padding=1))
            layers.append(nn.ReLU())
    if architecture.kind == "residual":
        layers.append(nn.Conv2d(planes, filters, 3, padding=1, bias=False))
        layers += [nn.BatchNorm2d(filters), nn.ReLU()]
        layers += [Block(filters) for _ in range(architecture.layers)]
    return nn.Sequential(*layers), filters
