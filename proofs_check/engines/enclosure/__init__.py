"""Trajectories in ball arithmetic."""

NAME = "enclosure"
ABOUT = "trajectories followed with rigorous error bounds"
RESTS_ON = ("sympy", "arb")
