"""A submission: one Python file that holds the plain player in the clear, and packed behind it
whatever of Spielwerk and of its models the agent needs.

What plays at Kaggle is the same code that plays here. The package inside the file has a name of
its own, made of its contents: several submissions, and an installed Spielwerk, get along in one
process.
"""

import ast
import base64
import hashlib
import inspect
import io
import re
import textwrap
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import spielwerk
from spielwerk.adapters.kaggle import plain
from spielwerk.adapters.kaggle.player import OTHERWISE, STAND_IN
from spielwerk.agents.agent import Agent
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.agents.mcts import Mcts
from spielwerk.agents.ntuple import NTuple
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.agents.td import Td
from spielwerk.agents.valuing import NET_PREFIX
from spielwerk.errors import SpielwerkError
from spielwerk.files import DATA
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.values.model import find_model, use_learned, use_model

PACKAGE = Path(spielwerk.__file__).parent
ENTRANCE = "spielwerk.adapters.kaggle.player"
MOST_BYTES = 20_000_000
"""A submission of more than that is refused; Kaggle takes 100 MB, but everything is loaded within
the first move."""
EXPORTED = (AlphaBeta, Mcts, NTuple, Perfect, RandomAgent, Td)
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Equal contents make equal files."""


@dataclass(frozen=True)
class Submission:
    """The file, and what it is made of."""

    text: str
    spec: str
    modules: int
    models: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.text.encode())


def make_submission(spec: str, otherwise: str = OTHERWISE, seed: int | None = None) -> Submission:
    """The submission that plays as `spec` does, and on boards it cannot play as `otherwise`."""
    models: dict[str, Path] = {}
    own, other = (_embed(parse_agent(text), models) for text in (spec, otherwise))
    sources = needed_modules(ENTRANCE)
    files = {f"{_path(name)}": _renamed(text) for name, text in sources.items()}
    packed = _pack(files, models, any(_solves(agent) for agent in (own, other)))
    digest = hashlib.sha256(packed + repr((own, other, seed)).encode()).hexdigest()[:12]
    text = _TEMPLATE.format(
        version=spielwerk.__version__,
        plain=_without_docstring(inspect.getsource(plain)),
        package=f"spielwerk_{digest}",
        packed="\n".join(textwrap.wrap(base64.b85encode(packed).decode(), 100)),
        arguments=f"{agent_spec(own)!r}, {agent_spec(other)!r}, {seed!r}",
        alias=ALIAS,
        stand_in=STAND_IN,
    )
    submission = Submission(text, spec, len(sources), tuple(models))
    if submission.size > MOST_BYTES:
        raise SpielwerkError(
            f"The submission would have {submission.size / 1e6:.1f} MB; {MOST_BYTES / 1e6:.0f} MB "
            "is the most."
        )
    return submission


def _embed(agent: Agent, models: dict[str, Path]) -> Agent:
    """The same agent with its models called by the names they get in the file."""
    if not isinstance(agent, EXPORTED):
        raise SpielwerkError(
            f"{agent_spec(agent)} cannot be exported; what can: alphabeta, mcts, ntuple, perfect, "
            "random, td."
        )
    if isinstance(agent, NTuple | Td):
        return replace(agent, model=_embed_model(agent.model, models))
    if isinstance(agent, AlphaBeta | Mcts) and agent.value not in (None, "even", "lines"):
        if agent.value.startswith(NET_PREFIX):
            raise SpielwerkError(
                f"{agent_spec(agent)} cannot be exported: its net needs ONNX Runtime, and a "
                "submission counts on nothing but NumPy."
            )
        return replace(agent, value=_embed_model(agent.value, models))
    return agent


def _solves(agent: Agent) -> bool:
    """Whether it makes use of an opening book."""
    return isinstance(agent, Perfect) or (isinstance(agent, NTuple) and agent.endgame > 0)


def _embed_model(text: str, models: dict[str, Path]) -> str:
    """Its name in the file, made of its contents: nothing in a folder there is called the same."""
    path, game = find_model(text).resolve(), parse_game(use_model(text).game)
    if not isinstance(game, ConnectX):
        raise SpielwerkError(f"{text} was trained for {use_model(text).game}, not for ConnectX.")
    use_learned(text, game)  # an error now rather than there
    name = f"model-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    models[name] = path
    return name


def needed_modules(entrance: str) -> dict[str, str]:
    """The sources of all modules of ours that `entrance` imports, directly or not."""
    found: dict[str, str] = {}
    pending = [entrance]
    while pending:
        name = pending.pop()
        path = _file(name)
        if name in found or path is None:
            continue
        found[name] = path.read_text()
        if "." in name:
            pending.append(name.rpartition(".")[0])
        if name == "spielwerk":  # shows names that are loaded when they are used; none is
            found[name] = f'__version__ = "{spielwerk.__version__}"\n'
            continue
        for node in ast.walk(ast.parse(found[name])):
            if isinstance(node, ast.Import):
                pending += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                pending += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return dict(sorted(found.items()))


def _file(name: str) -> Path | None:
    """Where a module of ours stands; None if it is none, as for a name inside a module."""
    first, *rest = name.split(".")
    if first != "spielwerk":
        return None
    path = PACKAGE.joinpath(*rest)
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _path(name: str) -> str:
    """The path of a module inside the package of the submission."""
    file = _file(name)
    assert file is not None
    return file.relative_to(PACKAGE).as_posix()


ALIAS = "spielwerk_submission"
"""How modules name their package until the file that holds them gives it its own name."""


def _renamed(text: str) -> str:
    return re.sub(r"^(\s*(?:from|import) )spielwerk\b", rf"\1{ALIAS}", text, flags=re.MULTILINE)


def _pack(files: dict[str, str], models: dict[str, Path], book: bool) -> bytes:
    contents = {name: text.encode() for name, text in files.items()}
    contents |= {f"data/models/{name}.safetensors": p.read_bytes() for name, p in models.items()}
    if book:
        contents |= {f"data/{path.name}": path.read_bytes() for path in DATA.glob("*.book")}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), contents[name], zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _without_docstring(text: str) -> str:
    body = ast.parse(text).body
    return "\n".join(text.splitlines()[body[0].end_lineno :]).strip()


_TEMPLATE = '''\
"""A submission to Kaggle's ConnectX, made by `spielwerk export kaggle` (Spielwerk {version}).

Below stands a player in plain Python, which answers when something else is late or fails; behind
it, packed, the code of Spielwerk that the agent needs. Numba compiles it if it is there, within the
first move; NumPy is enough.
"""

{plain}


import atexit  # noqa: E402
import base64  # noqa: E402
import importlib  # noqa: E402
import io  # noqa: E402
import pathlib  # noqa: E402
import shutil  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import threading  # noqa: E402
import traceback  # noqa: E402
import zipfile  # noqa: E402

SPEC, OTHERWISE, SEED = {arguments}
PACKAGE = "{package}"
PACKED = """
{packed}
"""
BEGAN = time.perf_counter()
AT_ONCE = 5.0
LOADING = threading.Lock()


def load():
    """The package, loaded once in a process: Kaggle runs this file anew for each game."""
    with LOADING:
        if getattr(sys.modules.get(PACKAGE), "players", None) is not None:
            return
        folder = tempfile.mkdtemp(prefix="spielwerk-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        archive = zipfile.ZipFile(io.BytesIO(base64.b85decode("".join(PACKED.split()))))
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith(".py"):
                content = content.replace(b"{alias}", PACKAGE.encode())
            path = pathlib.Path(folder, PACKAGE, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        sys.path.insert(0, folder)
        try:
            folders = importlib.import_module(PACKAGE + ".kernels.folders")
            folders.move_cache(pathlib.Path(folder, "cache"))
            module = importlib.import_module(PACKAGE + ".adapters.kaggle.player")
        finally:
            sys.path.remove(folder)
        make = module.KagglePlayer
        sys.modules[PACKAGE].players = {{m: make(SPEC, OTHERWISE, SEED) for m in (1, 2)}}


def load_in_time(observation, configuration, began):
    """Whether the package is there, within most of the time there is."""
    if getattr(sys.modules.get(PACKAGE), "players", None) is None:
        loading = threading.Thread(target=load, daemon=True)
        loading.start()
        bank = max(0.0, entry(observation, "remainingOverageTime", 60))
        seconds = 0.7 * entry(configuration, "actTimeout", 2) + 0.5 * bank
        loading.join(max(0.0, began + seconds - time.perf_counter()))
    return getattr(sys.modules.get(PACKAGE), "players", None) is not None


def agent(observation, configuration):
    """The column to drop a stone into."""
    now = time.perf_counter()
    began = BEGAN if now - BEGAN < AT_ONCE else now  # Kaggle's clock runs while the file is read
    try:
        if load_in_time(observation, configuration, began):
            player = sys.modules[PACKAGE].players[entry(observation, "mark", 1)]
            return int(player(observation, configuration, began))
        sys.stderr.write("{stand_in}the file is not loaded yet.\\n")
    except Exception:
        traceback.print_exc()
        sys.stderr.write("{stand_in}an error.\\n")
    return int(answer_plainly(observation, configuration, 0.2))
'''
