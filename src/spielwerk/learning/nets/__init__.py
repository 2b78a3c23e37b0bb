"""Training of neural nets. Needs PyTorch, which playing never does (extra `nets`)."""

from types import ModuleType

from spielwerk.errors import SpielwerkError


def need_torch() -> ModuleType:
    """PyTorch, or a sentence on how to get it."""
    try:
        import torch
    except ImportError:
        raise SpielwerkError(
            "Training nets needs PyTorch: pip install 'spielwerk[nets]' (playing them does not)."
        ) from None
    return torch


def need_optuna() -> ModuleType:
    """Optuna, or a sentence on how to get it."""
    try:
        import optuna
    except ImportError:
        raise SpielwerkError(
            "An architecture search needs Optuna: pip install 'spielwerk[nets]'."
        ) from None
    return optuna
