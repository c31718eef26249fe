"""Arguments about trajectories: invariant sets, convergence, instability; each reduces a claim to plain goals."""

NAME = "motion"
ABOUT = "invariants, ranking and classical convergence theorems whose conditions are proved one by one"
RESTS_ON = ("sympy", "z3", "cvc5", "arb")
