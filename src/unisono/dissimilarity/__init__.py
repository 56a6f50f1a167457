"""How unlike two units are: position, categories, and their combination."""
