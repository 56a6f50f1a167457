"""unisono."""
