"""The straight-line program: the one form in which a formula reaches every arithmetic.

A program is a list of instructions in single assignment; instruction i defines register i. Equal
subexpressions share a register, numbers stay exact, and each arithmetic only has to say how it writes
one instruction. A function of the language is an instruction under its own name; the arithmetics find what
they need to know of it in the table of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from numerics.arrange import arrange, carry_out
from theory.errors import LemmascopeError
from theory.language.functions import entry_of

Value = Fraction | int | str | tuple[tuple[int, ...], int] | None

NAMED_CONSTANTS = {
    sp.pi: "pi",
    sp.E: "e",
    sp.EulerGamma: "euler",
    sp.Catalan: "catalan",
}

COMPARISONS = {
    sp.StrictLessThan: ("less", False),
    sp.LessThan: ("less_equal", False),
    sp.StrictGreaterThan: ("less", True),
    sp.GreaterThan: ("less_equal", True),
    sp.Equality: ("equal", False),
    sp.Unequality: ("not_equal", False),
}


@dataclass(frozen=True)
class Instruction:
    """One operation on earlier registers; `value` holds what is exact and known in advance."""

    operation: str
    operands: tuple[int, ...] = ()
    value: Value = None


@dataclass(frozen=True)
class Program:
    """Instructions, the registers that are the results, and the number of arguments.

    >>> from sympy.abc import x
    >>> [i.operation for i in straight_line([x**2 + sp.exp(x**2)], [x]).instructions]
    ['argument', 'power', 'exp', 'add']
    """

    instructions: tuple[Instruction, ...]
    outputs: tuple[int, ...]
    argument_count: int

    def constant_registers(self) -> frozenset[int]:
        """Registers whose value depends on no argument, so that they are computed only once."""
        constant: set[int] = set()
        for register, instruction in enumerate(self.instructions):
            if instruction.operation != "argument" and all(o in constant for o in instruction.operands):
                constant.add(register)
        return frozenset(constant)


@dataclass
class Builder:
    """A program in the making: equal instructions share a register."""

    arguments: dict[sp.Basic, int]
    instructions: list[Instruction] = field(default_factory=list)
    registers: dict[Instruction, int] = field(default_factory=dict)
    known: dict[sp.Basic, int] = field(default_factory=dict)

    def emit(self, operation: str, *operands: int, value: Value = None) -> int:
        """The register of this instruction."""
        if operation in {"add", "multiply"}:
            operands = tuple(sorted(operands))
        instruction = Instruction(operation, operands, value)
        if instruction not in self.registers:
            self.registers[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return self.registers[instruction]

    def number(self, value: Fraction | int) -> int:
        """The register of an exact number."""
        return self.emit("number", value=Fraction(value))

    def lower(self, expression: sp.Basic) -> int:
        """The register of a formula, as it is written."""
        if expression not in self.known:
            self.known[expression] = self._lower(expression)
        return self.known[expression]

    def _lower(self, expression: sp.Basic) -> int:
        if expression in self.arguments:
            return self.emit("argument", value=self.arguments[expression])
        if expression.is_Number:
            return self._lower_number(expression)
        if expression in NAMED_CONSTANTS:
            return self.emit("constant", value=NAMED_CONSTANTS[expression])
        if isinstance(expression, sp.Add):
            return self._lower_sum(expression)
        if isinstance(expression, sp.Mul):
            return self._lower_product(expression)
        if isinstance(expression, sp.Pow):
            return self._lower_power(expression.base, expression.exp)
        if isinstance(expression, sp.Piecewise):
            return self._lower_piecewise(expression)
        if isinstance(expression, Relational | And | Or | Not | BooleanTrue | BooleanFalse):
            return self._lower_condition(expression)
        return self._lower_function(expression)

    def _lower_number(self, number: sp.Basic) -> int:
        if number.is_Rational:
            return self.number(Fraction(int(number.p), int(number.q)))
        if number.is_Float:
            # a binary float is an exact dyadic rational: nothing is rounded here
            exact = sp.Rational(number)
            return self.number(Fraction(int(exact.p), int(exact.q)))
        return self.emit("undefined")

    def _lower_sum(self, expression: sp.Add) -> int:
        positive: list[sp.Basic] = []
        negative: list[sp.Basic] = []
        for term in expression.args:
            target = negative if term.could_extract_minus_sign() else positive
            target.append(-term if target is negative else term)
        if not positive:
            return self.emit("negate", self._fold("add", map(self.lower, negative)))
        total = self._fold("add", map(self.lower, positive))
        for term in negative:
            total = self.emit("subtract", total, self.lower(term))
        return total

    def _fold(self, operation: str, registers: Iterable[int]) -> int:
        first, *rest = registers
        for register in rest:
            first = self.emit(operation, first, register)
        return first

    def _lower_product(self, expression: sp.Mul) -> int:
        coefficient, factors = expression.as_coeff_mul()
        if coefficient.is_Float:
            coefficient = sp.Rational(coefficient)
        if not coefficient.is_Rational:
            coefficient, factors = sp.S.One, expression.args
        above: list[int] = []
        below: list[int] = []
        for factor in factors:
            base, exponent = factor.as_base_exp() if isinstance(factor, sp.Pow) else (factor, sp.S.One)
            if exponent.is_Rational and exponent.is_negative:
                below.append(self._lower_power(base, -exponent))
            else:
                above.append(self.lower(factor))
        magnitude = abs(coefficient)
        if magnitude != 1 or not above:
            above.insert(0, self.number(Fraction(int(magnitude.p), int(magnitude.q))))
        result = self._fold("multiply", above)
        if below:
            result = self.emit("divide", result, self._fold("multiply", below))
        return self.emit("negate", result) if coefficient.is_negative else result

    def _lower_power(self, base: sp.Basic, exponent: sp.Basic) -> int:
        if not exponent.is_Rational:
            return self.emit("general_power", self.lower(base), self.lower(exponent))
        if exponent.is_negative:
            return self.emit("divide", self.number(1), self._lower_power(base, -exponent))
        register = self.lower(base)
        if exponent.q != 1:
            register = self.emit("root", register, value=int(exponent.q))
        return register if exponent.p == 1 else self.emit("power", register, value=int(exponent.p))

    def _lower_piecewise(self, expression: sp.Piecewise) -> int:
        result = self.emit("undefined")
        for value, condition in reversed(expression.args):
            chosen = self.lower(value)
            always = condition == sp.true
            result = chosen if always else self.emit("select", self.lower(condition), chosen, result)
        return result

    def _lower_condition(self, condition: sp.Basic) -> int:
        if condition in (sp.true, sp.false):
            return self.emit("truth", value=int(condition == sp.true))
        if isinstance(condition, Not):
            return self.emit("not", self.lower(condition.args[0]))
        if isinstance(condition, And | Or):
            return self._fold("and" if isinstance(condition, And) else "or", map(self.lower, condition.args))
        operation, swapped = COMPARISONS[condition.func]
        left, right = self.lower(condition.lhs), self.lower(condition.rhs)
        return self.emit(operation, right, left) if swapped else self.emit(operation, left, right)

    def _lower_function(self, expression: sp.Basic) -> int:
        name = expression.func.__name__
        entry = entry_of(expression)
        if entry is not None and not entry.arity:
            return self._fold(entry.name, map(self.lower, expression.args))
        if entry is not None:
            return self.emit(entry.name, *map(self.lower, entry.completed(expression.args)))
        if name == "GoldenRatio":
            return self.lower((1 + sp.sqrt(5)) / 2)
        if name == "ComplexRootOf" and expression.is_real:
            coefficients = tuple(int(c) for c in reversed(expression.poly.all_coeffs()))
            return self.emit("real_root", value=(coefficients, int(expression.index)))
        if name == "AlgebraicNumber":
            return self.lower(expression.as_expr())
        raise LemmascopeError(self._refusal(expression))

    def _refusal(self, expression: sp.Basic) -> str:
        if isinstance(expression, sp.Symbol):
            names = ", ".join(str(a) for a in self.arguments) or "none"
            assumed = sorted(k for k, v in expression.assumptions0.items() if v and k != "commutative")
            detail = f" (assumed {', '.join(assumed)})" if assumed and str(expression) in names else ""
            return f"The formula uses {expression}{detail}, which is not among its arguments ({names}): pass it too."
        return (
            f"No arithmetic can evaluate {expression.func.__name__}(...) in {expression}: "
            "rewrite it with elementary functions."
        )

    def lower_arranged(self, outputs: Sequence[sp.Basic]) -> list[int]:
        """The registers of formulas after rearranging them and sharing what they have in common."""
        arranged = arrange([sp.sympify(output) for output in outputs])
        for symbol, definition in arranged.shared:
            self.known[symbol] = self.lower(definition)
        return [self.lower(output) for output in arranged.outputs]

    def program(self, outputs: Sequence[int]) -> Program:
        """The finished program, without instructions on which no output depends."""
        return used_part(Program(tuple(self.instructions), tuple(outputs), len(self.arguments)))


def straight_line(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic], *, arranged: bool = True) -> Program:
    """Lower formulas to one program with shared subexpressions and, if arranged, factored or nested polynomials."""
    builder = Builder({argument: index for index, argument in enumerate(arguments)})
    if arranged:
        return builder.program(builder.lower_arranged(outputs))
    return builder.program([builder.lower(carry_out(sp.sympify(output))) for output in outputs])


def used_part(program: Program) -> Program:
    """The program without the instructions on which no output depends."""
    used = set(program.outputs)
    for register in range(len(program.instructions) - 1, -1, -1):
        if register in used:
            used.update(program.instructions[register].operands)
    kept = [register for register in range(len(program.instructions)) if register in used]
    place = {register: position for position, register in enumerate(kept)}
    instructions = tuple(
        Instruction(i.operation, tuple(place[o] for o in i.operands), i.value)
        for i in (program.instructions[register] for register in kept)
    )
    return Program(instructions, tuple(place[o] for o in program.outputs), program.argument_count)
