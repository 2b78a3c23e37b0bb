"""Neural nets as they are played: ONNX files, run by ONNX Runtime. PyTorch only trains them.

A file carries a header of ours, as JSON among its metadata: which game it was trained for, what it
sees, what its numbers mean, and how it came about.
"""

import functools
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.files import DATA
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game
from spielwerk.values.model import HEADER
from spielwerk.values.net_inputs import REPRESENTATIONS, encode, input_shape, mirror

NET = "net.onnx"
"""The name of the net in the folder of a training run."""
VERSION = 1
INPUT, VALUE, POLICY = "board", "value", "policy"
"""The input and the outputs of the graph."""
TARGETS = ("minimax", "normal")
"""Values from −1 to 1, or from 0 to 1."""


@dataclass(frozen=True)
class NetHeader:
    """What must be known of a net to use it."""

    game: str
    representation: str
    target: str
    mover: bool
    """The value is for the player to move; else for the one who has moved, the *owner* (§5.2)."""
    policy: bool
    """It also says which moves are worth a look: a logit for each column."""
    origin: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name, options in (("representation", REPRESENTATIONS), ("target", TARGETS)):
            if getattr(self, name) not in options:
                raise SpielwerkError(unknown_name(name, getattr(self, name), options))

    def to_json(self) -> str:
        return json.dumps({"kind": "net", "version": VERSION, **asdict(self)})


def header_from(text: str) -> NetHeader:
    """The header that a file carries; a SpielwerkError says what is wrong with it."""
    try:
        parts = json.loads(text)
        kind, version = parts.pop("kind"), parts.pop("version")
        if kind != "net":
            raise ValueError(f"it is a {kind}")
        if version != VERSION:
            raise SpielwerkError(
                f"It was written by another version of Spielwerk (format {version}, here "
                f"{VERSION}); train it again, or use that version."
            )
        return NetHeader(**parts)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, SpielwerkError):
            raise
        raise SpielwerkError(f"Its header cannot be read ({error}).") from None


class Net:
    """A net for one game, ready to be asked."""

    def __init__(self, header: NetHeader, session: Any, game: ConnectX) -> None:
        self.header, self.session, self.game = header, session, game
        self._representation = REPRESENTATIONS.index(header.representation)
        self._shape = input_shape(header.representation, game)
        self._outputs = [VALUE, POLICY] if header.policy else [VALUE]

    @property
    def width(self) -> int:
        """Numbers that it says of a position: a value, and a logit per column if it has any."""
        return 1 + self.game.cols * self.header.policy

    def evaluate(self, words: np.ndarray, symmetric: bool = True) -> np.ndarray:
        """Of each packed position the value for the player to move, −1 … 1, and the logits.

        `symmetric`: the mean of what it says of a position and of its mirror image (§5.5).
        """
        count = words.size
        if symmetric:
            both = np.empty(2 * count, np.uint64)
            both[:count] = words
            mirror(self.game, words, both[count:])
            words = both
        inputs = np.empty((words.size, *self._shape), np.float32)
        encode(self.game, self._representation, words, inputs)
        found = self.session.run(self._outputs, {INPUT: inputs})
        said = np.empty((words.size, self.width), np.float32)
        said[:, 0] = found[0].reshape(-1)
        if self.header.target == "normal":
            said[:, 0] = 2 * said[:, 0] - 1
        if not self.header.mover:
            said[:, 0] *= -1
        if self.header.policy:
            said[:, 1:] = found[1]
        if not symmetric:
            return said
        if self.header.policy:
            said[count:, 1:] = said[count:, :0:-1].copy()
        mean: np.ndarray = (said[:count] + said[count:]) / 2
        return mean


def open_net(path: Path, game: Game) -> Net:
    """The net in a file; a SpielwerkError if it is none, or not for this game."""
    header, session = _open(path)
    if not isinstance(game, ConnectX) or parse_game(header.game) != game:
        raise SpielwerkError(f"{path.name} was trained for {header.game}, not for this game.")
    _check_graph(path, header, session, game)
    return Net(header, session, game)


def read_header(path: Path) -> NetHeader:
    return _open(path)[0]


def net_from(content: bytes, game: ConnectX) -> Net:
    """A net that was just made."""
    session = _session(content)
    header = header_from(session.get_modelmeta().custom_metadata_map[HEADER])
    return Net(header, session, game)


def _session(content: bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # threads are for trees
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _open(path: Path) -> tuple[NetHeader, Any]:
    try:
        session = _session(path.read_bytes())
    except Exception as error:  # its exceptions share no class of their own
        raise SpielwerkError(f"{path} is no net, or damaged ({_first_line(error)}).") from None
    found = session.get_modelmeta().custom_metadata_map
    if HEADER not in found:
        raise SpielwerkError(f"{path} is an ONNX file, but not one of Spielwerk's.")
    try:
        return header_from(found[HEADER]), session
    except SpielwerkError as error:
        raise SpielwerkError(f"{path} is no net for us: {error}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__


def _check_graph(path: Path, header: NetHeader, session: Any, game: ConnectX) -> None:
    """Whether inputs and outputs are shaped as the header promises."""
    inputs = {one.name: list(one.shape[1:]) for one in session.get_inputs()}
    outputs = {one.name: list(one.shape[1:]) for one in session.get_outputs()}
    wanted_inputs = {INPUT: list(input_shape(header.representation, game))}
    wanted_outputs = {VALUE: [1]} | ({POLICY: [game.cols]} if header.policy else {})
    if inputs != wanted_inputs or outputs != wanted_outputs:
        raise SpielwerkError(
            f"{path} has the wrong shape: it takes {inputs} and gives {outputs}, where "
            f"{wanted_inputs} and {wanted_outputs} are needed."
        )


def shipped_nets() -> dict[str, Path]:
    """The nets that come with Spielwerk, by name."""
    folder = DATA / "nets"
    return {path.stem: path for path in sorted(folder.glob("*.onnx"))}


def find_net(text: str) -> Path:
    """A net by the name of a shipped one, by its file, or by the folder of its training; `./NAME`
    is a folder that is called as a shipped one."""
    shipped = shipped_nets()
    if text in shipped:
        return shipped[text]
    path = Path(text).expanduser()
    if path.is_file():
        return path
    if path.is_dir():
        if (path / NET).is_file():
            return path / NET
        raise SpielwerkError(f"{text} holds no finished net ({NET} is not there).")
    raise SpielwerkError(
        f"{unknown_name('net', text, shipped)} A file, or the folder of a training run, will do as "
        "well."
    )


def use_net(text: str, game: Game) -> Net:
    """The net that `text` names, for this game, opened once."""
    path = find_net(text).resolve()
    return _use(path, path.stat().st_mtime_ns, game)


@functools.lru_cache(maxsize=16)
def _use(path: Path, changed: int, game: Game) -> Net:
    return open_net(path, game)
