"""Expressions, formulas and statements as plain data: a table of nodes that JSON can carry and nothing can execute.

Every node is a list: a head from a fixed vocabulary (the functions of the language and the ways to join them), then
numbers, strings or the indices of earlier nodes. Shared parts are stored once. Reading back builds objects from that
vocabulary only; anything else is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import sympy
from sympy import Basic, Function, Integer, Rational, Symbol
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory import temporal
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.language import ball_means, classes, families, means, spaces, structures
from theory.language.functions import by_name, entry_of
from theory.scope import Scope
from theory.statements import Computation, Constant, Source, Statement

Tree = dict[str, Any]

_NAMES = """
Add Mul Pow Eq Ne Lt Le Gt Ge And Or Not Implies Equivalent Piecewise Tuple Subs Derivative Integral Sum Product
Interval FiniteSet Union Range Complement Intersection ImmutableDenseMatrix Lambda Order KroneckerDelta
""".split()
_HEADS: dict[str, Callable[..., Basic]] = {name: getattr(sympy, name) for name in _NAMES}
_HEADS |= {"ExprCondPair": sympy.functions.elementary.piecewise.ExprCondPair}
_HEADS |= {
    cls.__name__: cls
    for cls in (
        *(temporal.Exists, temporal.ForAll, temporal.ForEach, temporal.ForSmall, temporal.Scaling),
        *temporal.OPERATORS.values(),
    )
}
_HEADS |= {name: getattr(sympy, name) for name in ("MatAdd", "MatMul", "MatPow", "Transpose", "Trace", "Identity")}
_HEADS |= {"ZeroMatrix": sympy.ZeroMatrix} | {
    cls.__name__: cls for words in (spaces, classes, families, means, ball_means, structures) for cls in words.WORDS
}
_CLASS_NAMES = {cls: name for name, cls in _HEADS.items()} | {
    sympy.core.relational.StrictLessThan: "Lt",
    sympy.core.relational.LessThan: "Le",
    sympy.core.relational.StrictGreaterThan: "Gt",
    sympy.core.relational.GreaterThan: "Ge",
    sympy.core.relational.Equality: "Eq",
    sympy.core.relational.Unequality: "Ne",
}
_ATOMS: dict[str, Basic] = {
    "pi": sympy.pi, "E": sympy.E, "I": sympy.I, "oo": sympy.oo, "-oo": -sympy.oo,
    "EulerGamma": sympy.EulerGamma, "GoldenRatio": sympy.GoldenRatio, "true": sympy.true, "false": sympy.false,
    "Reals": sympy.S.Reals, "Integers": sympy.S.Integers, "Naturals": sympy.S.Naturals,
    "Naturals0": sympy.S.Naturals0, "EmptySet": sympy.S.EmptySet, "Rationals": sympy.S.Rationals,
}  # fmt: skip
_AS_WRITTEN = {"Eq", "Ne", "Lt", "Le", "Gt", "Ge", "Add", "Mul", "Pow"}
"""Rebuilt without evaluation: SymPy must neither decide a relation nor cancel x/x on the way."""
_ATOM_NAMES = {value: name for name, value in _ATOMS.items()}
_FACTS = ("commutative", "real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer")
_BESIDE = ("id", "title", "source", "notes", "scope", "loss")
"""What stands beside a statement and is no part of what it says."""
_MOST_DIGITS = 100_000
_LARGEST_DEGREE = 100


def encode(value: Basic) -> Tree:
    """A SymPy object as a table of nodes.

    >>> x = Symbol("x")
    >>> encode(x**2 + 1)["nodes"]
    [['Integer', '1'], ['Symbol', 'x', []], ['Integer', '2'], ['Pow', 1, 2], ['Add', 0, 3]]
    """
    nodes: list[list[Any]] = []
    places: dict[Basic, int] = {}

    def place(part: Basic) -> int:
        if part not in places:
            node = _node(part, place)
            places[part] = len(nodes)
            nodes.append(node)
        return places[part]

    place(value)
    return {"nodes": nodes}


def _node(part: Basic, place: Callable[[Basic], int]) -> list[Any]:
    if isinstance(part, Integer):
        return ["Integer", str(int(part))]
    if isinstance(part, Rational):
        return ["Rational", str(part.p), str(part.q)]
    if part in _ATOM_NAMES:
        return ["Atom", _ATOM_NAMES[part]]
    if isinstance(part, sympy.CRootOf):
        return ["Root", str(part.index), *map(str, part.poly.all_coeffs())]
    if isinstance(part, Symbol):
        return ["Symbol", part.name, [fact for fact in _FACTS[1:] if getattr(part, f"is_{fact}")]]
    if isinstance(part, (classes.FunctionSymbol, structures.Word, structures.Relation)):
        word = not isinstance(part, classes.FunctionSymbol)
        return ["Word", part.name, *map(place, part.args[1:])] if word else ["Function", part.name]
    if isinstance(part, families.Family):
        return ["Family", part.name, *map(place, part.sizes)]
    if isinstance(part, sympy.MatrixSymbol):
        return ["Letter", part.name, *map(place, part.shape)]
    if isinstance(part, AppliedUndef):
        return ["Undefined", part.func.__name__, *map(place, part.args)]
    if isinstance(part, UndefinedFunction):
        return ["Unapplied", part.__name__]
    if isinstance(part, sympy.MatrixBase):
        return ["Matrix", part.rows, part.cols, *map(place, part.flat())]
    entry = entry_of(part)
    name = _CLASS_NAMES.get(part.func) if entry is None else entry.name
    if name is None:
        raise LemmascopeError(
            f"{part.func.__name__} in {part} is not part of the language of statements:"
            " rewrite it with functions that SymPy and the engines know (exp, log, Piecewise, ...)"
        )
    return [name, *map(place, part.args)]


def decode(tree: Any) -> Basic:
    """The SymPy object that a table of nodes describes; refuses everything outside the vocabulary.

    >>> decode(encode(Symbol("x") ** 2 + 1))
    x**2 + 1
    >>> decode({"nodes": [["__import__", "os"]]})
    Traceback (most recent call last):
    theory.errors.LemmascopeError: a stored expression is damaged: '__import__' is not a known head
    """
    nodes = tree.get("nodes") if isinstance(tree, Mapping) else None
    if not isinstance(nodes, list) or not nodes:
        raise LemmascopeError("a stored expression is damaged: it has no nodes")
    built: list[Basic] = []
    for node in nodes:
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise LemmascopeError("a stored expression is damaged: a node is not a list with a head")
        built.append(_build(node[0], node[1:], built))
    return built[-1]


def _build(head: str, rest: list[Any], built: list[Basic]) -> Basic:
    try:
        match head:
            case "Integer":
                return Integer(_whole(rest[0]))
            case "Rational":
                return Rational(Fraction(_whole(rest[0]), _whole(rest[1])))
            case "Atom":
                return _ATOMS[rest[0]]
            case "Symbol":
                return Symbol(str(rest[0]), **{fact: True for fact in rest[1] if fact in _FACTS})
            case "Root":
                return _root(_whole(rest[0]), [_whole(number) for number in rest[1:]])
            case "Undefined":
                return Function(str(rest[0]))(*_children(rest[1:], built))
            case "Word" | "Function":
                word = structures.about if head == "Word" else classes.function
                return word(str(rest[0]), *_children(rest[1:], built))
            case "Family" | "Letter":
                named = families.family if head == "Family" else sympy.MatrixSymbol
                return named(str(rest[0]), *_children(rest[1:], built))
            case "Unapplied":
                return Function(str(rest[0]))
            case "Matrix":
                return sympy.ImmutableDenseMatrix(rest[0], rest[1], _children(rest[2:], built))
        entry = by_name().get(head)
        if entry is None and head not in _HEADS:
            raise LemmascopeError(f"a stored expression is damaged: {head!r} is not a known head")
        options = {"evaluate": False} if head in _AS_WRITTEN else {}
        build = _HEADS[head] if entry is None else entry.function
        return build(*_children(rest, built), **options)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise LemmascopeError(f"a stored expression is damaged: the node {head} does not fit together") from error


def _root(index: int, coefficients: list[int]) -> Basic:
    if len(coefficients) > _LARGEST_DEGREE:
        raise ValueError("a root of a polynomial of too large a degree")
    return sympy.CRootOf(sympy.Poly(coefficients, Symbol("x")), index, radicals=False)


def _whole(text: Any) -> int:
    if not isinstance(text, str) or len(text) > _MOST_DIGITS:
        raise ValueError("not a whole number")
    return int(text)


def _children(indices: list[Any], built: list[Basic]) -> list[Basic]:
    if not all(isinstance(index, int) and 0 <= index < len(built) for index in indices):
        raise ValueError("a node points at one that does not exist yet")
    return [built[index] for index in indices]


def encode_statement(statement: Statement) -> Tree:
    """A statement as JSON data; `decode_statement` reads it back.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> lemma = Statement(id="mine/lemma", variables={x: Interval(0, 1)}, then=x**2 <= x)
    >>> decode_statement(encode_statement(lemma)).then
    x**2 <= x
    """
    dynamics, computed = statement.dynamics, statement.computed
    rare: Tree = {"noise": [_encode_noise(*item) for item in statement.noise.items()]} if statement.noise else {}
    if statement.examples:
        rare["examples"] = [_pairs(example) for example in statement.examples]
    return rare | {
        "then": encode(statement.then),
        "variables": _pairs(statement.variables),
        "given": [encode(part) for part in statement.given],
        "dynamics": None if dynamics is None else {
            "kind": type(dynamics).__name__,
            "state": [encode(symbol) for symbol in dynamics.state],
            "right_side": [encode(part) for part in dynamics.right_side],
            "time": None if dynamics.time is None else encode(dynamics.time),
            **({"domain": encode(dynamics.domain)} if isinstance(dynamics, Flow) and dynamics.restrictions else {}),
        },
        "loss": _loss(dynamics),
        "start": _pairs(statement.start),
        "constants": [[encode(item.symbol), encode(item.value), item.best] for item in statement.constants],
        "almost_all": [encode(symbol) for symbol in statement.almost_all],
        "uses": list(statement.uses),
        "computed": None if computed is None else {
            "name": computed.name,
            "arguments": {key: _argument(value) for key, value in computed.arguments.items()},
            "yields": list(computed.yields),
            "exact": computed.exact,
        },
        "id": statement.id,
        "title": statement.title,
        "source": [statement.source.paper, statement.source.label, list(statement.source.equations)],
        "notes": statement.notes,
        "scope": None if statement.scope is None else statement.scope.to_json(),
    }  # fmt: skip


def decode_statement(tree: Tree) -> Statement:
    """The statement that `encode_statement` wrote."""
    dynamics, computed = tree["dynamics"], tree["computed"]
    paper, label, equations = tree["source"]
    return Statement(
        then=decode(tree["then"]),
        variables={decode(key): decode(value) for key, value in tree["variables"]},
        given=tuple(decode(part) for part in tree["given"]),
        dynamics=None if dynamics is None else _decode_dynamics(dynamics, tree.get("loss")),
        start={decode(key): decode(value) for key, value in tree["start"]},
        constants=tuple(Constant(decode(symbol), decode(value), best) for symbol, value, best in tree["constants"]),
        almost_all=tuple(decode(symbol) for symbol in tree["almost_all"]),
        uses=tuple(tree["uses"]),
        computed=None if computed is None else Computation(
            computed["name"],
            {key: _read_argument(value) for key, value in computed["arguments"].items()},
            tuple(computed["yields"]),
            exact=bool(computed["exact"]),
        ),
        id=str(tree["id"]),
        title=str(tree["title"]),
        source=Source(str(paper), str(label), tuple(equations)),
        notes=str(tree["notes"]),
        scope=Scope.from_json(tree["scope"]),
        noise=dict(_decode_noise(item) for item in tree.get("noise", ())),
        examples=tuple({decode(s): decode(value) for s, value in pairs} for pairs in tree.get("examples", ())),
    )  # fmt: skip


def content_hash(statement: Statement) -> str:
    """A hash of what a statement says; its id, title, source, notes, scope and loss do not enter.

    >>> x = Symbol("x")
    >>> one = Statement(id="a", variables={x: sympy.Reals}, then=x**2 >= 0)
    >>> content_hash(one) == content_hash(one.but(id="b"))
    True
    """
    tree = encode_statement(statement)
    said = {key: value for key, value in tree.items() if key not in _BESIDE}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _pairs(mapping: Mapping[Symbol, Basic]) -> list[list[Tree]]:
    return [[encode(key), encode(value)] for key, value in mapping.items()]


def _encode_noise(drawn: means.Drawn, law: means.Noise) -> Tree:
    return {
        "drawn": [encode(symbol) for symbol in drawn],
        "mean": None if law.mean is None else encode(law.mean),
        "variance": None if law.variance is None else encode(law.variance),
        "moments": [[order, encode(value)] for order, value in law.moments.items()],
        "law": law.law,
        "values": [encode(value) for value in law.values],
        "probabilities": [encode(value) for value in law.probabilities],
    }


def _decode_noise(tree: Tree) -> tuple[means.Drawn, means.Noise]:
    law = means.Noise(
        mean=None if tree["mean"] is None else decode(tree["mean"]),
        variance=None if tree["variance"] is None else decode(tree["variance"]),
        moments={order: decode(value) for order, value in tree["moments"]},
        law=str(tree["law"]),
        values=tuple(decode(value) for value in tree["values"]),
        probabilities=tuple(decode(value) for value in tree["probabilities"]),
    )
    return tuple(decode(symbol) for symbol in tree["drawn"]), law


def _argument(value: Any) -> Any:
    return {"tree": encode(value)} if isinstance(value, Basic) else value


def _read_argument(value: Any) -> Any:
    return decode(value["tree"]) if isinstance(value, Mapping) and "tree" in value else value


def _loss(dynamics: Map | Flow | None) -> Tree | None:
    """What a gradient method descends, for derivations; nothing where the language has no word for it."""
    if dynamics is None or dynamics.loss is None:
        return None
    with suppress(LemmascopeError):
        return encode(dynamics.loss)
    return None


def _decode_dynamics(tree: Tree, loss: Tree | None) -> Map | Flow:
    kind: type[Map] | type[Flow] | None = Map if tree["kind"] == "Map" else Flow if tree["kind"] == "Flow" else None
    if kind is None:
        raise LemmascopeError(f"a stored statement is damaged: {tree['kind']!r} is neither a Map nor a Flow")
    state = tuple(decode(symbol) for symbol in tree["state"])
    right_side = tuple(decode(part) for part in tree["right_side"])
    time = None if tree["time"] is None else decode(tree["time"])
    inside = {"domain": decode(tree["domain"])} if "domain" in tree else {}
    return kind(state, right_side, time, loss=None if loss is None else decode(loss), **inside)
