"""Games and agents of the user's own, from a Python file."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from spielwerk.errors import SpielwerkError

_LOADED: list[Path] = []


def loaded_plugins() -> tuple[Path, ...]:
    """The files that have been loaded, for other processes that need the same."""
    return tuple(_LOADED)


def load_plugin(path: Path) -> ModuleType:
    """Run the file as the module of its name; it calls `register_game` or `register_agent`.

    A file is loaded once. Compiled kernels refer to the types in it by the name of the module.
    """
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None:
        if Path(getattr(loaded, "__file__", None) or "").resolve() == path.resolve():
            return loaded
        raise SpielwerkError(f"A module {name} is already loaded; give {path} another name.")
    if path.suffix != ".py" or not path.is_file():
        raise SpielwerkError(f"There is no Python file {path} to load.")
    taken = importlib.util.find_spec(name)
    if taken is not None and Path(taken.origin or "").resolve() != path.resolve():
        raise SpielwerkError(f"Python has a module {name} of its own; give {path} another name.")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SpielwerkError:
        del sys.modules[name]
        raise
    except Exception as error:
        del sys.modules[name]
        raise SpielwerkError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    _LOADED.append(path.resolve())
    return module
