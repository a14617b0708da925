"""Counting bits of a word in single machine instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from backalley.envs.kernel import JIT_ENABLED


@intrinsic
def _count_intrinsic(typing_context, bits):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _first_intrinsic(typing_context, bits):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _last_intrinsic(typing_context, bits):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.uint64), generate


if JIT_ENABLED:
    count_ones: Any = _count_intrinsic
    """Return how many bits of a uint64 are set, int64."""
    first_one: Any = _first_intrinsic
    """Return the place of its lowest bit, int64; 64 for no bit."""
    last_one: Any = _last_intrinsic
    """Return the place of its highest bit, int64; -1 for no bit."""
else:

    def count_ones(bits: np.uint64) -> int:
        """Return how many bits are set."""
        return int(bits).bit_count()

    def first_one(bits: np.uint64) -> int:
        """Return the place of the lowest bit; 64 for no bit."""
        return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64

    def last_one(bits: np.uint64) -> int:
        """Return the place of the highest bit; -1 for no bit."""
        return int(bits).bit_length() - 1
