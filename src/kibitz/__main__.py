"""`python -m kibitz` is the `kibitz` command."""

from kibitz.cli import main

if __name__ == "__main__":
    main()
