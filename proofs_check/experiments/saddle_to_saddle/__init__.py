"""Trainings for the figures of the saddle-to-saddle paper; plateaus, effective widths and families are detected.

One module for one idea: a layer compiled for any width and data (`compiled`), plateaus of a run (`runs`), effective
width, family and distance to the manifolds (`structure`), the data (`data`), and the experiments by figure.
"""

from proofs_check.experiments.saddle_to_saddle import depth, digits, directions, panels, predictions, softmax, units

__all__ = ["depth", "digits", "directions", "panels", "predictions", "softmax", "units"]
