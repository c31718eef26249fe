"""Covers: branch and bound over boxes with exact sign arguments, and the charts that make domains into boxes."""

NAME = "cover"
ABOUT = "branch and bound: every box of a cover is certified in ball arithmetic"
RESTS_ON = ("sympy", "arb")
