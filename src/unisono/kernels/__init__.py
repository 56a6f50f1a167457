"""Loops over arrays, nothing else.

A kernel is a plain Python function over arrays. It runs as it is until enough work is expected to be worth a compiler;
from then on it is compiled by numba when first called, and the machine code is kept on disk until the kernel, or
anything that it uses, changes. So a small job answers at once, and both ways run the same code.
"""

from unisono.kernels.switch import (
    any_on_disk,
    compile_kernels,
    compiled,
    expect_work,
    kept_on_disk,
    kernel,
    seconds_compiling,
)

__all__ = [
    "any_on_disk",
    "compile_kernels",
    "compiled",
    "expect_work",
    "kept_on_disk",
    "kernel",
    "seconds_compiling",
]
