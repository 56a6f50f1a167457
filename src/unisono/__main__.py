"""`python -m unisono`: the command line."""

from unisono.cli import main

if __name__ == "__main__":
    main()
