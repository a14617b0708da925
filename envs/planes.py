"""Writing bit sets as bytes of 0 and 1, one vector store at a time.

Observations consist of bit sets spread over bytes. A loop over the bits costs as much as the whole rest of a step; one
vector instruction does 64 at once. The functions here write more bytes than the set has members, zeros behind it, so
blocks must be written in their order, into an array with `PLANE` bytes to spare.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from backalley.envs.kernel import JIT_ENABLED, kernel

PLANE = 64
"""Bytes written by `write_plane`."""
SHORT_PLANE = 16
"""Bytes written by `write_short_plane`."""


def _store_bits(width: int) -> Any:
    """Return an intrinsic that stores the low `width` bits of a word as bytes from `out[at]` on."""

    @intrinsic
    def store(typing_context, out, at, bits):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            array = context.make_array(signature.args[0])(context, builder, args[0])
            word = builder.trunc(args[2], ir.IntType(width)) if width < PLANE else args[2]
            mask = builder.bitcast(word, ir.VectorType(ir.IntType(1), width))
            lanes = ir.VectorType(ir.IntType(8), width)
            target = builder.bitcast(builder.gep(array.data, [args[1]]), lanes.as_pointer())
            builder.store(builder.zext(mask, lanes), target, align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.uint64), generate

    return store


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Return the address of an array's element, in the compiler's terms."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


@intrinsic
def _unowned_intrinsic(typing_context, array):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        same = context.make_array(signature.args[0])(context, builder, args[0])
        same.meminfo = cgutils.get_null_value(same.meminfo.type)  # type: ignore[no-untyped-call]
        return same._getvalue()

    return array(array), generate


@intrinsic
def _copy_intrinsic(typing_context, source, start, target, at, size):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        kinds = signature.args
        read = _pointer(context, builder, kinds[0], args[0], args[1])
        write = _pointer(context, builder, kinds[2], args[2], args[3])
        cgutils.raw_memcpy(builder, write, read, args[4], 1)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(source, types.int64, target, types.int64, types.int64), generate


@intrinsic
def _clear_intrinsic(typing_context, target, at, size):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        write = _pointer(context, builder, signature.args[0], args[0], args[1])
        cgutils.memset(builder, write, args[2], 0)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(target, types.int64, types.int64), generate


if JIT_ENABLED:
    _copy: Any = _copy_intrinsic
    _clear: Any = _clear_intrinsic
    _unowned: Any = _unowned_intrinsic
    _store_plane = _store_bits(PLANE)
    _store_short_plane = _store_bits(SHORT_PLANE)
else:

    def _plain_copy(source: NDArray[np.int8], start: int, target: NDArray[np.int8], at: int, size: int) -> None:
        target[at : at + size] = source[start : start + size]

    def _plain_clear(target: NDArray[np.int8], at: int, size: int) -> None:
        target[at : at + size] = 0

    def _itself(array: Any) -> Any:
        return array

    _copy, _clear, _unowned = _plain_copy, _plain_clear, _itself

    def _spread(out: NDArray[np.int8], at: int, bits: np.uint64, width: int) -> None:
        out[at : at + width] = [int(bits) >> i & 1 for i in range(width)]

    def _store_plane(out: NDArray[np.int8], at: int, bits: np.uint64) -> None:
        _spread(out, at, bits, PLANE)

    def _store_short_plane(out: NDArray[np.int8], at: int, bits: np.uint64) -> None:
        _spread(out, at, bits, SHORT_PLANE)


@kernel(inline=True)
def write_plane(out: NDArray[np.int8], at: int, bits: np.uint64, size: int) -> int:
    """Write a set of up to 64 members and return where the next block begins.

    Args:
        out: (m,) int8 contiguous, `out[at : at + 64]` overwritten; m ≥ at + 64 is the caller's business.
        at: where the block begins.
        bits: bit i becomes `out[at + i]`; none may be set from `size` on.
        size: members of the block.
    """
    _store_plane(out, at, bits)
    return at + size


@kernel(inline=True)
def write_short_plane(out: NDArray[np.int8], at: int, bits: np.uint64, size: int) -> int:
    """Write a set of up to 16 members like `write_plane`; overwrites `out[at : at + 16]`."""
    _store_short_plane(out, at, bits)
    return at + size


@kernel(inline=True)
def copy_bytes(source: NDArray[np.int8], start: int, target: NDArray[np.int8], at: int, size: int) -> None:
    """Copy `size` bytes of one flat array into another one; `target[at : at + size]` is overwritten."""
    _copy(source, start, target, at, size)


@kernel(inline=True)
def clear_bytes(target: NDArray[np.int8], at: int, size: int) -> None:
    """Set `target[at : at + size]` of a flat array to zero."""
    _clear(target, at, size)


@kernel(inline=True)
def unowned(array: Any) -> Any:
    """Return the same array without its count of users, for loops that hand it to functions.

    The compiler counts the users of an array wherever one is handed on, which costs as much as a step; threads that
    count the same array also wait for each other. The caller must hold the array itself as long as this one is used.
    """
    return _unowned(array)
