"""Thin layers over unisono with the interfaces of other packages, for scripts that were written for them."""
