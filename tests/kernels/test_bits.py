"""The machine's form of each bit trick equals the plain one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.kernels import bits
from spielwerk.kernels.bits import U64
from spielwerk.kernels.jit import kernel

words = st.integers(0, 2**64 - 1)
nth_bit_by_halving = kernel(bits.nth_bit_by_halving)  # what machines without PDEP use


@kernel
def compiled(word, other, n):
    return (
        bits.popcount(word),
        bits.lowest_bit(word),
        bits.nth_bit(word, n),
        nth_bit_by_halving(word, n),
        bits.multiply(word, other),
        bits.add(word, other),
        bits.signed(n) - 1,
    )


@settings(deadline=None)  # the first example compiles
@given(words.filter(bool), words, st.data())
def test_compiled_and_plain_forms_agree(word, other, data):
    set_bits = [index for index in range(64) if word >> index & 1]
    n = data.draw(st.integers(0, len(set_bits) - 1))
    a, b, c = U64(word), U64(other), U64(n)
    expected = (
        len(set_bits),
        set_bits[0],
        set_bits[n],
        set_bits[n],
        word * other % 2**64,
        (word + other) % 2**64,
        n - 1,
    )
    assert compiled(a, b, c) == expected
    assert getattr(compiled, "py_func", compiled)(a, b, c) == expected
    assert list(bits.bit_indices(word)) == set_bits
