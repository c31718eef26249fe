"""The collection that the chapters of this package register their statements with."""

from theory.library import Paper

paper = Paper(
    "classics",
    title="Classics of learning dynamics",
    bibtex="""@misc{lemmascope-classics,
  title = {Classics of learning dynamics: results that papers cite, stated and decided},
  author = {{Lemmascope}},
  year = {2026},
  note = {a collection; every entry names its origin},
}""",
)
