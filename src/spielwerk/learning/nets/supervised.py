"""A value net learns from data what positions are worth (Göppert 2020, §5.2 to §5.4).

The mean square error is what Adam makes smaller; the mean absolute error is told beside it. Steps
are counted, a batch each, and an epoch is a row of the curve. On a CPU a run that was stopped, even
killed, ends with the same bytes as one that was not.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets.architectures import BoardNet
from spielwerk.learning.nets.config import KIND, NetConfig
from spielwerk.learning.nets.data import NetData, Rows
from spielwerk.learning.nets.export import export_net
from spielwerk.learning.nets.shuffling import shuffled
from spielwerk.learning.runs import Training
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.td import DivergedError
from spielwerk.values.net import NET, NetHeader
from spielwerk.values.net_inputs import REPRESENTATIONS, encode, input_shape

WEIGHTS, SHUFFLES = range(2)
"""Streams of chance."""
MEASURED_AT_ONCE = 8192


@dataclass(frozen=True)
class Examples:
    """What a net sees, and what it should say."""

    inputs: torch.Tensor  # float32 [rows, planes, rows of the board, columns]
    targets: torch.Tensor  # float32 [rows, 1]

    def __len__(self) -> int:
        return len(self.targets)


@dataclass
class NetRun(Training):
    """Supervised training of a value net."""

    KIND = KIND
    COUNTED = "steps"
    CHUNK = 32

    config: NetConfig
    data: NetData
    net: BoardNet
    optimizer: torch.optim.Adam
    best: dict[str, torch.Tensor]
    """The weights that did best on what is held out."""
    training: Examples
    held_out: Examples
    counters: np.ndarray  # int64: steps, and the epoch of the best weights
    errors: np.ndarray  # float64: mse and mae of the best weights on what is held out
    sums: torch.Tensor  # float64: squares and absolute errors in this epoch
    order: tuple[int, torch.Tensor] | None = None
    """An epoch, and the order of its examples."""

    @property
    def done(self) -> int:
        return int(self.counters[0])

    @property
    def total(self) -> int:
        return self.config.epochs * self.every

    @property
    def every(self) -> int:
        """Steps of an epoch."""
        return -(-len(self.training) // self.config.batch)

    @property
    def epoch(self) -> int:
        return self.done // self.every

    @property
    def best_epoch(self) -> int:
        return int(self.counters[1])

    @property
    def finished(self) -> bool:
        """All epochs are done, or `patience` of them have brought nothing."""
        patience = self.config.patience
        waited = int(self.rows[-1]["epoch"]) - self.best_epoch if self.rows else 0
        return self.done >= self.total or 0 < patience <= waited

    @property
    def learned(self) -> BoardNet:
        return self.net

    @property
    def device(self) -> torch.device:
        return self.sums.device

    def go_on(self, steps: int) -> None:
        interrupt.run(self._learn, steps)

    def _learn(self, steps: int, flag: np.ndarray) -> None:
        self.net.train()
        numbers = np.arange(self.done, self.done + steps)
        rates = parse_schedule(self.config.rate).rates(numbers, self.total)
        for rate in rates.tolist():
            if flag[0]:
                return
            self._step(rate)

    def _step(self, rate: float) -> None:
        """One batch: forward, error, gradient, Adam (Kingma & Ba 2015, algorithm 1)."""
        rows = self._batch()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        wrong = self.net(self.training.inputs[rows])[0] - self.training.targets[rows]
        wrong.square().mean().backward()
        self.optimizer.step()
        self.sums += _sums(wrong.detach())
        self.counters[0] += 1

    def _batch(self) -> torch.Tensor:
        """The examples of the next step: a part of this epoch's order."""
        epoch, place = divmod(self.done, self.every)
        if self.order is None or self.order[0] != epoch:
            order = shuffled(len(self.training), derive_seed(self.seed, SHUFFLES, epoch))
            self.order = epoch, torch.from_numpy(order).to(self.device)
        batch = self.config.batch
        return self.order[1][place * batch : (place + 1) * batch]

    def row(self, measured: Mapping[str, float]) -> dict[str, float]:
        """`mse` and `mae` are means over the epoch, while the net was learning."""
        row: dict[str, float] = {"epoch": self.epoch, "steps": self.done}
        if self.done:
            squares, absolutes = (self.sums.cpu().numpy() / len(self.training)).tolist()
            row |= {"mse": squares, "mae": absolutes}
        row |= measured
        if not all(np.isfinite(value) for value in row.values()):
            raise DivergedError(
                f"The learning diverged in epoch {self.epoch}: the error is not a number any more. "
                f"Try a rate that begins below {self.config.rate}."
            )
        self.sums.zero_()
        if not self.rows or measured["held_out_mse"] < self.errors[0]:
            self.counters[1] = self.epoch
            self.errors[:] = measured["held_out_mse"], measured["held_out_mae"]
            for name, tensor in self.net.state_dict().items():
                self.best[name].copy_(tensor)
        return row

    def memory(self) -> dict[str, np.ndarray]:
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in self._tensors().items()}
        return arrays | {
            "counters": self.counters,
            "errors": self.errors,
            "data": self.data.digest(),
        }

    def restore(self, tensors: Mapping[str, np.ndarray]) -> None:
        if not np.array_equal(tensors["data"], self.data.digest()):
            raise SpielwerkError(
                f"{self.config.data} has other positions than when the run began; it cannot go on."
            )
        with torch.no_grad():
            for name, tensor in self._tensors().items():
                array = np.array(tensors[name]).reshape(tuple(tensor.shape))
                tensor.copy_(torch.from_numpy(array))
        self.counters[:], self.errors[:] = tensors["counters"], tensors["errors"]

    def _tensors(self) -> dict[str, torch.Tensor]:
        """All that changes as it learns, by name."""
        found = {f"net.{name}": tensor for name, tensor in self.net.state_dict().items()}
        found |= {f"best.{name}": tensor for name, tensor in self.best.items()}
        for name, weights in self.net.named_parameters():
            kept = self.optimizer.state[weights]
            found |= {f"adam.{name}.{what}": tensor for what, tensor in kept.items()}
        return found | {"sums": self.sums}

    def kept(self) -> BoardNet:
        """The net with its best weights."""
        net = copy.deepcopy(self.net).cpu()
        net.load_state_dict(self.best)
        return net.eval()

    def header(self) -> NetHeader:
        """What is told of the net in its file."""
        config = self.config
        origin = {
            "command": self.command,
            "seed": self.seed,
            "epochs": self.epoch,
            "best_epoch": self.best_epoch,
            "held_out_mse": float(self.errors[0]),
            "held_out_mae": float(self.errors[1]),
            "device": self.device.type,
            "config": config.to_dict(),
            "data": self.data.origin,
        }
        return NetHeader(self.game_spec, config.representation, config.target, False, False, origin)

    def save_learned(self, folder: Path) -> None:
        export_net(self.kept(), self.header(), folder / NET)


def make_net_run(
    spec: str,
    config: NetConfig,
    data: NetData,
    seed: int,
    command: str = "",
    device: str | None = None,
) -> NetRun:
    """A run that has not begun, on a GPU if PyTorch sees one and nothing else is said."""
    game = parse_game(spec)
    if not isinstance(game, ConnectX):
        raise SpielwerkError(f"Nets are for ConnectX boards, not for {spec}.")
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    most = data.training.words.size
    if config.examples > most:
        raise SpielwerkError(f"{config.data} has {most:,} examples, not {config.examples:,}.")
    few = config.examples or most
    training = Rows(data.training.words[:few], data.training.values[:few])
    net = _fresh_net(config, game, seed).to(place)
    return NetRun(
        spec,
        config,
        seed,
        game,
        data,
        net,
        _adam(net),
        {name: tensor.clone() for name, tensor in net.state_dict().items()},
        _examples(training, config, game, place),
        _examples(data.held_out, config, game, place),
        np.zeros(2, np.int64),
        np.zeros(2),
        torch.zeros(2, dtype=torch.float64, device=place),
        command=command,
    )


def net_measure(run: NetRun) -> Callable[[Any], dict[str, float]]:
    """The errors of a net on what is held out, in units of the target."""

    def measure(net: BoardNet) -> dict[str, float]:
        was_training = net.training
        net.eval()
        sums = torch.zeros_like(run.sums)
        with torch.no_grad():
            for begin in range(0, len(run.held_out), MEASURED_AT_ONCE):
                part = slice(begin, begin + MEASURED_AT_ONCE)
                sums += _sums(net(run.held_out.inputs[part])[0] - run.held_out.targets[part])
        net.train(was_training)
        squares, absolutes = (sums.cpu().numpy() / len(run.held_out)).tolist()
        return {"held_out_mse": squares, "held_out_mae": absolutes}

    return measure


def _sums(wrong: torch.Tensor) -> torch.Tensor:
    """Of the squares, and of the absolute errors."""
    return torch.stack([wrong.square().sum(), wrong.abs().sum()]).double()


def _fresh_net(config: NetConfig, game: ConnectX, seed: int) -> BoardNet:
    """Weights by PyTorch's own rules and the seed; the chances of others are left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(derive_seed(seed, WEIGHTS) >> 1)
        return BoardNet(
            config.architecture, config.representation, game, config.target, policy=False
        )


def _adam(net: BoardNet) -> torch.optim.Adam:
    """With a memory that is empty, but there: a checkpoint has the same arrays at any time."""
    optimizer = torch.optim.Adam(net.parameters())
    for weights in net.parameters():
        optimizer.state[weights] = {
            "step": torch.tensor(0.0),
            "exp_avg": torch.zeros_like(weights),
            "exp_avg_sq": torch.zeros_like(weights),
        }
    return optimizer


def _examples(rows: Rows, config: NetConfig, game: ConnectX, device: torch.device) -> Examples:
    shape = input_shape(config.representation, game)
    inputs = np.empty((rows.words.size, *shape), np.float32)
    encode(game, REPRESENTATIONS.index(config.representation), rows.words, inputs)
    values = rows.values if config.target == "minimax" else (rows.values + 1) / 2
    targets = torch.from_numpy(np.array(values, np.float32).reshape(-1, 1))
    return Examples(torch.from_numpy(inputs).to(device), targets.to(device))
