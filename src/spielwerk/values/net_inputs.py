"""What a neural net sees of a position (Göppert 2020, §5.2).

Cells row by row from the top, as people look at a board. Words are packed positions.
"""

import numpy as np

from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import image, pack, player, unpack
from spielwerk.kernels.bits import ONE, U64, ZERO
from spielwerk.kernels.jit import kernel

REPRESENTATIONS = ("naive", "regular", "planes", "own")
"""In the order of their numbers in `encode`:

- naive: one plane; 1 the first player's stones, 2 the second's, 0 nothing;
- regular: the same with −1 for the second player's;
- planes: a plane of 0 and 1 for each player, and a third that is 0 all over if the first player
  has moved last, else 1;
- own (ours): a plane for the player to move, one for the other.
"""
CHANNELS = {"naive": 1, "regular": 1, "planes": 3, "own": 2}
NAIVE, REGULAR, PLANES, OWN = range(4)


def input_shape(representation: str, game: ConnectX) -> tuple[int, int, int]:
    """Planes, rows, columns."""
    return CHANNELS[representation], game.rows, game.cols


@kernel
def encode(game: ConnectX, representation: int, words: np.ndarray, inputs: np.ndarray) -> None:
    """Write positions to `inputs`, float32 [positions, planes, rows, columns]."""
    for number in range(words.size):
        state = unpack(game, words[number])
        mover = player(game, state)
        theirs = state.mine ^ state.filled
        first = state.mine if mover == 0 else theirs
        second = theirs if mover == 0 else state.mine
        for row in range(game.rows):
            for col in range(game.cols):
                bit = ONE << (U64(col) * game.stride + U64(game.rows - 1 - row))
                if representation == OWN:
                    inputs[number, 0, row, col] = 1.0 if state.mine & bit != ZERO else 0.0
                    inputs[number, 1, row, col] = 1.0 if theirs & bit != ZERO else 0.0
                elif representation == PLANES:
                    inputs[number, 0, row, col] = 1.0 if first & bit != ZERO else 0.0
                    inputs[number, 1, row, col] = 1.0 if second & bit != ZERO else 0.0
                    inputs[number, 2, row, col] = 0.0 if mover == 1 else 1.0
                else:
                    value = 0.0
                    if first & bit != ZERO:
                        value = 1.0
                    if second & bit != ZERO:
                        value = 2.0 if representation == NAIVE else -1.0
                    inputs[number, 0, row, col] = value


@kernel
def mirror(game: ConnectX, words: np.ndarray, mirrored: np.ndarray) -> None:
    """The same positions, left and right exchanged."""
    for number in range(words.size):
        mirrored[number] = pack(game, image(game, unpack(game, words[number]), 1))
