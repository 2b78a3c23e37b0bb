"""What a training says of itself while it goes on and at its end, by its kind."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Words(Protocol):
    """What differs from kind to kind."""

    def size(self, run: Any) -> str:
        """How much there is to do."""
        ...

    def how(self, row: Mapping[str, float]) -> str:
        """How it goes."""
        ...

    def draw(self, run: Any, folder: Path, caption: str) -> None:
        """Its curve, as pictures."""
        ...

    def result(self, run: Any, folder: Path) -> dict[str, Any]:
        """For programs."""
        ...

    def lines(self, run: Any, folder: Path, seconds: float, steps: int) -> list[str]:
        """For people."""
        ...


def words_for(run: Any) -> Words:
    kinds: dict[str, Words] = {"net": _FromData(), "puct": _FromItself()}
    return kinds.get(run.KIND, _Values())


class _Values:
    """Value functions: td, n-tuples, Skip-Bo players."""

    def size(self, run: Any) -> str:
        return f"{run.total:,} games"

    def how(self, row: Mapping[str, float]) -> str:
        return f"success {row['success']:.1%}"

    def draw(self, run: Any, folder: Path, caption: str) -> None:
        from spielwerk.lab.curve import draw_curve

        against = run.config.opponent
        draw_curve(run.rows, folder, "perfect play" if against == "perfect" else against, caption)

    def result(self, run: Any, folder: Path) -> dict[str, Any]:
        from spielwerk.values.model import MODEL

        last = run.rows[-1]
        return {
            "run": str(folder),
            "model": str(folder / MODEL),
            "game": run.game_spec,
            "games": run.games,
            "seed": run.seed,
            "opponent": run.config.opponent,
            "success": last["success"],
            "best": max(row["success"] for row in run.rows),
            "mistakes": last.get("mistakes"),
        }

    def lines(self, run: Any, folder: Path, seconds: float, steps: int) -> list[str]:
        from spielwerk.arena.trainings import agent_name

        found = [f"success {run.rows[-1]['success']:.1%} against {_measured(run)}"]
        if getattr(run.config, "keep", "last") == "best":
            best = max(run.rows, key=lambda row: row["success"])
            found.append(
                f"kept: the weights after {best['games']:,} games, {best['success']:.1%} (the best "
                "of those measured: in other games expect a little less)"
            )
        found.append(f"{steps:,} games in {seconds:.1f} s; curve: {folder / 'curve.png'}")
        others = " skipbo-basic" * (getattr(run.game, "players", 2) - 2)
        agent = f"{agent_name(run.model().features)}:{folder}"
        found.append(f"play it: spielwerk play {run.game_spec} --players human{others} {agent}")
        return found


def _measured(run: Any) -> str:
    last, config = run.rows[-1], run.config
    if config.opponent != "perfect":
        return f"{config.opponent}, the same {config.evaluation_games} games every time"
    if "mistakes" not in last:
        return f"perfect play ({config.protocol}), the same {config.evaluation_games} games"
    perfect = next((row["games"] for row in _last_perfect(run.rows)), None)
    since = "" if perfect is None else f"; 100 % from game {perfect:,} on"
    return f"perfect play, mistakes in {last['mistakes']} positions{since}"


def _last_perfect(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """The rows since which the success was never below 1."""
    perfect: list[dict[str, float]] = []
    for row in rows:
        perfect = [*perfect, row] if row["success"] == 1 else []
    return perfect


class _FromData:
    """Nets that learn from the games of others."""

    def size(self, run: Any) -> str:
        return f"{run.config.epochs} epochs on {run.device.type}"

    def how(self, row: Mapping[str, float]) -> str:
        return f"MSE {row['held_out_mse']:.4f}"

    def draw(self, run: Any, folder: Path, caption: str) -> None:
        from spielwerk.lab.net_curve import draw_net_curve

        draw_net_curve(run.rows, folder, caption)

    def result(self, run: Any, folder: Path) -> dict[str, Any]:
        from spielwerk.values.net import NET

        mse, mae = (float(error) for error in run.errors)
        return {
            "run": str(folder),
            "model": str(folder / NET),
            "game": run.game_spec,
            "data": run.config.data,
            "examples": len(run.training),
            "epochs": run.epoch,
            "best_epoch": run.best_epoch,
            "seed": run.seed,
            "held_out_mse": mse,
            "held_out_mae": mae,
        }

    def lines(self, run: Any, folder: Path, seconds: float, steps: int) -> list[str]:
        mse, mae = (float(error) for error in run.errors)
        return [
            f"held out: MSE {mse:.4f}, MAE {mae:.4f} on {len(run.held_out):,} positions, by the "
            f"weights after epoch {run.best_epoch} of {run.epoch}",
            f"{seconds:.1f} s; curve: {folder / 'curve.png'}",
            f"play it: spielwerk play {run.game_spec} --players human "
            f"mcts:value=net:{folder},iterations=10000",
        ]


class _FromItself:
    """Policy-value nets that learn from their own games."""

    def size(self, run: Any) -> str:
        return f"{run.total:,} games on {run.device.type}"

    def how(self, row: Mapping[str, float]) -> str:
        return f"keeps the value in {row['success']:.1%}"

    def draw(self, run: Any, folder: Path, caption: str) -> None:
        from spielwerk.lab.puct_curve import draw_puct_curve

        draw_puct_curve(run.rows, folder, caption)

    def result(self, run: Any, folder: Path) -> dict[str, Any]:
        from spielwerk.values.net import NET

        last = run.rows[-1]
        return {
            "run": str(folder),
            "model": str(folder / NET),
            "game": run.game_spec,
            "games": run.games,
            "seed": run.seed,
            "success": last["success"],
            "policy": last["policy"],
        }

    def lines(self, run: Any, folder: Path, seconds: float, steps: int) -> list[str]:
        last = run.rows[-1]
        return [
            f"of {run.config.evaluation_positions} positions it keeps the value in "
            f"{last['success']:.1%} by its values one ply ahead, in {last['policy']:.1%} by its "
            "policy",
            f"{steps:,} games in {seconds:.1f} s; curve: {folder / 'curve.png'}",
            f"play it: spielwerk play {run.game_spec} --players human puct:{folder}",
        ]
