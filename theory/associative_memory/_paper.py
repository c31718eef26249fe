"""The paper's entry in the library, its symbols, and the kinds of statements that its sections share."""

from __future__ import annotations

from functools import partial

from sympy import Interval, Symbol

from theory import short_forms
from theory.library import Paper

paper = Paper(
    "associative_memory",
    title="Distributional associations versus in-context reasoning",
    bibtex="""@inproceedings{chen2025distributional,
  title = {Distributional Associations vs In-Context Reasoning: A Study of Feed-forward and Attention Layers},
  author = {Chen, Lei and Bruna, Joan and Bietti, Alberto},
  booktitle = {International Conference on Learning Representations},
  year = {2025},
}""",
)

N, T, ALPHA = Symbol("N"), Symbol("T"), Symbol("alpha")
"""Vocabulary size without the noise token, context length, noise level."""

TRIGGER, NOISE = "trigger", "noise"
"""The two tokens with a role of their own."""

C, E = Symbol("c"), Symbol("e")
"""The regime of every leading order: T = c N with c > 0 fixed, and e = 1/N tends to 0."""

NOISE_LEVEL = Interval.open(0, 1)

counted = partial(short_forms.counted, "associative_memory")
experiment = partial(short_forms.experiment, "associative_memory")
