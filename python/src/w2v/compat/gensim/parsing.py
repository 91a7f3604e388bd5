"""Refuses what w2v has not, where a program imports it."""

raise ImportError(
    "w2v.compat.gensim has no parsing: import gensim.parsing.preprocessing from gensim itself, or cut texts with utils.simple_preprocess(text), or with tokenizer='unicode' and lowercase=True of w2v.train"
)
