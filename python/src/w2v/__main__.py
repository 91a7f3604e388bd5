"""`python -m w2v` is the w2v command."""

from ._binary import main

main()
