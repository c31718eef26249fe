"""The paper that the modules of this package register their statements with."""

from theory.library import Paper

paper = Paper(
    "saddle_to_saddle",
    title="Saddle-to-saddle dynamics explains a simplicity bias across neural network architectures",
    bibtex="""@misc{zhang2025saddle,
  title = {Saddle-to-Saddle Dynamics Explains a Simplicity Bias Across Neural Network Architectures},
  author = {Zhang, Yedi and Saxe, Andrew and Latham, Peter E.},
  year = {2025},
}""",
)
