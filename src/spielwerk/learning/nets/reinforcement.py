"""Policy-value nets that learn from games against themselves, and nothing else.

The outlook of Göppert (2020, ch. 7), after Silver et al. (2017). A generation is a number of games
of the best net, then steps of gradient descent on positions of this and earlier generations: cross
entropy for the policy, squared error for the value. With a gate the new net becomes the best one
only if it makes enough points against it.

A generation is whole or not there: what it changes is put in place at its end, in one step, so that
a run which is stopped goes on from the last whole generation and ends the same.
"""

import copy
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch.nn import functional

from spielwerk.errors import SpielwerkError
from spielwerk.files import write_whole
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets.architectures import BoardNet
from spielwerk.learning.nets.export import net_bytes
from spielwerk.learning.nets.puct_config import KIND, PuctConfig
from spielwerk.learning.nets.self_play import Examples, SelfPlay, joined, no_examples, play_games
from spielwerk.learning.runs import Run
from spielwerk.learning.schedules import parse_schedule
from spielwerk.search.mcts.search import Evaluator
from spielwerk.search.puct import Puct
from spielwerk.values.net import NET, Net, NetHeader, net_from
from spielwerk.values.net_inputs import REPRESENTATIONS, encode, input_shape, mirror

REPRESENTATION = "own"
SIDE_BY_SIDE = {"cpu": 64, "cuda": 2048}
"""Games of each thread."""

Gate = Callable[[Net, Net, int], float]
"""Points, 0 … 1, that the first net makes against the second; the number is a seed."""


@dataclass(frozen=True)
class Learner:
    """A net, and how far its descent has come."""

    net: BoardNet
    optimizer: torch.optim.AdamW


@dataclass(frozen=True)
class Progress:
    """Everything that a generation changes."""

    generations: int
    learner: Learner
    best: BoardNet
    remembered: Examples
    policy_loss: float = 0.0
    value_loss: float = 0.0
    passed: int = 0
    """Generations whose net became the best one."""


@dataclass
class PuctRun(Run):
    """A training in memory, between two generations."""

    KIND: ClassVar[str] = KIND

    device: torch.device
    gate: Gate | None = field(default=None, kw_only=True)
    state: Progress = field(init=False)

    def __post_init__(self) -> None:
        with torch.random.fork_rng(devices=[]):  # the chances of others are left alone
            torch.manual_seed(derive_seed(self.seed, 0))
            net = self._new_net()
        self.state = Progress(0, self._learner(net), copy.deepcopy(net), no_examples(self.game))
        self._played: Net | None = None

    @property
    def chunk(self) -> int:
        return int(self.config.generation)

    @property
    def games(self) -> int:
        return self.state.generations * int(self.config.generation)

    @property
    def learned(self) -> Net:
        """The best net, as it will be played."""
        if self._played is None:
            self._played = self._playable(self.state.best)
        return self._played

    def _new_net(self) -> BoardNet:
        net = BoardNet(self.config.architecture, REPRESENTATION, self.game, "minimax", policy=True)
        return net.to(self.device)

    def _learner(self, net: BoardNet) -> Learner:
        return Learner(
            net, torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=self.config.decay)
        )

    def header(self) -> NetHeader:
        origin = {
            "command": self.command,
            "seed": self.seed,
            "games": self.games,
            "config": self.config.to_dict(),
        }
        return NetHeader(self.game_spec, REPRESENTATION, "minimax", True, True, origin)

    def _playable(self, net: BoardNet) -> Net:
        return net_from(net_bytes(net, self.header()), self.game)

    def save_learned(self, folder: Path) -> None:
        write_whole(folder / NET, net_bytes(self.state.best, self.header()))

    # --- a generation ---------------------------------------------------------------------------

    def play_on(self, games: int) -> None:
        """Whole generations. Ctrl-C gives up the one it comes in."""
        for _ in range(games // self.config.generation):
            done: list[Progress] = []
            interrupt.run(lambda flag, done=done: done.append(self._generation(flag)))
            self.state, self._played = done[0], None

    def _generation(self, flag: np.ndarray) -> Progress:
        before, config = self.state, self.config
        new = self._self_play(flag)
        remembered = joined([before.remembered, new])
        remembered = Examples(*(column[-config.buffer :] for column in remembered))
        learner, policy_loss, value_loss = self._descend(remembered, new.words.size, flag)
        passes = True
        if config.gate > 0 and self.gate is not None:
            seed = derive_seed(self.seed, 3, before.generations)
            points = self.gate(self._playable(learner.net), self._playable(before.best), seed)
            passes = points >= config.gate
        return Progress(
            generations=before.generations + 1,
            learner=learner,
            best=copy.deepcopy(learner.net) if passes else before.best,
            remembered=remembered,
            policy_loss=policy_loss,
            value_loss=value_loss,
            passed=before.passed + passes,
        )

    def _self_play(self, flag: np.ndarray) -> Examples:
        config, first = self.config, self.games
        play = SelfPlay(
            simulations=config.simulations,
            puct=Puct(config.cp, config.fpu, True),
            noise=config.noise,
            alpha=config.alpha,
            warm=config.warm,
            random_share=config.random_share,
            random_plies=config.random_plies,
            lookahead=config.lookahead,
        )
        if self.device.type == "cpu":
            net = self.learned  # made here: PyTorch writes one file at a time
            evaluator: Callable[[], Evaluator] = partial(partial, net.evaluate, symmetric=False)
            threads = os.cpu_count() or 1
        else:
            size = min(SIDE_BY_SIDE["cuda"], config.generation)
            evaluator = partial(GpuEvaluator, self.state.best, self.game, size)
            threads = -(-config.generation // size)
        return play_games(
            self.game,
            play,
            range(first, first + config.generation),
            derive_seed(self.seed, 1),
            lambda: stopping(evaluator(), flag),
            SIDE_BY_SIDE[self.device.type],
            threads,
        )

    def _descend(
        self, examples: Examples, new: int, flag: np.ndarray
    ) -> tuple[Learner, float, float]:
        """Steps of gradient descent; the mean losses on the way."""
        config, before = self.config, self.state
        net = copy.deepcopy(before.learner.net)
        learner = self._learner(net)
        learner.optimizer.load_state_dict(before.learner.optimizer.state_dict())
        rates = parse_schedule(config.rate).rates(np.array([self.games]), config.games)
        for group in learner.optimizer.param_groups:
            group["lr"] = float(rates[0])
        steps = max(1, round(config.passes * new / config.batch))
        chance = np.random.default_rng(derive_seed(self.seed, 2, before.generations))
        losses = torch.zeros(2, device=self.device)
        net.train()
        for _ in range(steps):
            if flag[0]:
                raise KeyboardInterrupt
            chosen = chance.integers(examples.words.size, size=config.batch)
            inputs, policies, values = self._batch(examples, chosen, chance)
            value, logits = net(inputs)
            value_loss = functional.mse_loss(value[:, 0], values)
            policy_loss = -(policies * functional.log_softmax(logits, 1)).sum(1).mean()
            learner.optimizer.zero_grad()
            (value_loss + policy_loss).backward()  # type: ignore[no-untyped-call]
            learner.optimizer.step()
            losses += torch.stack([policy_loss.detach(), value_loss.detach()])
        net.eval()
        policy_mean, value_mean = (losses / steps).tolist()
        return learner, policy_mean, value_mean

    def _batch(
        self, examples: Examples, chosen: np.ndarray, chance: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Positions to learn from, half of them mirrored."""
        words, policies = examples.words[chosen], examples.policies[chosen]
        turned = chance.random(chosen.size) < 0.5
        mirrored = np.empty_like(words)
        mirror(self.game, words, mirrored)
        words = np.where(turned, mirrored, words)
        policies = np.where(turned[:, None], policies[:, ::-1], policies)
        inputs = np.empty((words.size, *input_shape(REPRESENTATION, self.game)), np.float32)
        encode(self.game, REPRESENTATIONS.index(REPRESENTATION), words, inputs)
        arrays = (inputs, np.ascontiguousarray(policies), examples.values[chosen])
        inputs_, policies_, values_ = (torch.from_numpy(one).to(self.device) for one in arrays)
        return inputs_, policies_, values_

    # --- what is kept ---------------------------------------------------------------------------

    def row(self, measured: Mapping[str, float]) -> dict[str, float]:
        state = self.state
        return {
            "games": self.games,
            **measured,
            "policy_loss": state.policy_loss,
            "value_loss": state.value_loss,
            "passed": state.passed,
        }

    def memory(self) -> dict[str, np.ndarray]:
        state = self.state
        numbers = [state.generations, state.policy_loss, state.value_loss, state.passed]
        found = {"numbers": np.array(numbers)}
        for name, net in (("net", state.learner.net), ("best", state.best)):
            for part, tensor in net.state_dict().items():
                found[f"{name}.{part}"] = tensor.detach().cpu().numpy().copy()
        for index, moments in state.learner.optimizer.state_dict()["state"].items():
            for part, tensor in moments.items():
                found[f"adam.{index}.{part}"] = tensor.detach().cpu().numpy().copy()
        for part, column in state.remembered._asdict().items():
            found[f"remembered.{part}"] = column
        return found

    def restore(self, tensors: Mapping[str, np.ndarray]) -> None:
        """Go on from what `memory` gave."""
        generations, policy_loss, value_loss, passed = tensors["numbers"].tolist()
        nets = {}
        for name in ("net", "best"):
            nets[name] = self._new_net()
            nets[name].load_state_dict(
                {
                    part: torch.from_numpy(np.array(tensors[f"{name}.{part}"]))
                    for part in nets[name].state_dict()
                }
            )
        learner = self._learner(nets["net"])
        moments: dict[int, dict[str, Any]] = {}
        for name, array in tensors.items():
            if name.startswith("adam."):
                _, index, part = name.split(".")
                moments.setdefault(int(index), {})[part] = torch.from_numpy(np.array(array))
        settings = learner.optimizer.state_dict()
        learner.optimizer.load_state_dict(settings | {"state": moments})
        remembered = Examples(*(tensors[f"remembered.{part}"] for part in Examples._fields))
        self.state = Progress(
            int(generations),
            learner,
            nets["best"],
            remembered,
            policy_loss,
            value_loss,
            int(passed),
        )
        self._played = None


class GpuEvaluator:
    """A net on the GPU that trains it: one recorded graph, for batches of one size at most."""

    def __init__(self, net: BoardNet, game: ConnectX, size: int) -> None:
        self.game, self.size = game, size
        self._shape = input_shape(REPRESENTATION, game)
        self._net = copy.deepcopy(net).eval().half()
        self._net = self._net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._board = torch.zeros(size, *self._shape, dtype=torch.half, device="cuda")
        self._board = self._board.contiguous(memory_format=torch.channels_last)
        self._stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        with torch.no_grad(), torch.cuda.stream(self._stream):
            for _ in range(3):  # as the documentation of CUDA graphs asks for
                self._answer()
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._said = self._answer()

    def _answer(self) -> torch.Tensor:
        value, logits = self._net(self._board)
        return torch.cat([value, logits], 1).float()

    def __call__(self, words: np.ndarray) -> np.ndarray:
        inputs = np.empty((words.size, *self._shape), np.float32)
        encode(self.game, REPRESENTATIONS.index(REPRESENTATION), words, inputs)
        with torch.no_grad(), torch.cuda.stream(self._stream):
            self._board[: words.size].copy_(torch.from_numpy(inputs))
            self._graph.replay()
            said: np.ndarray = self._said[: words.size].cpu().numpy()
        return said


def stopping(evaluate: Evaluator, flag: np.ndarray) -> Evaluator:
    """The same, until somebody raises the flag."""

    def evaluated(words: np.ndarray) -> np.ndarray:
        if flag[0]:
            raise KeyboardInterrupt
        return evaluate(words)

    return evaluated


def make_puct_run(game_spec: str, config: PuctConfig, seed: int, command: str = "") -> PuctRun:
    """A run that has not begun; on a GPU if PyTorch sees one."""
    game = parse_game(game_spec)
    if not isinstance(game, ConnectX):
        raise SpielwerkError(f"Nets learn ConnectX boards, not {game_spec}.")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return PuctRun(game_spec, config, seed, game, device, command=command)
