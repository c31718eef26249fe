"""The paper that the modules of this package register their statements with."""

from theory.library import Paper

paper = Paper(
    "simplicity_bias",
    title="Simplicity bias of two-layer networks beyond linearly separable data",
    bibtex="""@inproceedings{tsoy2024simplicity,
  title = {Simplicity Bias of Two-Layer Networks beyond Linearly Separable Data},
  author = {Tsoy, Nikita and Konstantinov, Nikola},
  booktitle = {International Conference on Machine Learning},
  year = {2024},
}""",
)
