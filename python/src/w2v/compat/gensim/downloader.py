"""Refuses what w2v has not, where a program imports it."""

raise ImportError("w2v.compat.gensim has no downloader: download the file of a model by other means, and w2v.load(path) opens it")
