"""Loops over arrays, nothing else.

A kernel is a plain Python function over arrays. It runs as it is until somebody calls `compile_kernels`; from
then on it is compiled by numba on first need and kept on disk. So a small job never pays for importing a
compiler, and there is one text for both ways.
"""

from unisono.kernels.switch import compile_kernels, compiled, kernel

__all__ = ["compile_kernels", "compiled", "kernel"]
