"""What a net has said is remembered: a search comes to many positions on several ways."""

import numpy as np

from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import image, pack, unpack
from spielwerk.kernels.bits import U64, multiply
from spielwerk.kernels.jit import kernel
from spielwerk.values.net import Net

SIZE_BITS = 17
"""131,072 positions; the later one takes the place of the earlier."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class NetMemory:
    """A net, asked only for what it has not just said. One thread at a time may use it.

    With `symmetric`, a position and its mirror image are one.
    """

    def __init__(self, net: Net, symmetric: bool = True, bits: int = SIZE_BITS) -> None:
        self.net, self.symmetric = net, symmetric
        self._keys = np.zeros(1 << bits, np.uint64)  # 0 is no position: guard bits are set
        self._said = np.zeros((1 << bits, net.width), np.float32)
        self.asked = self.known = 0

    def __call__(self, words: np.ndarray) -> np.ndarray:
        """As `Net.evaluate`."""
        count = words.size
        keys, turned = np.empty(count, np.uint64), np.empty(count, np.bool_)
        said = np.empty((count, self.net.width), np.float32)
        missing = np.empty(count, np.int64)
        lacking = _look_up(
            self.net.game,
            self.symmetric,
            words,
            keys,
            turned,
            self._keys,
            self._said,
            said,
            missing,
        )
        self.asked, self.known = self.asked + count, self.known + count - lacking
        if lacking:
            places = missing[:lacking]
            new = self.net.evaluate(keys[places], self.symmetric)
            _keep(keys, places, new, turned, self._keys, self._said, said)
        return said


@kernel
def _look_up(
    game: ConnectX,
    symmetric: bool,
    words: np.ndarray,
    keys: np.ndarray,
    turned: np.ndarray,
    kept_keys: np.ndarray,
    kept: np.ndarray,
    said: np.ndarray,
    missing: np.ndarray,
) -> int:
    """Fill in what is known; the number of positions that are not, whose places are `missing`."""
    lacking = 0
    shift = U64(64) - U64(_bits(kept_keys.size))
    for number in range(words.size):
        key = words[number]
        turned[number] = False
        if symmetric:
            other = pack(game, image(game, unpack(game, key), 1))
            if other < key:
                key, turned[number] = other, True
        keys[number] = key
        slot = multiply(key, _FACTOR) >> shift
        if kept_keys[slot] == key:
            _copy(kept[slot], turned[number], said[number])
        else:
            missing[lacking] = number
            lacking += 1
    return lacking


@kernel
def _keep(
    keys: np.ndarray,
    places: np.ndarray,
    new: np.ndarray,
    turned: np.ndarray,
    kept_keys: np.ndarray,
    kept: np.ndarray,
    said: np.ndarray,
) -> None:
    shift = U64(64) - U64(_bits(kept_keys.size))
    for number in range(places.size):
        place = places[number]
        slot = multiply(keys[place], _FACTOR) >> shift
        kept_keys[slot] = keys[place]
        kept[slot, :] = new[number]
        _copy(new[number], turned[place], said[place])


@kernel
def _bits(size: int) -> int:
    bits = 0
    while 1 << bits < size:
        bits += 1
    return bits


@kernel
def _copy(row: np.ndarray, turned: bool, target: np.ndarray) -> None:
    """The value, and the logits of the columns, from the right to the left if it is turned."""
    target[0] = row[0]
    last = row.size - 1
    for col in range(1, row.size):
        target[col] = row[last + 1 - col] if turned else row[col]
