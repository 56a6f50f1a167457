"""Between reading and measuring: which units count, what their labels are, and what positions are."""

from unisono.preparation.preparing import prepare

__all__ = ["prepare"]
