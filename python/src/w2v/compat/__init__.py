"""Modules with the names of gensim's and fastText's, so that a program changes an import: see docs/from-gensim.md."""
