"""Statements about small parameters: exact power series with the conditions under which they converge."""

NAME = "asymptotics"
ABOUT = "exact power series whose leading coefficient decides, with the remainder controlled"
RESTS_ON = ("sympy", "flint")
