"""Functions of a class at finitely many points: interpolation inequalities, combined exactly."""

NAME = "classes"
ABOUT = "the claim is an exact combination of inequalities that every function of the class satisfies, plus squares"
RESTS_ON = ("clarabel", "flint", "sympy")
