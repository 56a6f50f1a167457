"""Loops over arrays, nothing else.

A kernel is a plain Python function over arrays. It runs as it is until enough work is planned to be worth a
compiler; from then on it is compiled by numba on first need and kept on disk. So a small job answers at once, and
there is one text for both ways.
"""

from unisono.kernels.switch import compile_kernels, compiled, kernel, plan

__all__ = ["compile_kernels", "compiled", "kernel", "plan"]
