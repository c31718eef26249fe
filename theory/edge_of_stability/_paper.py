"""The paper that the modules of this package register their statements with."""

from theory.library import Paper

paper = Paper(
    "edge_of_stability",
    title="Beyond the edge of stability via two-step gradient updates",
    bibtex="""@misc{chen2023beyond,
  title = {Beyond the Edge of Stability via Two-step Gradient Updates},
  author = {Chen, Lei and Bruna, Joan},
  year = {2023},
  eprint = {2206.04172},
  archivePrefix = {arXiv},
}""",
)
