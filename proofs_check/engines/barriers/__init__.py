"""Invariant sets of polynomial flows that are found: barriers by convex programs, Darboux polynomials by factoring."""

NAME = "barriers"
ABOUT = "polynomial barriers and Darboux polynomials that keep a flow in a set, each condition proved"
RESTS_ON = ("sympy", "z3", "cvc5", "arb")
