r"""A statement in the LaTeX of a paper: a sentence of hypotheses and a conclusion, read only where it is clear.

``For all $x \in [0, 1]$ and $\eta > 0$, we have $x^2 \le x$.`` is read. The words between the formulas come from a
short list; a word outside of it, a letter without a domain, or a formula that two people could read in two ways is
refused with the reason. Nothing is guessed and nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from theory.errors import LemmascopeError
from theory.language.classes import (
    Convex,
    ConvexLipschitz,
    FunctionClass,
    FunctionSymbol,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    function,
)
from theory.language.spaces import (
    ANY_SIZE,
    Matrices,
    OrthogonalMatrices,
    PositiveSemidefinite,
    SymmetricMatrices,
    Vectors,
    any_matrix,
    any_vector,
    size_symbols,
)
from theory.latex import from_latex
from theory.statements import Statement
from theory.written import read_domain, split_at_commas

_COMMENT = re.compile(r"(?<!\\)%.*")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_MATH = re.compile(
    r"\$\$(?P<a>.*?)\$\$|\$(?P<b>.*?)\$|\\\((?P<c>.*?)\\\)|\\\[(?P<d>.*?)\\\]"
    r"|\\begin\{(?P<env>equation\*?|displaymath|math)\}(?P<e>.*?)\\end\{(?P=env)\}",
    re.DOTALL,
)
_FOR_ALL = r"for (?:all|every|any|each)(?: fixed)?(?: real)?(?: numbers?)?"
_PREMISE = re.compile(
    rf"(?:throughout,? )?(?:{_FOR_ALL}|let|suppose(?: that)?|assume(?: that)?|if|given|with|where|such that"
    r"|provided that|whenever|satisfying|be such that|and let|and assume that|and suppose that|and if)"
)
_TURN = re.compile(
    r"(?:then|we have(?: that)?|it holds that|one has|there holds|we get|we obtain|it follows that)"
    r"(?:,? (?:we have(?: that)?|it holds that|one has|there holds|the following holds:?))?:?"
)
_CONTINUE = re.compile(r"(?:and|as well as|be|be real|be real numbers|holds|hold)?")
_COUNTING = frozenset("i j k l m n s t d N T M D".split())
"""Letters that often are whole numbers, so that an inequality alone does not say where they live."""
_IN = re.compile(r"^(?P<names>.*?)\\in(?![A-Za-z])(?P<domain>.*)$", re.DOTALL)
_SPACE = re.compile(r"\\mathbb\s*\{?R\}?\s*\^\s*(?:\{(?P<wide>[^{}]*)\}|(?P<one>[A-Za-z0-9]))")
_KINDS = {
    r"convex": Convex,
    r"convex(?:,? and|,)? \$(?P<a>[^$]+)\$-smooth|\$(?P<b>[^$]+)\$-smooth(?:,? and|,)? convex": SmoothConvex,
    r"\$(?P<a>[^$]+)\$-smooth": Smooth,
    r"convex(?:,? and|,)? \$(?P<a>[^$]+)\$-lipschitz(?: continuous)?": ConvexLipschitz,
    r"\$(?P<a>[^$]+)\$-strongly convex(?:,? and|,)? \$(?P<b>[^$]+)\$-smooth": SmoothStronglyConvex,
    r"\$(?P<b>[^$]+)\$-smooth(?:,? and|,)? \$(?P<a>[^$]+)\$-strongly convex": SmoothStronglyConvex,
    r"symmetric": SymmetricMatrices,
    r"(?:symmetric )?positive semi-?definite": PositiveSemidefinite,
    r"orthogonal": OrthogonalMatrices,
    r"symmetric with \$(?P<a>[^$]+?)I\s*\\preceq\s*(?P<of>[^$]+?)\s*\\preceq\s*(?P<b>[^$]+?)I\$": SymmetricMatrices,
}
"""What a function or a matrix may be called; the letters are the constants of the class, in their order."""
_CALLED = re.compile(
    r"\$(?P<name>[^$]+)\$,? (?:be|is|are)(?: an?)? (?P<kind>"
    + "|".join(sorted((re.sub(r"\?P<\w+>", "?:", kind) for kind in _KINDS), key=len, reverse=True))
    + r")(?: functions?| matrix| matrices)?(?= |[.,;]|$)",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"^(?P<name>\S+?)\s*(?:\\colon|:)\s*\\(?:mathbb\{?R\}?|R)\^(?P<size>\{\w+\}|\w)\s*\\to\s*\\(?:mathbb\s*\{?R\}?|R)$"
)
_SIGN = re.compile(r"<|>|=|\\(?:leq?|geq?|lt|gt|neq?)(?![A-Za-z])")


@dataclass
class Premises:
    """Domains by letter, and hypotheses, in the order in which they were said."""

    domains: dict[sp.Symbol | sp.MatrixSymbol, sp.Set] = field(default_factory=dict)
    given: list[Boolean] = field(default_factory=list)
    implied: set[sp.Symbol] = field(default_factory=set)
    """Letters that are real because they are compared, and whose domain may still be said."""

    @property
    def letters(self) -> list[Any]:
        """The vectors, matrices and functions."""
        return [letter for letter in self.domains if isinstance(letter, (sp.MatrixSymbol, FunctionSymbol))]

    @property
    def spaces(self) -> list[sp.MatrixSymbol]:
        """The vectors and matrices."""
        return [letter for letter in self.letters if isinstance(letter, sp.MatrixSymbol)]

    def joined(self, more: Premises) -> Premises:
        """These and more; a later domain replaces an earlier one."""
        said = {letter: set_ for letter, set_ in more.domains.items() if letter not in more.implied}
        return Premises({**more.domains, **self.domains, **said}, [*self.given, *more.given])


def statement_from_latex(text: str, known: Premises | None = None) -> Statement:
    r"""The statement that a sentence or two say; of the hypotheses `known` from elsewhere those that count are used.

    >>> statement_from_latex(r"For all $x \in [0, 1]$, we have $x^2 \le x$.").hypotheses
    (0 <= x, x <= 1)
    >>> statement_from_latex(r"Let $x > 0$. Then $\log x \le x - 1$.").then
    log(x) <= x - 1
    >>> statement_from_latex("The map $f$ is nice.")
    Traceback (most recent call last):
    theory.errors.LemmascopeError: the words "the map" are not read: only formulas and plain hypotheses are
    """
    premises, claims = _read(text, known)
    if not claims:
        raise LemmascopeError("no formula is claimed: nothing follows `then` or `we have`")
    here = (known or Premises()).joined(premises)
    letters = set().union(*(claim.free_symbols for claim in claims))
    while True:
        used = [part for part in here.given if part in premises.given or part.free_symbols & letters]
        reach = letters.union(*(part.free_symbols for part in used))
        reach |= set().union(*(here.domains[letter].free_symbols for letter in reach if letter in here.domains))
        if reach == letters:
            break
        letters = reach
    sizes = set().union(*(size_symbols(letter, here.domains[letter]) for letter in here.spaces)) | {ANY_SIZE}
    missing = sorted(letters - set(here.domains) - sizes, key=str)
    if missing:
        raise LemmascopeError(rf"the letter {missing[0]} has no domain: say where it lives, as in $x \in \mathbb{{R}}$")
    domains = {letter: set_ for letter, set_ in here.domains.items() if letter in letters or letter in premises.domains}
    return Statement(variables=domains, given=tuple(used), then=sp.And(*claims))


def premises_from_latex(text: str) -> Premises:
    r"""The hypotheses that a sentence says, where it says nothing else.

    >>> premises_from_latex(r"Throughout, let $\eta \in (0, 2)$ and $L > 0$.").domains
    {eta: Interval.open(0, 2), L: Interval.open(0, oo)}
    """
    premises, claims = _read(text, None, only_hypotheses=True)
    if claims:
        raise LemmascopeError("it claims something, so that it is no list of hypotheses")
    return premises


def _read(text: str, known: Premises | None, *, only_hypotheses: bool = False) -> tuple[Premises, list[Boolean]]:
    """Hypotheses and claims; spaces are read first, as a claim may stand before what its letters are."""
    premises, claimed, assumed = Premises(), list[str](), list[str]()
    plain, called = _without_kinds(_COMMENT.sub("", text))
    for role, formula in _roles(list(_pieces(plain)), only_hypotheses=only_hypotheses):
        body = _LABEL.sub("", formula).strip().rstrip(".,;").strip()
        (assumed if role == "premise" else claimed).append(body)
    elsewhere = known.letters if known is not None else []
    for name, kind, constants in called:
        if issubclass(_KINDS[kind], FunctionClass):
            _call_function(name, kind, constants, premises)
    for body in assumed:
        _assume(body, premises, elsewhere)
    for name, kind, constants in called:
        if not issubclass(_KINDS[kind], FunctionClass):
            _call_matrix(name, kind, constants, premises)
    symbols = [letter for letter in premises.domains if isinstance(letter, sp.Symbol)]
    letters = {letter.name: letter for letter in (*symbols, *elsewhere, *premises.letters)}
    return premises, [_claim(body, letters.values()) for body in claimed]


def _without_kinds(text: str) -> tuple[str, list[tuple[str, str, Mapping[str, str]]]]:
    """The text without what its functions and matrices are called, and that: name, kind, constants."""
    called: list[tuple[str, str, Mapping[str, str]]] = []

    def kept(found: re.Match[str]) -> str:
        kind = next(kind for kind in _KINDS if re.fullmatch(kind, found["kind"], re.IGNORECASE))
        constants = re.fullmatch(kind, found["kind"], re.IGNORECASE)
        assert constants is not None  # noqa: S101 - it was just found
        called.append((found["name"].strip(), kind, {k: v for k, v in constants.groupdict().items() if v}))
        is_space = issubclass(_KINDS[kind], FunctionClass)
        return "$\\called$" if is_space and r"\in" not in found["name"] else f"${found['name']}$"

    return _CALLED.sub(kept, " ".join(text.split())), called


def _constants(constants: Mapping[str, str], premises: Premises) -> list[sp.Expr]:
    """The constants of a class in their order; those that are letters are positive."""
    values = [from_latex(constants[key]) for key in ("a", "b") if key in constants]
    for symbol in set().union(*(value.free_symbols for value in values)) - set(premises.domains):
        premises.domains[symbol] = sp.Interval.open(0, sp.oo)
        premises.implied.add(symbol)
    return values


def _call_function(name: str, kind: str, constants: Mapping[str, str], premises: Premises) -> None:
    """Put functions into their class."""
    whole = _FROM_TO.match(name)
    for part in split_at_commas(whole["name"] if whole else name):
        symbol = function(_letter(part).name)
        if symbol in premises.domains:
            raise LemmascopeError(f"{symbol} gets two classes: use two letters")
        premises.domains[symbol] = _KINDS[kind](*_constants(constants, premises))


def _call_matrix(name: str, kind: str, constants: Mapping[str, str], premises: Premises) -> None:
    """Put matrices, whose size is said, into a smaller space."""
    for part in split_at_commas(name.split(r"\in", maxsplit=1)[0]):
        own = next((known for known in premises.spaces if known.name == _letter(part).name), None)
        if own is None or own.shape[0] != own.shape[1]:
            why = r"say that it is a square matrix, as in \mathbb{R}^{d \times d}"
            raise LemmascopeError(f"{part} has no size that fits what it is called: {why}")
        bounds = dict(zip(("lower", "upper"), _constants(constants, premises), strict=False))
        if constants and from_latex(constants["of"]) != sp.Symbol(own.name):
            raise LemmascopeError(f"the bounds are of {constants['of']}, not of {part}")
        premises.domains[own] = _KINDS[kind](own.shape[0], **bounds)


@dataclass
class _Place:
    """Where a reader of the sentence is: among hypotheses, in the claim, or in hypotheses that trail the claim."""

    role: str = ""
    opener: str = ""
    claimed: bool = False
    by_comma: bool = False


def _roles(pieces: list[tuple[str, str | None]], *, only_hypotheses: bool) -> Iterator[tuple[str, str]]:
    """What each formula is; a sentence that could be cut in two ways is refused."""
    place = _Place()
    for index, (words, formula) in enumerate(pieces):
        turns_later = only_hypotheses or any(_is_turn(later) for later, _ in pieces[index + 1 :])
        _move(place, words, formula or "", turns_later=turns_later)
        if formula is None:
            return
        place.claimed |= place.role == "claim"
        yield place.role, formula


def _move(place: _Place, words: str, formula: str, *, turns_later: bool) -> None:
    ended = words.startswith((".", ";"))
    rest = words.lstrip(".;").strip()
    said = rest.strip(", ")
    if _PREMISE.fullmatch(said):
        if ended and place.claimed:
            raise LemmascopeError(f'it is unclear whether the hypothesis after "{said}" is also one of the first claim')
        place.role, place.opener = "premise", said
    elif _is_turn(rest):
        _claim_now(place)
    elif _CONTINUE.fullmatch(said) and place.role and not ended:
        bare = rest in (",", "") and said == ""
        if bare and place.role == "premise" and rest == "," and not turns_later and formula:
            if place.opener not in ("if", "whenever", "given", "provided that") and not re.match("for ", place.opener):
                raise LemmascopeError("it is unclear where the hypotheses end: write `then` before what is claimed")
            _claim_now(place)
            place.by_comma = True
        elif place.role == "claim" and place.by_comma and "," in rest and formula:
            raise LemmascopeError("it is unclear which formulas are assumed and which claimed: write `then`")
    elif said == "" and (formula == "" or not place.role):
        place.role = place.role or "claim"
    else:
        raise LemmascopeError(f'the words "{said or words}" are not read: only formulas and plain hypotheses are')


def _claim_now(place: _Place) -> None:
    if place.role == "premise" and place.claimed:
        raise LemmascopeError("it claims something under hypotheses that come after a first claim: state it on its own")
    place.role = "claim"


def _is_turn(words: str) -> bool:
    return _TURN.fullmatch(words.lstrip(".;, ").strip().rstrip(", ")) is not None


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """Words and the formula after them; the last words have none."""
    plain = _COMMENT.sub("", text)
    at = 0
    for found in _MATH.finditer(plain):
        yield _words(plain[at : found.start()]), next(filter(None, (found[key] for key in "abcde")), "")
        at = found.end()
    yield _words(plain[at:]), None


def _words(text: str) -> str:
    plain = _LABEL.sub(" ", text).replace("~", " ").replace("\\,", " ")
    return " ".join(plain.lower().replace(" ,", ",").split())


def _claim(body: str, letters: Iterable[sp.MatrixSymbol]) -> Boolean:
    claim = from_latex(body, letters)
    if not isinstance(claim, Boolean) or isinstance(claim, sp.Symbol):
        raise LemmascopeError(f"{body} claims nothing: a relation is expected")
    return claim


def _assume(body: str, premises: Premises, elsewhere: Sequence[sp.MatrixSymbol]) -> None:
    names: list[str] = []
    if body == r"\called":
        return
    for part in split_at_commas(body):
        names.append(part)
        if _IN.match(part):
            _place(names, premises)
        elif _SIGN.search(part):
            _relate(names, premises, [*elsewhere, *premises.letters])
        else:
            continue
        names = []
    if names:
        raise LemmascopeError(f"{', '.join(names)} assumes nothing: say where it lives")


def _place(parts: Sequence[str], premises: Premises) -> None:
    found = _IN.match(parts[-1])
    assert found is not None  # noqa: S101 - the caller looked
    space = _SPACE.fullmatch(found["domain"].strip())
    domain = read_domain(found["domain"].strip(), from_latex) if space is None else None
    for name in (*parts[:-1], found["names"]):
        letter = _letter(name)
        if any(letter.name == other.name for other in premises.letters):
            raise LemmascopeError(f"{letter} gets two domains: use two letters")
        if space is not None:
            _set_in_space(letter, space["wide"] or space["one"], premises)
            continue
        if letter in premises.domains and letter not in premises.implied:
            raise LemmascopeError(f"{letter} gets two domains: use two letters")
        premises.domains[letter] = domain
        premises.implied.discard(letter)


def _set_in_space(letter: sp.Symbol, sizes: str, premises: Premises) -> None:
    r"""A vector of R^d, or a matrix of R^{m \times n}."""
    if letter in premises.domains:
        raise LemmascopeError(f"{letter} gets two domains: use two letters")
    shape = [from_latex(size) for size in sizes.split(r"\times")]
    if len(shape) > 2 or not all(size.is_Symbol or (size.is_Integer and size > 0) for size in shape):
        raise LemmascopeError(rf"the sizes {sizes} are not read: \mathbb{{R}}^d or \mathbb{{R}}^{{m \times n}}")
    if len(shape) == 1:
        premises.domains[any_vector(letter.name)] = Vectors(*shape)
    else:
        premises.domains[any_matrix(letter.name, *shape)] = Matrices(*shape)


def _relate(parts: Sequence[str], premises: Premises, spaces: Sequence[sp.MatrixSymbol]) -> None:
    r"""``a, b > 0``: what stands after the last name holds of each; a letter that is new is real, unless it counts."""
    last = parts[-1]
    sign = _SIGN.search(last)
    assert sign is not None  # noqa: S101 - the caller looked
    relations = [from_latex(last, spaces)]
    if len(parts) > 1:
        _letter(last[: sign.start()])
        names = (*parts[:-1], last[: sign.start()])
        relations = [from_latex(f"{name} {last[sign.start() :]}", spaces) for name in names]
    sizes = set().union(
        *(size_symbols(letter, Vectors()) for letter in spaces if isinstance(letter, sp.MatrixSymbol))
    ) | {ANY_SIZE}
    for relation in relations:
        letters = sorted((s for s in relation.free_symbols - sizes if isinstance(s, sp.Symbol)), key=str)
        alone = _sign_domain(relation, *letters)
        if alone is not None and letters[0] not in premises.domains:
            _require_real(letters[0])
            premises.domains[letters[0]] = alone
            continue
        for letter in letters:
            if letter not in premises.domains:
                _require_real(letter)
                premises.domains[letter] = sp.S.Reals
                premises.implied.add(letter)
        premises.given.append(relation)


def _require_real(letter: sp.Symbol) -> None:
    if letter.name.partition("_")[0] in _COUNTING:
        raise LemmascopeError(
            rf"it is unclear whether {letter} is a whole number: say ${letter} \in \mathbb{{R}}$ or"
            rf" ${letter} \in \mathbb{{Z}}$ before"
        )


def _sign_domain(relation: Boolean, *letters: sp.Symbol) -> sp.Set | None:
    """The domain of a letter that is only compared with zero."""
    if len(letters) != 1 or relation.args not in ((letters[0], sp.Integer(0)), (sp.Integer(0), letters[0])):
        return None
    flipped = relation.args[0] == 0
    kinds = {sp.Gt: (0, False), sp.Ge: (0, True), sp.Lt: (1, False), sp.Le: (1, True)}
    if relation.func not in kinds:
        return None
    side, closed = kinds[relation.func]
    if side ^ flipped:
        return sp.Interval(-sp.oo, 0, right_open=not closed)
    return sp.Interval(0, sp.oo, left_open=not closed)


def _letter(text: str) -> sp.Symbol:
    letter = from_latex(text)
    if not isinstance(letter, sp.Symbol):
        raise LemmascopeError(f"{text.strip()} is no letter")
    return letter
