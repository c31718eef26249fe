"""Variation: signs from slopes, one variable at a time, from a base point where the value is known."""

NAME = "variation"
ABOUT = "monotone from a base point, concave between two ends: one variable at a time, by the mean value theorem"
RESTS_ON = ("sympy",)
