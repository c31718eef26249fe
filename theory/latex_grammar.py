"""The grammar of formulas: tokens become a tree, and what a reader could understand in two ways is refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from sympy import MatrixSymbol

from theory.language.classes import FunctionSymbol
from theory.latex_tokens import BARE, GREEK, Token, partners, refuse, reject, tokens

_OPERAND_MISSING = "an operand is missing here"
_DEEPEST = 40
_ENDS = frozenset(["+", "-", "relation", "close", ",", "and", "or"])
_PRINTED_FUNCTIONS = frozenset("f g h F G H W E I J O P Gamma theta zeta delta phi varphi psi sigma Omega".split())
"""Letters that SymPy and papers print for functions: only a sign of multiplication makes a product of them."""
_FUNCTION_LIKE = frozenset("o p q u L V ell Phi Psi Theta Delta".split())
"""Letters that papers use for functions, unless the caller says that they are symbols, or as in p(1 - p)."""
_NO_NUMBER_BEHIND = frozenset("number symbol pow factorial transposed frac binom".split())
_ROUND = frozenset(["(", "[", r"\{"])
_TIMES = frozenset("t s k n i j".split())
_WORDS_BELOW = GREEK | {"max", "min", "infty", "star", "ast"}
_UPRIGHT_BELOW = re.compile(r"\\(?:text|textrm|mathrm|mathit|mathsf|operatorname)\s*(?:\{([^{}]*)\}|([a-zA-Z]))")
_PART = re.compile(r"[a-zA-Z0-9]+")
_SHIFTED = re.compile(r"([a-zA-Z]+)([+-])(\d{1,9})")
_FUNCTION_OR_PRODUCT = (
    r"it is unclear whether this is a product or the value of a function: write \cdot before the bracket for a product,"
    " or the formula of the function"
)


@dataclass(frozen=True)
class Node:
    """A part of the formula, with its place; what `value` is depends on the kind."""

    kind: str
    token: Token
    parts: tuple[Node, ...] = ()
    value: Any = None

    def walk(self) -> Iterator[Node]:
        """This part and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()


def key(name: str, below: Collection[str]) -> str:
    """The name of a symbol with its subscripts.

    >>> key("W", ["1", "2"])
    'W_1_2'
    """
    return "_".join((name, *below))


class Grammar:
    """Reads one formula; `declared` are the names that the caller said are symbols."""

    def __init__(self, latex: str, start: int, stop: int, declared: Collection[str], depth: int = 0) -> None:
        self.latex = latex
        self.stop = stop
        self.declared = declared
        """The letters that the caller knows."""
        self.known = declared if isinstance(declared, Mapping) else {}
        self.functions = {name for name, letter in self.known.items() if isinstance(letter, FunctionSymbol)}
        self.found = tokens(latex, start, stop)
        self.partners = partners(self.found)
        self.place = 0
        self.depth = depth
        self.bars: list[Token | None] = []

    # the stream of tokens

    def peek(self) -> Token | None:
        """The next token."""
        return self.found[self.place] if self.place < len(self.found) else None

    def sees(self, *kinds: str) -> bool:
        """Whether the next token is of one of these kinds."""
        token = self.peek()
        return token is not None and token.kind in kinds

    def take(self) -> Token:
        """The next token, which is there."""
        self.place += 1
        return self.found[self.place - 1]

    def missing(self) -> NoReturn:
        """Refuse because an operand is missing at this place."""
        token = self.peek()
        before = f" after {self.found[self.place - 1].written}" if self.place else ""
        at, written = (self.stop, "") if token is None else (token.at, token.written)
        refuse(at, written, _OPERAND_MISSING + before if self.found else "a formula is missing here")

    # formulas

    def formula(self) -> Node:
        """Relations joined by and, or by or; or an expression alone."""
        parts = [self.chain()]
        joins: list[Token] = []
        while self.sees("and", "or"):
            joins.append(self.take())
            parts.append(self.chain())
        token = self.peek()
        if token is not None:
            if token.kind == ",":
                reject(token, "give one formula at a time")
            reject(token, "the formula makes no sense from here on: check brackets, braces and operators")
        if not joins:
            return parts[0]
        for join, part in zip([joins[0], *joins], parts, strict=True):
            if part.kind != "chain" or join.kind != joins[0].kind:
                reject(join, "it joins relations, all by and or all by or: write other formulas in SymPy")
        return Node(joins[0].kind, joins[0], tuple(parts))

    def chain(self) -> Node:
        """Expressions with relations between them."""
        sides, signs = [], []
        if self.sees("relation"):
            reject(self.take(), "the left side is missing")
        sides.append(self.sum())
        while self.sees("relation"):
            signs.append(self.take())
            if self.peek() is None:
                refuse(self.stop, "", "a formula is missing here")
            sides.append(self.sum())
        if not signs:
            return sides[0]
        if len(signs) > 1 and any(sign.text in (r"\ne", r"\neq") for sign in signs):
            reject(signs[0], "a chain does not say whether its ends differ: give one relation at a time")
        return Node("chain", signs[0], tuple(sides), tuple(signs))

    def sum(self) -> Node:
        """Terms with signs between them."""
        self.depth += 1
        if self.depth > _DEEPEST:
            token = self.found[min(self.place, len(self.found) - 1)]
            reject(token, f"brackets are nested more than {_DEEPEST} deep: name the inner parts")
        parts = [self.signed(self.product)]
        while self.sees("+", "-"):
            parts.append(self.signed(self.product))
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Node("add", parts[0].token, tuple(parts))

    def signed(self, read: Any) -> Node:
        """What `read` reads, behind any signs."""
        sign, negative = None, False
        while self.sees("+", "-"):
            sign = self.take()
            negative ^= sign.kind == "-"
        part: Node = read()
        return Node("neg", sign, (part,)) if negative and sign is not None else part

    def product(self) -> Node:
        """Factors side by side, with signs of multiplication, or divided by one factor."""
        factors = [self.factor()]
        while (token := self.peek()) is not None and token.kind not in _ENDS and not self.closes(token):
            if token.kind in ("*", "/"):
                self.take()
                other = self.signed(self.factor)
                if token.kind == "*":
                    factors.append(other)
                    continue
                factors = [Node("div", token, (_product(factors), other))]
                after = self.peek()
                if after is not None and after.kind not in (*_ENDS, "*", "/") and not self.closes(after):
                    reject(after, r"it is unclear what / divides by: write \frac{}{} instead")
                continue
            if token.kind in ("^", "!", "sub", "transpose"):
                self.misplaced(token)
            factors.append(self.beside(factors[-1], token))
        return _product(factors)

    def misplaced(self, token: Token) -> NoReturn:
        """Refuse a script or a sign that does not belong here."""
        why = {
            "^": "a second power stands here: write brackets or braces around the first",
            "!": "it is unclear what the factorial is of: write brackets",
            "sub": "a subscript belongs right behind a letter",
            "transpose": r"a transpose is a power: write x^\top",
        }
        if token.kind == "sub" and token.text.strip() in ("+", "-"):
            reject(token, r"write a positive part as \max(0, x)")
        reject(token, why[token.kind])

    def beside(self, before: Node, token: Token) -> Node:
        """A factor without a sign of multiplication before it."""
        opens = token.kind == "open" and (token.text in _ROUND or self.is_wrapped())
        if opens and self.bracket_holds(","):
            reject(token, "functions of several arguments are not read: write the formula of the function")
        self.check_beside(before, token, opens)
        factor = self.factor()
        if before.kind == "transposed" and before.value:
            return factor
        if not opens:
            if before.kind == "number" and factor.kind == "frac" and all(p.kind == "number" for p in factor.parts):
                reject(token, r"it is unclear whether this is a mixed number: write \cdot or +")
            return factor
        held = _base(factor).parts[0] if _base(factor).kind == "bracket" else factor
        applied = _base(before)
        if held.kind == "symbol" and not (before.kind == "number" or _is_lone(applied)):
            reject(token, _FUNCTION_OR_PRODUCT)
        if applied.kind == "symbol" and (held.kind != "add" or self.is_argument(held, applied)):
            reject(token, _FUNCTION_OR_PRODUCT)
        return factor

    def check_beside(self, before: Node, token: Token, opens: bool) -> None:
        """Refuse neighbours that are no clear product."""
        applied = _base(before)
        if token.kind == "number" and before.kind in _NO_NUMBER_BEHIND:
            powered = self.place + 1 < len(self.found) and self.found[self.place + 1].kind == "^"
            if before.kind not in ("symbol", "frac") or not powered:
                reject(token, r"a number stands behind another factor: write \cdot between them, or the number first")
        if applied.kind != "symbol":
            return
        stem, below = applied.value
        known = key(stem, below) in self.declared
        if opens:
            named = applied.token.style in ("word", "cal") or below[-1:] in (("max",), ("min",))
            if named or _letter(applied) in _PRINTED_FUNCTIONS:
                reject(token, _FUNCTION_OR_PRODUCT)
        if stem == "Delta" and not below and before.kind == "symbol" and token.kind == "name" and not known:
            reject(token, r"it is unclear whether Delta makes a difference: write \Delta \cdot for a product")

    def is_argument(self, held: Node, applied: Node) -> bool:
        """Whether a sum in a bracket may be an argument of the letter before it, as in x(t + 1) and L(x + y)."""
        names = [part.value[0] for part in held.walk() if part.kind == "symbol"]
        if applied.value[0] in names:
            return False
        if _letter(applied) in _FUNCTION_LIKE and key(*applied.value) not in self.declared:
            return True
        alone = [part.value[0] for part in held.parts if part.kind == "symbol"]
        return "t" in alone or (len(alone) == len(names) == 1 and alone[0] in _TIMES)

    def is_wrapped(self) -> bool:
        """Whether braces open here that hold a bracket and nothing else."""
        inner = self.place + 1
        return self.partners.get(inner) == self.partners[self.place] - 1 and self.found[inner].text in _ROUND

    def bracket_holds(self, kind: str) -> bool:
        """Whether the bracket that opens here holds such a token, not deeper."""
        start = self.place + (self.found[self.place].text == "{")
        place, end = start + 1, self.partners[start]
        while place < end:
            if self.found[place].kind == kind:
                return True
            place = self.partners.get(place, place) + 1
        return False

    # factors

    def factor(self) -> Node:
        """One factor with its scripts."""
        token = self.peek()
        if token is None or token.kind in _ENDS or token.kind in ("*", "/", "^", "!", "sub", "transpose"):
            self.missing()
        if token.kind == "name" and token.text in self.functions:
            return self.of_function("value")
        if token.kind == "gradient":
            self.take()
            return self.of_function("gradient")
        if token.kind == "mean":
            return self.mean()
        if token.kind == "name":
            return self.symbol()
        if token.kind == "function" and token.text in ("min", "argmin") and self.names_function(self.place + 1):
            self.take()
            return self.scripts(Node("least" if token.text == "min" else "minimiser", token, (), self.take().text))
        if token.kind == "function":
            return self.call()
        if token.kind == "structure":
            read = {r"\frac": self.fraction, r"\binom": self.binomial, r"\sqrt": self.root}
            return read.get(token.text, self.series)()
        if token.kind == "number":
            self.take()
            return self.scripts(Node("number", token, value=token.text))
        if token.kind in ("bar", "norm"):
            return self.scripts(self.absolute())
        return self.group() if token.text == "{" else self.scripts(self.bracket())

    def names_function(self, place: int) -> bool:
        """Whether a declared function stands at a place."""
        return place < len(self.found) and self.found[place].text in self.functions

    def star_follows(self) -> bool:
        """Take a star above or below, with or without braces, if it stands here."""
        for signs in (("^", "*"), ("^", "star"), ("^", "{", "*", "}"), ("^", "{", "star", "}")):
            after = self.found[self.place : self.place + len(signs)]
            if tuple(token.text for token in after) == signs:
                self.place += len(signs)
                return True
        if self.sees("sub") and self.found[self.place].text.strip() in ("*", r"\star", r"\ast"):
            self.take()
            return True
        return False

    def of_function(self, kind: str) -> Node:
        """The value or the gradient of a declared function at a point in brackets."""
        if not self.names_function(self.place):
            reject(self.found[self.place - 1], 'a gradient is of a function: declare it in letters={function("f")}')
        token = self.take()
        if kind == "value" and self.star_follows():
            return self.scripts(Node("least", token, (), token.text))
        if self.sees("sub", "^"):
            reject(self.take(), rf"a mark on {token.text} is not read: write \min {token.text} for its least value")
        if not self.sees("open") or self.found[self.place].text not in _ROUND:
            reject(token, f"it is a function: write {token.text}(x), or \\min {token.text} for its least value")
        opened = self.take()
        point = self.inside()
        self.close(opened)
        return self.scripts(Node(kind, token, (point,), token.text))

    def mean(self) -> Node:
        """The mean of what is in brackets."""
        token = self.take()
        if not self.sees("open") or self.found[self.place].text not in _ROUND:
            reject(token, r"it is unclear where the mean ends: write \mathbb{E}[...] with brackets")
        opened = self.take()
        inner = self.inside()
        self.close(opened)
        return self.scripts(Node("mean", token, (inner,)))

    def bracket(self) -> Node:
        """A bracket, a floor, a ceiling or an inner product."""
        token = self.take()
        inner = self.inside()
        if token.text == r"\langle":
            if not self.sees(","):
                reject(token, r"an inner product has two factors with a comma between them: \langle x, y \rangle")
            self.take()
            second = self.inside()
            self.close(token)
            if self.sees("sub"):
                reject(self.take(), "an inner product with a subscript is not read: write the matrix out")
            return Node("inner", token, (inner, second))
        self.close(token)
        if token.text in (r"\lfloor", r"\lceil"):
            return Node("call", token, (inner,), {r"\lfloor": "floor", r"\lceil": "ceiling"}[token.text])
        return Node("bracket", token, (inner,))

    def inside(self) -> Node:
        """What is in a bracket, where bars begin anew."""
        self.bars.append(None)
        inner = self.sum()
        self.bars.pop()
        return inner

    def close(self, opened: Token) -> None:
        """The end of a bracket."""
        token = self.peek()
        if token is None or token.kind != "close":
            written, at = (token.written, token.at) if token else ("", self.stop)
            if token is not None and token.kind in ("bar", "norm"):
                refuse(at, written, "an absolute value is still open here: its second | is missing")
            if token is not None and token.kind == ",":
                refuse(at, written, "a bracket holds one expression: give one formula at a time")
            if token is not None and token.kind in ("relation", "and", "or"):
                refuse(at, written, "a relation stands in a bracket: give one formula at a time")
            refuse(at, written, f"the bracket {opened.written} is not closed here")
        self.take()

    def group(self) -> Node:
        """Braces, which are not printed: what is in them must be one thing for the reader too."""
        token = self.peek()
        assert token is not None  # noqa: S101 - the caller looked
        start, end = self.place, self.partners[self.place]
        before = self.found[start - 1].kind if start else "open"
        after = self.found[end + 1].kind if end + 1 < len(self.found) else "close"
        whole = before in ("open", "bar", "norm", "relation", ",") and after in (
            "close",
            "bar",
            "norm",
            "relation",
            ",",
        )
        self.take()
        inner = self.inside()
        self.close(token)
        if whole:
            return inner
        if inner.kind in ("add", "neg", "mul", "div") or (inner.kind in ("pow", "sum", "prod") and self.sees("^", "!")):
            reject(token, "braces are not printed: write brackets")
        return inner if inner.kind in ("pow", "transposed") else self.scripts(inner)

    def absolute(self) -> Node:
        """An absolute value or a norm."""
        token = self.take()
        if token.style == "right":
            reject(token, "nothing is open that it closes")
        self.bars.append(token)
        if self.peek() is None:
            reject(token, "an absolute value is still open here: its second | is missing")
        inner = self.sum()
        end = self.peek()
        if end is None or not self.closes(end):
            last = self.found[self.place - 1] if end is None else end
            reject(last, "an absolute value is still open here: its second | is missing")
        self.take()
        self.bars.pop()
        if token.kind == "bar" and inner.kind != "abs":
            return Node("abs", token, (inner,))
        below = self.take().text.strip() if self.sees("sub") else ""
        return Node("norm", token, (inner.parts[0] if inner.kind == "abs" else inner,), below)

    def closes(self, token: Token) -> bool:
        """Whether a bar closes the one that is open."""
        last = self.bars[-1] if self.bars else None
        if token.kind not in ("bar", "norm") or last is None:
            return False
        return token.kind == last.kind and token.style == {"left": "right"}.get(last.style, last.style)

    def scripts(self, base: Node) -> Node:
        """A factorial and a power behind a factor."""
        if self.sees("!"):
            token, marks = self.take(), 1
            while self.sees("!"):
                self.take()
                marks += 1
            if marks > 2 or base.kind not in ("symbol", "number", "bracket"):
                reject(token, "it is unclear what the factorial is of: write brackets")
            base = Node("factorial", token, (base,), marks)
        if self.sees("^"):
            base = self.power(base)
            if self.sees("!"):
                reject(self.take(), "it is unclear whether the factorial is of the power: write brackets")
        return base

    def power(self, base: Node) -> Node:
        """The base with the power that follows."""
        token = self.take()
        exponent = self.exponent(token)
        if exponent.kind == "transposed":
            return replace(exponent, parts=(base,))
        return Node("pow", token, (base, exponent))

    def exponent(self, sign: Token) -> Node:
        """What stands behind ^: one token, or braces."""
        token = self.peek()
        if token is None:
            self.missing()
        if token.kind == "transpose" or (token.kind == "name" and token.text == "T"):
            self.take()
            certain = token.kind == "transpose" or token.style != ""
            return Node("transposed", token, (), certain)
        if token.kind in ("*", "star"):
            reject(token, r"a star is no power: use a subscript such as x_{\star}")
        if token.kind == "open" and token.text == "{":
            return self.braced_exponent()
        if token.kind not in ("number", "name"):
            reject(token, "put the exponent in braces: ^{...}")
        if token.kind == "number" and len(token.text) > 1:
            reject(token, f"only its first digit is raised: write {sign.text}{{{token.written}}}")
        return self.atom("^")

    def braced_exponent(self) -> Node:
        """An exponent in braces, unless it is a mark of another kind."""
        start, end = self.place, self.partners[self.place]
        token, first = self.found[start], self.found[min(start + 1, len(self.found) - 1)]
        if end == start + 2:
            if first.kind == "transpose" or (first.kind == "name" and first.text == "T"):
                self.place = end + 1
                return Node("transposed", first, (), first.kind == "transpose" or first.style != "")
            if first.kind == "name" and first.style in ("word", "upright"):
                reject(first, "a word above a letter is no power: use a subscript")
            if first.kind == "star":
                reject(first, r"a star is no power: use a subscript such as x_{\star}")
            if first.kind in ("*", "+", "-"):
                reject(first, "a sign above a letter is no power: use a subscript")
        if first.kind == "open" and first.text in ("(", "[") and self.partners[start + 1] == end - 1:
            reject(first, "it is unclear whether this is an iterate or a power: write x_{t} or x^{t}")
        self.take()
        inner = self.inside()
        self.close(token)
        return inner

    def atom(self, behind: str) -> Node:
        """One token as TeX takes it, or braces."""
        token = self.peek()
        if token is None:
            self.missing()
        if token.kind == "open" and token.text == "{":
            self.take()
            inner = self.inside()
            self.close(token)
            return inner
        if token.kind == "number":
            if len(token.text) > 1:
                first = Token("number", token.text[0], token.text[0], token.at, token.at + 1)
                rest = Token("number", token.text[1:], token.written[1:], token.at + 1, token.end)
                if behind not in (r"\frac", r"\binom") or not token.text.isdecimal():
                    reject(token, f"only its first digit belongs to {behind}: write {behind}{{{token.written}}}")
                self.found[self.place] = rest
                return Node("number", first, value=first.text)
            self.take()
            return Node("number", token, value=token.text)
        if token.kind == "name":
            self.take()
            if token.style == "word" and behind == "^":
                reject(token, "a word above a letter is no power: use a subscript")
            return Node("symbol", token, value=(token.text, ()))
        return reject(token, f"put what belongs to {behind} in braces")

    def symbol(self) -> Node:
        """A letter or name with its scripts, in any order; a star on a vector marks where the one function is least."""
        token = self.take()
        is_vector = len(self.functions) == 1 and isinstance(self.known.get(token.text), MatrixSymbol)
        if is_vector and key(token.text, ["star"]) not in self.known and self.star_follows():
            return self.scripts(Node("minimiser", token, (), next(iter(self.functions))))
        below = self.below() if self.sees("sub") else None
        if self.sees("!") or not self.sees("^"):
            return self.scripts(Node("symbol", token, value=(token.text, below or ())))
        raised = self.power(Node("symbol", token, value=(token.text, below or ())))
        if self.sees("sub"):
            if below is not None:
                reject(self.take(), "a second subscript stands here: join them with a comma")
            base = Node("symbol", token, value=(token.text, self.below()))
            raised = replace(raised, parts=(base, *raised.parts[1:]))
        if self.sees("!"):
            reject(self.take(), "it is unclear whether the factorial is of the power: write brackets")
        return raised

    def below(self) -> tuple[str, ...]:
        """The parts of a subscript."""
        token = self.take()
        inner = _UPRIGHT_BELOW.sub(lambda match: match[1] or match[2] or "", token.text)
        inner = re.sub(r"\s*([+-])\s*", r"\1", inner.strip())
        parts = []
        for part in re.split(r"[\s,]+", inner):
            plain = part[1:] if part[:1] == "\\" and part[1:] in _WORDS_BELOW else part
            if not (_PART.fullmatch(plain) or _SHIFTED.fullmatch(plain)):
                reject(token, "a subscript is made of letters and digits, separated by commas")
            parts.append(plain)
        if self.sees("sub"):
            reject(self.take(), "a second subscript stands here: join them with a comma")
        return tuple(parts)

    # functions

    def call(self) -> Node:
        """A function, its power and its argument."""
        token = self.take()
        base, exponent = None, None
        while self.sees("sub", "^"):
            mark = self.take()
            if mark.kind == "sub":
                if token.text != "log" or base is not None:
                    reject(mark, f"a subscript of {token.written} is not read: write the formula out")
                base = Grammar(self.latex, *mark.inner, self.declared, self.depth).alone()
                continue
            if exponent is not None or token.text in ("max", "min", "exp"):
                reject(mark, "a power belongs behind the bracket here, and e^{x} is written without exp")
            exponent = self.exponent(mark)
            if exponent.kind in ("neg", "transposed"):
                reject(
                    mark, r"it is unclear whether the inverse function is meant: write \arcsin(x) or \frac{1}{\sin(x)}"
                )
        arguments = self.arguments(token)
        value = token.text
        if base is not None:
            arguments, value = (*arguments, base), "log_base"
        result = Node("call", token, arguments, value)
        if exponent is None and self.sees("^"):
            return self.scripts(result)
        if self.sees("!"):
            reject(self.take(), "it is unclear what the factorial is of: write brackets")
        return result if exponent is None else Node("pow", token, (result, exponent))

    def alone(self) -> Node:
        """An expression and nothing else."""
        inner = self.sum()
        token = self.peek()
        if token is not None:
            reject(token, "an expression ends before this")
        return inner

    def arguments(self, function: Token) -> tuple[Node, ...]:
        """The arguments in brackets, in braces, or bare."""
        token = self.peek()
        if token is not None and token.kind == "open" and token.text in _ROUND:
            held = self.list_of(function)
            after = self.peek()
            sums = len(held) == 1 and held[0].kind == "add"
            if sums and after is not None and after.kind == "open" and after.text in _ROUND:
                reject(after, rf"it is unclear where the argument of {function.written} ends: write \cdot before this")
            return held
        if token is not None and token.kind == "open" and token.text == "{":
            if self.is_wrapped():
                self.take()
                held = self.list_of(function)
                self.take()
                return held
            self.take()
            inner = self.inside()
            self.close(token)
            if inner.kind == "add":
                reject(token, f"braces are not printed: write {function.written}(...) with brackets")
            return (inner,)
        if function.text not in BARE:
            reject(function, "write its argument in brackets right behind it")
        return (self.bare(function),)

    def list_of(self, function: Token) -> tuple[Node, ...]:
        """Arguments with commas between them, in brackets."""
        opened = self.take()
        held = [self.inside()]
        while self.sees(","):
            self.take()
            held.append(self.inside())
        self.close(opened)
        many = function.text in ("max", "min")
        if (len(held) > 1) is not many:
            reject(function, "it needs at least two arguments" if many else "it takes one argument")
        return tuple(held)

    def bare(self, function: Token) -> Node:
        """An argument without brackets, as far as every reader takes it."""
        self.depth += 1
        if self.depth > _DEEPEST:
            reject(function, f"functions are nested more than {_DEEPEST} deep: name the inner parts")
        if self.sees("+"):
            self.missing()
        argument = self.signed(lambda: self.bare_term(function))
        self.depth -= 1
        token = self.peek()
        if token is None or token.kind in _ENDS or token.kind == "function" or self.closes(token):
            return argument
        lettered = any(node.kind == "symbol" and node.value[0] not in ("e", "pi") for node in argument.walk())
        if token.kind == "*" and lettered:
            return argument
        return reject(token, f"it is unclear where the argument of {function.written} ends: put it in brackets")

    def bare_term(self, function: Token) -> Node:
        """The argument of a function without brackets, behind its sign."""
        token = self.peek()
        if token is None:
            self.missing()
        if token.kind == "function":
            return self.call()
        if token.kind == "structure":
            return self.factor()
        if token.kind in ("bar", "norm"):
            inner = self.absolute()
            if self.sees("^", "!"):
                reject(self.take(), f"it is unclear whether the power is of {function.written}: write brackets")
            return inner
        factors: list[Node] = []
        while self.sees("number", "name"):
            factors.append(self.factor())
            last = factors[-1]
            if not (last.kind == "number" or (last.kind == "symbol" and last.value == ("pi", ()))):
                break
            if self.sees("number"):
                break
        if not factors:
            self.missing()
        if len(factors) > 1 and factors[0].kind == "number" and function.text in ("log", "ln"):
            reject(factors[1].token, f"it is unclear where the argument of {function.written} ends: put it in brackets")
        return _product(factors)

    # fractions, roots, sums

    def fraction(self) -> Node:
        """A fraction."""
        token = self.take()
        self.check_derivative(token)
        parts = (self.atom(r"\frac"), self.atom(r"\frac"))
        if self.sees("^", "!"):
            reject(self.take(), "it is unclear what this belongs to: put the fraction in brackets")
        return Node("frac", token, parts)

    def check_derivative(self, token: Token) -> None:
        """Refuse a fraction that is a derivative."""
        heads = []
        place = self.place
        for _ in range(2):
            if place >= len(self.found):
                return
            end = self.partners.get(place, place)
            heads.append(self.found[place + 1 : end] if end > place else self.found[place : place + 1])
            place = end + 1
        above, below = heads
        if not (above and below and above[0].text == below[0].text and above[0].text in ("d", "delta")):
            return
        if len(below) > 1 and below[1].kind == "name" and (len(above) == 1 or above[1].kind in ("name", "^")):
            reject(token, "derivatives are not read: differentiate with SymPy")

    def binomial(self) -> Node:
        """A binomial coefficient."""
        token = self.take()
        parts = (self.atom(r"\binom"), self.atom(r"\binom"))
        if self.sees("!"):
            self.misplaced(self.take())
        return self.scripts(Node("binom", token, parts))

    def root(self) -> Node:
        """A root."""
        token = self.take()
        index = None
        opened = self.peek()
        if opened is not None and opened.kind == "open" and opened.text == "[":
            self.take()
            index = self.inside()
            self.close(opened)
        braced = (after := self.peek()) is not None and after.text == "{"
        inner = self.atom(r"\sqrt")
        if self.sees("!") or (self.sees("^", "sub") and not braced):
            reject(self.take(), "it is unclear whether this stands under the root: put it in braces")
        node = Node("root", token, (inner,) if index is None else (inner, index))
        return self.scripts(node)

    def series(self) -> Node:
        """A sum or a product with its bounds; its body is the product that follows."""
        token = self.take()
        kind = token.text[1:]
        low = high = mark = None
        while self.sees("sub", "^"):
            sign = self.take()
            if (low if sign.kind == "sub" else high) is not None:
                self.misplaced(sign)
            if sign.kind == "sub":
                mark = sign
                low = Grammar(self.latex, *sign.inner, self.declared, self.depth).chain_alone()
            else:
                high = self.exponent(sign)
        if low is None or high is None or mark is None or high.kind == "transposed":
            reject(token, rf"give explicit bounds: {token.written}_{{i=1}}^{{3}}")
        index = low.parts[0] if low.kind == "chain" else low
        if low.kind != "chain" or [sign.text for sign in low.value] != ["="] or not _is_index(index):
            reject(mark, rf"give explicit bounds: {token.written}_{{i=1}}^{{3}}")
        if self.sees("+", "-"):
            reject(self.take(), f"put the terms of {token.written} in brackets")
        self.depth += 1
        if self.depth > _DEEPEST:
            reject(token, f"sums are nested more than {_DEEPEST} deep: name the inner parts")
        body = self.product()
        self.depth -= 1
        name = index.value[0]
        if kind == "prod":
            _check_prod(body, name)
        if any(node.kind in ("sum", "prod") and node.value == name for node in body.walk()):
            reject(token, f"the index {name} is used twice: choose another letter for the inner one")
        return Node(kind, token, (low.parts[1], high, body), name)

    def chain_alone(self) -> Node:
        """A relation and nothing else."""
        inner = self.chain()
        token = self.peek()
        if token is not None:
            reject(token, r"give explicit bounds: \sum_{i=1}^{3}")
        return inner


def check_indices(tree: Node) -> None:
    """Refuse the index of a sum outside of the sum: where the sum ends is then unclear."""
    indices = {node.value: node.token for node in tree.walk() if node.kind in ("sum", "prod")}
    _check_indices(tree, set(indices), indices)


def _check_indices(node: Node, free: set[str], indices: dict[str, Token]) -> None:
    if node.kind == "symbol":
        for name in free:
            if uses_index(node, name):
                why = f"the index {name} of {indices[name].written} stands outside of it: put its terms in brackets"
                reject(node.token, why)
    if node.kind in ("sum", "prod"):
        low, high, body = node.parts
        _check_indices(low, free, indices)
        _check_indices(high, free, indices)
        _check_indices(body, free - {node.value}, indices)
        return
    for part in node.parts:
        _check_indices(part, free, indices)


def uses_index(node: Node, name: str) -> bool:
    """Whether a symbol is the index or has it in its subscript."""
    stem, below = node.value
    return (stem == name and not below) or any(re.split(r"[+-]", part)[0] == name for part in below)


def shifted(part: str) -> tuple[str, int] | None:
    """A subscript such as i+1 as its letter and the number.

    >>> shifted("i-1"), shifted("i")
    (('i', -1), None)
    """
    match = _SHIFTED.fullmatch(part)
    return None if match is None else (match[1], int(match[2] + match[3]))


def _product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Node("mul", factors[0].token, tuple(factors))


def _base(node: Node) -> Node:
    """A factor without its power."""
    while node.kind in ("pow", "transposed", "factorial"):
        node = node.parts[0]
    return node


def _is_lone(node: Node) -> bool:
    return node.kind == "bracket" and node.parts[0].kind in ("symbol", "number", "neg")


def _letter(node: Node) -> str:
    """The letter of a symbol, without its mark."""
    stem: str = node.value[0]
    return re.sub("(hat|tilde|bar)$", "", stem) if node.token.style == "mark" else stem


def _is_index(node: Node) -> bool:
    return node.kind == "symbol" and not node.value[1] and node.token.style == "" and node.value[0] not in ("e", "pi")


def _check_prod(body: Node, name: str) -> None:
    """A product ends where the reader thinks it ends only if all that follows has the index."""
    parts = body.parts if body.kind in ("mul", "div") else (body,)
    with_index = [any(node.kind == "symbol" and uses_index(node, name) for node in part.walk()) for part in parts]
    if len(parts) > 1 and not with_index[-1]:
        reject(parts[-1].token, r"it is unclear where the product ends: put its factors in brackets")
