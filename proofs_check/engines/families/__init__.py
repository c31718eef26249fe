"""Families of every size: facts about sums, found by rules, and what is left about numbers."""

NAME = "families"
ABOUT = "facts about sums of every length follow term by term or by induction; another engine decides what is left"
RESTS_ON = ("sympy", "flint")
