"""Random streams: the published generator, streams that depend on nothing but their number, and fair draws."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backalley.envs import streams

PUBLISHED = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]
"""First words of xoshiro256++ from the state [1, 2, 3, 4], as its published implementations give them."""

WORD = 2**64


def plain_xoshiro(state):
    """The generator as its authors describe it, with Python's ints: return the next word, change the list."""

    def rotate(x, by):
        return ((x << by) | (x >> (64 - by))) % WORD

    result = (rotate((state[0] + state[3]) % WORD, 23) + state[0]) % WORD
    shifted = (state[1] << 17) % WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotate(state[3], 45)
    return result


def one_stream(seed):
    return streams.new_streams(seed, 1)[0]


def chi_square(counts, n_kinds):
    """Return Pearson's statistic against the uniform distribution over `n_kinds` kinds."""
    expected = sum(counts.values()) / n_kinds
    return sum((n - expected) ** 2 / expected for n in counts.values()) + expected * (n_kinds - len(counts))


def critical(df):
    """Return about the 99.9 % point of the chi-square distribution (Wilson and Hilferty)."""
    return df * (1 - 2 / (9 * df) + 3.09 * math.sqrt(2 / (9 * df))) ** 3


@pytest.mark.parametrize(("df", "from_tables"), [(2, 13.82), (5, 20.52), (50, 86.66)])
def test_the_critical_values_are_those_of_the_tables(df, from_tables):
    assert critical(df) == pytest.approx(from_tables, rel=0.03)


def test_the_words_are_the_published_ones():
    stream = np.array([1, 2, 3, 4], np.uint64)
    assert [int(streams.next_word(stream)) for _ in PUBLISHED] == PUBLISHED


@given(st.lists(st.integers(0, WORD - 1), min_size=4, max_size=4))
def test_the_generator_is_xoshiro_from_any_state(state):
    stream = np.array(state, np.uint64)
    assert [int(streams.next_word(stream)) for _ in range(5)] == [plain_xoshiro(state) for _ in range(5)]
    assert stream.tolist() == state


@pytest.mark.parametrize("n", [1, 2, 7, 100])
@pytest.mark.parametrize("first", [0, 1, 93])
def test_a_stream_depends_on_its_number_and_not_on_the_batch(n, first):
    everything = streams.new_streams(5, 200)
    assert streams.new_streams(5, n, first=first).tolist() == everything[first : first + n].tolist()


def test_streams_are_arrays_of_four_words():
    batch = streams.new_streams(0, 3)
    assert batch.shape == (3, 4)
    assert batch.dtype == np.uint64


def test_the_same_seed_gives_the_same_streams_and_another_seed_or_purpose_others():
    kinds = [(seed, purpose) for seed in (0, 1, 2**40) for purpose in (streams.CHANCE, streams.POLICY)]
    found = {kind: streams.new_streams(kind[0], 50, kind[1]) for kind in kinds}
    for seed, purpose in kinds:
        assert (streams.new_streams(seed, 50, purpose) == found[seed, purpose]).all()
    words = np.concatenate(list(found.values())).ravel()
    assert len(np.unique(words)) == len(words)


def test_without_a_seed_streams_differ_from_call_to_call():
    assert streams.new_streams(None, 1).tolist() != streams.new_streams(None, 1).tolist()


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="non-negative"):
        streams.new_streams(-1, 1)


def test_neighbouring_streams_agree_in_half_of_their_bits():
    first, second = streams.new_streams(1, 2)
    n_words = 500
    same = sum(64 - int(streams.next_word(first) ^ streams.next_word(second)).bit_count() for _ in range(n_words))
    n_bits = 64 * n_words
    assert abs(same - n_bits / 2) < 4 * math.sqrt(n_bits) / 2


@pytest.mark.parametrize("n", [2, 3, 6, 54])
def test_draws_below_a_number_are_equally_likely(n):
    stream = one_stream(n)
    counts = Counter(int(streams.draw_below(stream, n)) for _ in range(200 * n))
    assert set(counts) <= set(range(n))
    assert chi_square(counts, n) < critical(n - 1)


def test_draws_are_fair_where_the_words_do_not_divide_evenly():
    bound = 3 * 2**29  # 2**32 words over it: without rejection the rests modulo 3 come 3 : 3 : 2
    stream = one_stream(0)
    counts = Counter(int(streams.draw_below(stream, bound)) % 3 for _ in range(3000))
    assert chi_square(counts, 3) < critical(2)


def test_below_one_there_is_only_zero():
    stream = one_stream(0)
    assert {int(streams.draw_below(stream, 1)) for _ in range(20)} == {0}


def test_uniform_floats_lie_in_the_unit_interval_and_fill_it():
    stream = one_stream(3)
    values = [streams.uniform(stream) for _ in range(2000)]
    assert 0.0 <= min(values) < max(values) < 1.0
    assert chi_square(Counter(int(10 * value) for value in values), 10) < critical(9)


def test_a_float_is_made_of_the_upper_53_bits_of_a_word():
    stream = np.array([1, 2, 3, 4], np.uint64)
    assert [streams.uniform(stream) for _ in PUBLISHED] == [(word >> 11) / 2**53 for word in PUBLISHED]


@given(st.integers(0, 1000), st.integers(1, 54), st.data())
def test_a_shuffle_is_a_permutation(seed, size, data):
    n_front = data.draw(st.integers(0, size))
    deck = np.arange(size, dtype=np.int8)
    streams.shuffle(one_stream(seed), deck, n_front)
    assert sorted(deck.tolist()) == list(range(size))


@pytest.mark.parametrize(("size", "n_front"), [(2, 2), (3, 3), (3, 2), (4, 2), (4, 4), (5, 1)])
def test_every_order_of_the_front_cards_is_equally_likely(size, n_front):
    orders = list(itertools.permutations(range(size), n_front))
    stream = one_stream(size)
    counts = Counter()
    for _ in range(100 * len(orders)):
        deck = np.arange(size, dtype=np.int8)
        streams.shuffle(stream, deck, n_front)
        counts[tuple(deck[:n_front].tolist())] += 1
    assert set(counts) <= set(orders)
    assert chi_square(counts, len(orders)) < critical(len(orders) - 1)
