"""Ball kernels: the program written as straight-line python-flint calls.

What the returned balls mean: if every argument ball contains the true argument, each result contains the true
value. Where the formula is or may be undefined inside the argument balls, the result is a ball for which
`is_finite()` is false. Such a ball answers every containment question with "yes, possibly", so ask
`is_finite()` before believing one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp

from numerics.cache import generated_module
from numerics.float_source import formula_key
from numerics.matrix_program import entries
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError
from theory.language.functions import by_name

if TYPE_CHECKING:
    from flint import arb

    BallKernel = Callable[..., tuple[arb, ...]]

HEADER = """\
from flint import arb, ctx, fmpq
from numerics import ball_functions as ball
from numerics.ball_functions import function

%(functions)s
_constants = {}


def evaluate(%(arguments)s):
    known = _constants.get(ctx.prec)
    if known is None:
        known = _constants[ctx.prec] = constants()
"""

TEMPLATES = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "negate": "-{0}",
    "undefined": "arb.nan()",
    "not_equal": "ball.negation(ball.equal({0}, {1}))",
    "and": "ball.conjunction({0}, {1})",
    "or": "ball.disjunction({0}, {1})",
    "not": "ball.negation({0})",
}

WITH_HELPER = frozenset({"general_power", "less", "less_equal", "equal", "select"})

NAMED = {"pi": "arb.pi()", "e": "arb.const_e()", "euler": "arb.const_euler()", "catalan": "arb.const_catalan()"}


def ball_instruction(instruction: Instruction, names: Sequence[str]) -> str:
    """One instruction as an expression of python-flint source."""
    operation, value = instruction.operation, instruction.value
    operands = [names[o] for o in instruction.operands]
    if operation == "number" and isinstance(value, Fraction):
        exact_in_binary = value.denominator == 1
        return f"arb({value.numerator})" if exact_in_binary else f"arb(fmpq({value.numerator}, {value.denominator}))"
    if operation == "constant":
        return NAMED[str(value)]
    if operation == "truth":
        return str(bool(value))
    if operation in {"power", "root"}:
        return f"ball.{operation}({operands[0]}, {value})"
    if operation == "real_root" and isinstance(value, tuple):
        return f"ball.real_root({value[0]!r}, {value[1]})"
    if operation in WITH_HELPER:
        return f"ball.{operation}({', '.join(operands)})"
    entry = by_name().get(operation)
    if entry is not None and entry.ball is None:
        raise LemmascopeError(f"Ball kernels have no {operation}: rewrite the formula without it.")
    if entry is not None:
        return f"f_{operation}({', '.join(operands)})"
    return TEMPLATES[operation].format(*operands)


def ball_source(program: Program) -> str:
    """A module with `evaluate(*balls)`; what depends on no argument is computed once per precision."""
    constant = program.constant_registers()
    names: list[str] = []
    constant_lines: list[str] = []
    lines: list[str] = []
    used_constants: list[int] = []
    for register, instruction in enumerate(program.instructions):
        if instruction.operation == "argument":
            names.append(f"a{instruction.value}")
            continue
        text = ball_instruction(instruction, names)
        (constant_lines if register in constant else lines).append(f"    r{register} = {text}")
        names.append(f"r{register}")
        if register in constant:
            used_constants.append(register)
    arguments = ", ".join(f"a{i}" for i in range(program.argument_count))
    used = sorted({i.operation for i in program.instructions} & by_name().keys())
    functions = "\n".join(f"f_{name} = function({name!r})" for name in used)
    unpacked = "".join(f"r{r}, " for r in used_constants)
    conditions = {"less", "less_equal", "equal", "not_equal", "and", "or", "not", "truth"}
    results = "".join(
        f"ball.verdict({names[o]}), " if program.instructions[o].operation in conditions else f"{names[o]}, "
        for o in program.outputs
    )
    return "\n".join(
        [
            HEADER % {"arguments": arguments, "functions": functions},
            *([f"    ({unpacked}) = known"] if used_constants else []),
            *lines,
            f"    return ({results})",
            "",
            "",
            "def constants():",
            *constant_lines,
            f"    return ({unpacked})",
            "",
        ]
    )


def compile_ball(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic], *, arranged: bool = True) -> BallKernel:
    """Compile formulas to a function of balls (`flint.arb`) that returns one ball per formula.

    Exact numbers are evaluated at the current `flint.ctx.prec`. A value that is or may be undefined comes back
    as a ball with `not is_finite()`; nothing is raised. Relations as outputs give True, False or None (open).
    Where only a few values are wanted, it is quicker not to have the formulas arranged.

    >>> from flint import arb
    >>> from sympy.abc import x
    >>> f = compile_ball([sp.exp(x) - 1 - x], [x])
    >>> bool(f(arb(1, 0.1))[0] > 0)
    True
    >>> compile_ball([sp.log(x)], [x])(arb(-1))[0].is_finite()
    False
    """
    outputs, arguments = tuple(map(sp.sympify, outputs)), tuple(arguments)
    key = formula_key("ball" if arranged else "plain ball", outputs, arguments)
    module = generated_module(
        key, lambda: ball_source(straight_line(entries(outputs), entries(arguments), arranged=arranged))
    )
    kernel: BallKernel = module.evaluate
    return kernel
