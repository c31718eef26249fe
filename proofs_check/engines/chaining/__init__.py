"""The last line of a proof: what its steps say, put together."""

NAME = "chaining"
ABOUT = "facts about a trajectory joined by logic, and used at every moment of it"
RESTS_ON = ("sympy",)
