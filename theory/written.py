"""Statements written as data: a JSON object whose formulas are text in LaTeX or Python, parsed and never executed.

This is what agents and the workbench send. Every field is one of a fixed list and every formula goes through a grammar,
so that foreign text can say something false but can do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from theory import temporal
from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, heavy_ball, nesterov, vector
from theory.errors import LemmascopeError
from theory.language.spaces import Vectors
from theory.latex import from_latex
from theory.python_text import from_python
from theory.statements import Constant, Source, Statement

SYNTAXES: dict[str, Callable[..., Any]] = {"python": from_python, "latex": from_latex}

FIELDS = {
    "syntax": "python or latex: how the formulas are written (default: python)",
    "variables": 'every variable with its domain: {"x": "[0, 1]", "eta": "positive", "n": "naturals", "v": "vectors"}',
    "given": "a list of hypotheses",
    "dynamics": 'one of {"gradient_descent": {"loss", "state", "rate"}}, {"gradient_flow": {"loss", "state"}},'
    ' {"heavy_ball": {"loss", "state", "rate", "momentum"}}, {"nesterov": {...}}, {"map": {"x": "next value"}},'
    ' {"flow": {"x": "velocity"}}; each may have "time", the name of the clock',
    "start": 'where each state starts: {"x": "x0"}',
    "then": 'the conclusion; of a moving state one of {"always": formula}, {"eventually": formula},'
    ' {"at_start": formula}, {"converges_to": [term, target]}, {"decreasing": term}, {"after": [time, formula]}',
    "constants": 'numbers that can be sharpened: {"c": {"value": "3/2", "best": "largest"}}',
    "almost_all": "variables for which a set of measure zero is excepted",
    "id": "a name",
    "title": "a line of text",
}
"""The fields of a written statement."""

DOMAINS: dict[str, sp.Set] = {
    "reals": sp.S.Reals,
    "positive": sp.Interval.open(0, sp.oo),
    "negative": sp.Interval.open(-sp.oo, 0),
    "nonnegative": sp.Interval(0, sp.oo),
    "nonpositive": sp.Interval(-sp.oo, 0),
    "integers": sp.S.Integers,
    "naturals": sp.S.Naturals,
    "naturals0": sp.S.Naturals0,
}
"""The domains that have a name; others are intervals such as (0, 2] or sets such as {1, 2}."""

_MOST = 60
"""How many variables, hypotheses or states a written statement may have."""
_INTERVAL = re.compile(r"^([\[(])(.*)([\])])$", re.DOTALL)
_INFINITE = {"oo": sp.oo, "-oo": -sp.oo, r"\infty": sp.oo, r"-\infty": -sp.oo, r"+\infty": sp.oo}
_SETS: dict[str, sp.Set] = {
    r"\mathbb{R}": sp.S.Reals, r"\R": sp.S.Reals, r"\mathbb{Z}": sp.S.Integers, r"\mathbb{N}_0": sp.S.Naturals0,
    r"\mathbb{N}_{0}": sp.S.Naturals0, r"\mathbb{N}_{\ge1}": sp.S.Naturals, r"\mathbb{N}_{\geq1}": sp.S.Naturals,
    r"\mathbb{R}_{>0}": sp.Interval.open(0, sp.oo), r"\mathbb{R}_{\ge0}": sp.Interval(0, sp.oo),
    r"\mathbb{R}_{\geq0}": sp.Interval(0, sp.oo),
}  # fmt: skip
_NAME = re.compile(r"^[A-Za-z]\w{0,39}$")
_MOMENTUM = {"heavy_ball": heavy_ball, "nesterov": nesterov}


def statement_from(data: Any) -> Statement:
    """The statement that a written one says.

    >>> statement_from({"variables": {"x": "[0, 1]"}, "then": "x**2 <= x"}).latex()
    'x \\\\in \\\\left[0, 1\\\\right] \\\\;\\\\Longrightarrow\\\\; x^{2} \\\\leq x'
    >>> descent = {"gradient_descent": {"loss": "L*x**2/2", "state": ["x"], "rate": "eta"}}
    >>> lemma = {"variables": {"L": "positive", "eta": "positive", "x0": "reals"}, "given": ["eta*L < 2"],
    ...          "dynamics": descent, "start": {"x": "x0"}, "then": {"converges_to": ["x", "0"]}}
    >>> statement_from(lemma).dynamics.update
    (-L*eta*x + x,)
    """
    _require(isinstance(data, Mapping), "a statement is an object with the fields " + ", ".join(FIELDS))
    unknown = [name for name in data if name not in FIELDS]
    _require(not unknown, f"a statement has no field {unknown[:1]}: its fields are {', '.join(FIELDS)}")
    _require("then" in data, "the statement has no conclusion: add then")
    return _Desk(data).statement()


class _Desk:
    """One statement while it is read."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        syntax = data.get("syntax", "python")
        _require(isinstance(syntax, str) and syntax in SYNTAXES, "syntax is python or latex")
        self.parse = SYNTAXES[syntax]
        declared = self._mapping(data.get("variables"), "variables")
        self.letters = {name: vector(name) for name, domain in declared.items() if domain == "vectors"}
        self.letters |= {name: self._symbol(name) for name in declared if name not in self.letters}
        for name in self._mapping(data.get("constants"), "constants"):
            self.letters[name] = self._symbol(name)

    def statement(self) -> Statement:
        data = self.data
        dynamics = self._dynamics(data["dynamics"]) if data.get("dynamics") is not None else None
        start = self._mapping(data.get("start"), "start")
        return Statement(
            variables={self.letters[name]: self._domain(text) for name, text in data.get("variables", {}).items()},
            given=tuple(self._formula(text) for text in self._list(data.get("given"), "given")),
            dynamics=dynamics,
            start={self._letter(name): self._number(text) for name, text in start.items()},
            then=self._conclusion(data["then"]),
            constants=tuple(self._constant(name, item) for name, item in (data.get("constants") or {}).items()),
            almost_all=tuple(self._letter(name) for name in self._list(data.get("almost_all"), "almost_all")),
            id=self._line("id"),
            title=self._line("title"),
            source=Source(),
        )

    def _line(self, field: str) -> str:
        text = self.data.get(field) or ""
        _require(isinstance(text, str) and len(text) <= 400, f"{field} is a line of text")
        return str(text)

    def _list(self, value: Any, field: str) -> list[Any]:
        found = [] if value is None else [value] if isinstance(value, str) else value
        _require(isinstance(found, (list, tuple)) and len(found) <= _MOST, f"{field} is a list of at most {_MOST}")
        return list(found)

    def _mapping(self, value: Any, field: str) -> Mapping[str, Any]:
        found = {} if value is None else value
        _require(isinstance(found, Mapping) and len(found) <= _MOST, f"{field} is an object of at most {_MOST} names")
        return dict(found)

    def _symbol(self, name: Any) -> sp.Symbol:
        if self.parse is from_latex and isinstance(name, str) and "\\" in name:
            letter = from_latex(name)
            _require(isinstance(letter, sp.Symbol), f"{name} is no letter")
            return letter
        _require(isinstance(name, str) and _NAME.match(name) is not None, f"{name!r} is no name of a variable")
        return sp.Symbol(name)

    def _letter(self, name: Any) -> Any:
        return self.letters[name] if name in self.letters else self._symbol(name)

    def _number(self, text: Any) -> Any:
        if isinstance(text, int) and not isinstance(text, bool):
            return sp.Integer(text)
        _require(isinstance(text, str), f"{text!r} is no formula: numbers that are not whole are strings, as in '1/3'")
        value = self.parse(text, letters=self.letters.values())
        _require(not isinstance(value, (Boolean, tuple)) or isinstance(value, sp.Symbol), f"{text} is no number")
        return value

    def _formula(self, text: Any) -> Boolean:
        _require(isinstance(text, str), f"{text!r} is no formula: write it as a string")
        value = self.parse(text, letters=self.letters.values())
        _require(isinstance(value, Boolean) and not isinstance(value, sp.Symbol), f"{text} claims nothing: compare it")
        return value

    def _conclusion(self, said: Any) -> Boolean:
        if not isinstance(said, Mapping):
            return self._formula(said)
        _require(len(said) == 1, "a conclusion has one word: always, eventually, at_start, converges_to, ...")
        ((word, body),) = said.items()
        match word:
            case "always":
                return temporal.Always(self._conclusion(body))
            case "eventually":
                return temporal.Eventually(self._conclusion(body))
            case "at_start":
                return temporal.AtStart(self._conclusion(body))
            case "decreasing":
                return temporal.Decreasing(self._number(body))
            case "not":
                return sp.Not(self._conclusion(body))
            case "and" | "or":
                return (sp.And if word == "and" else sp.Or)(*map(self._conclusion, self._list(body, str(word))))
            case "converges_to" | "after" | "implies" if isinstance(body, (list, tuple)) and len(body) == 2:
                first, second = body
                if word == "implies":
                    return sp.Implies(self._conclusion(first), self._conclusion(second))
                if word == "after":
                    return temporal.After(self._number(first), self._conclusion(second))
                return temporal.ConvergesTo(self._tuple(first), self._tuple(second))
        raise LemmascopeError(f"the conclusion {word!r} is not read: {FIELDS['then']}")

    def _tuple(self, text: Any) -> Any:
        return tuple(map(self._number, text)) if isinstance(text, (list, tuple)) else self._number(text)

    def _constant(self, name: str, item: Any) -> Constant:
        _require(isinstance(item, Mapping) and set(item) == {"value", "best"}, f"{name} has value and best")
        return Constant(self._symbol(name), self._number(item["value"]), item["best"])

    def _domain(self, text: Any) -> Any:
        _require(isinstance(text, str), f"the domain {text!r} is no text: {FIELDS['variables']}")
        return Vectors() if text == "vectors" else DOMAINS[text] if text in DOMAINS else read_domain(text, self._number)

    def _dynamics(self, said: Any) -> Map | Flow:
        _require(isinstance(said, Mapping), f"dynamics is an object: {FIELDS['dynamics']}")
        rest = dict(said)
        time = rest.pop("time", None)
        clock = None if time is None else self._symbol(time)
        _require(len(rest) == 1, f"dynamics has one rule: {FIELDS['dynamics']}")
        ((rule, body),) = rest.items()
        values = self._mapping(body, str(rule))
        if rule in ("map", "flow"):
            state = tuple(self._letter(name) for name in values)
            moves = tuple(self._number(text) for text in values.values())
            return Map(state, moves, clock) if rule == "map" else Flow(state, moves, clock)
        state = tuple(self._letter(name) for name in self._list(values.get("state"), "state"))
        loss = self._number(values.get("loss"))
        needs = {"gradient_flow": (), "gradient_descent": ("rate",), "heavy_ball": ("rate", "momentum")}
        needs["nesterov"] = needs["heavy_ball"]
        _require(rule in needs, f"the rule {rule!r} is not read: {FIELDS['dynamics']}")
        numbers = [self._number(values.get(name)) for name in needs[rule]]
        wrong = set(values) - {"state", "loss", *needs[rule]}
        _require(not wrong, f"{rule} has no {', '.join(sorted(wrong))}")
        if rule == "gradient_flow":
            return gradient_flow(loss, state, time=clock)
        if rule == "gradient_descent":
            return gradient_descent(loss, state, numbers[0], time=clock)
        return _MOMENTUM[rule](loss, state, numbers[0], numbers[1], time=clock)


def read_domain(text: str, number: Callable[[str], Any]) -> sp.Set:
    r"""An interval, a finite set or a set with a symbol, whose numbers are read by `number`.

    >>> read_domain(r"\left(0, \infty\right)", from_latex), read_domain("{1, 2}", from_python)
    (Interval.open(0, oo), {1, 2})
    >>> read_domain(r"\mathbb{N}", from_latex)
    Traceback (most recent call last):
    theory.errors.LemmascopeError: it is unclear whether 0 is in \mathbb{N}: write \mathbb{N}_{0} or \mathbb{N}_{\ge 1}
    """
    plain = text.strip()
    for spacing in (r"\left", r"\right", r"\bigl", r"\bigr", r"\,", r"\;", r"\!"):
        plain = plain.replace(spacing, " ")
    plain = plain.strip()
    tight = re.sub(r"\s+", "", plain)
    if tight in (r"\mathbb{N}", r"\mathbbN"):
        raise LemmascopeError(rf"it is unclear whether 0 is in {text}: write {text}_{{0}} or {text}_{{\ge 1}}")
    if tight in _SETS:
        return _SETS[tight]
    if plain.startswith((r"\{", "{")) and plain.endswith("}"):
        members = plain.removeprefix("\\").removeprefix("{").removesuffix("}").removesuffix("\\")
        return sp.FiniteSet(*(number(part) for part in split_at_commas(members)))
    found = _INTERVAL.match(plain)
    ends = split_at_commas(found[2]) if found else []
    if found is None or len(ends) != 2:
        raise LemmascopeError(f"the domain {text} is not read: {', '.join(DOMAINS)}, [0, 1], (0, oo) or {{1, 2}}")
    low, high = (_INFINITE.get(part.replace(" ", "")) or number(part) for part in ends)
    interval = sp.Interval(low, high, left_open=found[1] == "(", right_open=found[3] == ")")
    if interval is sp.S.EmptySet:
        raise LemmascopeError(f"the domain {text} is empty")
    return interval


def split_at_commas(text: str) -> list[str]:
    """The parts between commas that are in no brackets.

    >>> split_at_commas("a, f(b, c)"), split_at_commas(r"\\langle x, y \\rangle, z")
    (['a', 'f(b, c)'], ['\\\\langle x, y \\\\rangle', 'z'])
    """
    parts, depth = [""], 0
    for sign in re.findall(r"\\[lr]angle|.", text, re.DOTALL):
        depth += (sign in ("(", "[", "{", r"\langle")) - (sign in (")", "]", "}", r"\rangle"))
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise LemmascopeError(sentence)
