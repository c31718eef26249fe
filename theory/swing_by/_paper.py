"""The paper that the modules of this package register their statements with."""

from theory.library import Paper

paper = Paper(
    "swing_by",
    title="Swing-by dynamics in concept learning and compositional generalization",
    bibtex="""@inproceedings{yang2025swingby,
  title = {Swing-by Dynamics in Concept Learning and Compositional Generalization},
  author = {Yang, Yongyi and Park, Core Francisco and Lubana, Ekdeep Singh and Okawa, Maya and Hu, Wei and
            Tanaka, Hidenori},
  booktitle = {International Conference on Learning Representations},
  year = {2025},
}""",
)
