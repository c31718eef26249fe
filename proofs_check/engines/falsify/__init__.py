"""Ways of looking for a counterexample: at points, on trajectories, and against claims of existence."""

NAME = "falsify"
ABOUT = "a guided search over the hypothesis set; candidates count only after an exact re-check"
RESTS_ON = ("sympy", "numba", "hypothesis", "arb")
