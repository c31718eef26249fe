"""LaTeX cut into tokens with their places; whatever is no part of a formula is refused here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NoReturn

from theory.errors import LemmascopeError
from theory.language.functions import entries

GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho varrho sigma"
    " tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell".split()
)
BARE = frozenset(name for entry in entries() for name in entry.commands)
"""Functions whose argument may stand behind them without brackets."""
FUNCTIONS = {
    name: entry.function
    for entry in entries()
    if 1 in entry.arity
    for name in (*entry.commands, entry.name, entry.latex, *entry.aliases)
    if name is not None and name.isalnum() and len(name) > 1 and (name in entry.commands or name not in GREEK)
}
"""The functions of one argument by the words that sources use for them."""
NAMED = frozenset(FUNCTIONS) - BARE | frozenset("max min sgn ReLU relu sigmoid softplus tr Tr trace".split())
"""Functions whose argument is in brackets."""
RELATIONS = {
    command: name
    for name, commands in {
        "Eq": ["="],
        "Ne": [r"\ne", r"\neq"],
        "Lt": ["<", r"\lt"],
        "Gt": [">", r"\gt"],
        "Le": [r"\le", r"\leq", r"\leqslant"],
        "Ge": [r"\ge", r"\geq", r"\geqslant"],
    }.items()
    for command in commands
}
CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil"} | {
    r"\lbrace": r"\rbrace",
    r"\langle": r"\rangle",
}
_UNKNOWN_FUNCTIONS = (
    frozenset(
        "softmax Softmax Var var Cov cov Corr std Std mean median mode argmax argmin det rank diag vec dim"
        " span sup inf lim limsup liminf Pr KL GELU gelu ELU SiLU clip proj prox mod gcd lcm supp conv dist"
        " sinc lg logit atan2 Re Im arg const deg ker Hom floor ceil round erfi erfinv cdf pdf norm abs sqrt"
        " step Gamma".split()
    )
    - NAMED
)
_PROSE = frozenset(
    "if for and or where when with otherwise else then such that is are all any every some some of to in on as at by"
    " subject st so let we not only iff from since because holds else unless".split()
)
_STRUCTURES = {r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\cfrac": r"\frac"} | {
    name: name for name in (r"\frac", r"\sqrt", r"\binom", r"\sum", r"\prod")
}
_MARKS = {r"\hat": "hat", r"\tilde": "tilde", r"\bar": "bar", r"\mathcal": "cal"}
_BOLD = frozenset([r"\mathbf", r"\boldsymbol", r"\bm", r"\vec"])
_UPRIGHT = frozenset([r"\mathrm", r"\text", r"\textrm", r"\mathit", r"\textit", r"\mathsf", r"\operatorname"])
_BLANK = frozenset([r"\,", r"\;", r"\:", r"\!", r"\ ", "~", r"\displaystyle", r"\textstyle", r"\limits"])
_SIDES = {"": "", "l": "left", "r": "right"}
_SIZES = {
    **{rf"\{size}{side}": name for size in ("big", "Big", "bigg", "Bigg") for side, name in _SIDES.items()},
    r"\left": "left",
    r"\right": "right",
}
_BARS = {
    "|": ("bar", ""),
    r"\vert": ("bar", ""),
    r"\lvert": ("bar", "left"),
    r"\rvert": ("bar", "right"),
    r"\|": ("norm", ""),
    r"\Vert": ("norm", ""),
    r"\lVert": ("norm", "left"),
    r"\rVert": ("norm", "right"),
}
_SIGNS = {sign: sign for sign in "+-*/^,!"} | {
    r"\cdot": "*",
    r"\times": "*",
    r"\wedge": "and",
    r"\land": "and",
    r"\vee": "or",
    r"\lor": "or",
    r"\nabla": "gradient",
    r"\top": "transpose",
    r"\intercal": "transpose",
}
_DERIVE = "differentiate with SymPy, or let gradient_flow and gradient_descent do it"
_ADVICE = {
    r"\in": "give the domain in variables= instead",
    r"\infty": "give the domain in variables= instead",
    r"\int": "integrate with SymPy and use the result",
    r"\partial": _DERIVE,
    r"\dot": "a dot is a derivative by time: give the velocity in Flow, or use a letter of its own",
    r"\ddot": "dots are derivatives by time: give the velocity in Flow, or use a letter of its own",
    r"\approx": r"state an inequality with \le instead",
    r"\pm": "write the two formulas separately",
    r"\mp": "write the two formulas separately",
    "'": "a prime may be a derivative or another letter: use a subscript instead",
    r"\prime": "a prime may be a derivative or another letter: use a subscript instead",
    r"\star": r"a star is no power: use a subscript such as x_{\star}",
    r"\ast": r"it may be a product, a convolution or a mark: write \cdot, or a subscript such as x_{\star}",
    r"\dagger": "a dagger is no power: use a subscript or build this part with SymPy",
    r"\circ": "degrees and compositions are not read: write the angle or the composed formula out",
    r"\mathbb": "indicators and sets of numbers are not read: write the formula out",
    r"\lim": "limits are not read: state them with ConvergesTo",
    r"\cdots": "dots leave open what is meant: write the terms out, or use a sum with bounds",
    r"\ldots": "dots leave open what is meant: write the terms out, or use a sum with bounds",
    r"\dots": "dots leave open what is meant: write the terms out, or use a sum with bounds",
    r"\quad": "give one formula at a time",
    r"\qquad": "give one formula at a time",
    r"\lg": r"its base is unclear: write \log_{10} or \log_2",
    r"\begin": "environments are not read: give one formula, and cases as SymPy's Piecewise",
    r"\over": r"write \frac{}{} instead",
    r"\choose": r"write \binom{}{} instead",
    "$": "give one formula at a time",
    ".": "leave punctuation out, and write decimals with a digit behind the point",
    ";": "give one formula at a time",
    "%": "leave comments out",
}
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\.\d+|[a-zA-Z]|\s+|.", re.DOTALL)
_ARGUMENT = re.compile(r"\s*(?:\{([^{}]*)\}|([a-zA-Z]|\\[a-zA-Z]+))")
_RUN = re.compile(r"[a-zA-Z]+")
_SCIENTIFIC = re.compile(r"[eE][-+]?\d+")
_DELIMITERS = re.compile(r"^\s*(?:\$\$(?=.*\$\$\s*$)|\$(?=.*\$\s*$)|\\\((?=.*\\\)\s*$)|\\\[(?=.*\\\]\s*$))", re.DOTALL)
_LONGEST, _DEEPEST, _MOST_DIGITS = 1000, 40, 1000


@dataclass(frozen=True)
class Token:
    """One piece of the formula: what it is, what was written, and where; `inner` is the range of a subscript."""

    kind: str
    text: str
    written: str
    at: int
    end: int
    style: str = ""
    inner: tuple[int, int] = (0, 0)


def refuse(at: int, written: str, why: str) -> NoReturn:
    """Say where the formula stops being one we can read, and what to write instead."""
    raise LemmascopeError(f"cannot read the LaTeX at character {at + 1} ({written.strip() or 'its end'}): {why}")


def reject(token: Token, why: str) -> NoReturn:
    """Refuse at a token."""
    refuse(token.at, token.written, why)


def formula_range(latex: str) -> tuple[int, int]:
    """Where the formula begins and ends between its dollars.

    >>> formula_range("$x$")
    (1, 2)
    """
    match = _DELIMITERS.match(latex)
    if match is None:
        return 0, len(latex)
    sign = match[0].strip()
    end = latex.rstrip()
    if len(end) < len(match[0]) + len(sign):
        return 0, len(latex)
    return match.end(), len(end) - len(sign)


def tokens(latex: str, start: int, stop: int) -> list[Token]:
    """The tokens between two places; brackets balance, and every command is one that formulas are made of."""
    found: list[Token] = []
    place = start
    side: Token | None = None
    while place < stop:
        match = _TOKEN.match(latex, place, stop)
        written = match[0] if match else latex[place]
        if written.isspace() or written in _BLANK:
            place += len(written)
            continue
        if written in _SIZES:
            side = Token("size", written, written, place, place + len(written), _SIZES[written])
            place = side.end
            continue
        token = _token(latex, written, place, stop)
        if side is not None:
            token, side = _sided(token, side), None
        found.append(token)
        place = token.end
        if len(found) > _LONGEST:
            refuse(
                place, written, f"the formula has more than {_LONGEST} tokens: name its parts and join them in SymPy"
            )
    if side is not None:
        reject(side, "a bracket is missing behind it")
    for before, token in pairwise(found):
        _check_neighbours(latex, before, token)
    return found


def partners(found: Sequence[Token]) -> dict[int, int]:
    """Where each opening bracket is closed."""
    pairs: dict[int, int] = {}
    open_: list[int] = []
    for place, token in enumerate(found):
        if token.kind == "open":
            open_.append(place)
        elif token.kind == "close":
            if not open_ or CLOSING[found[open_[-1]].text] != token.text:
                reject(token, "this bracket closes nothing that is open")
            pairs[open_.pop()] = place
        if len(open_) > _DEEPEST:
            reject(token, f"brackets are nested more than {_DEEPEST} deep: name the inner parts")
    if open_:
        reject(found[open_[-1]], "this bracket is never closed")
    return pairs


def _sided(token: Token, side: Token) -> Token:
    if token.kind in ("open", "close", "bar", "norm"):
        if (token.kind, side.style) in (("open", "right"), ("close", "left")):
            reject(token, f"this bracket does not go with {side.written}")
        return replace(token, style=side.style or token.style)
    return reject(token, f"a bracket is missing behind {side.written}")


def _token(latex: str, written: str, at: int, stop: int) -> Token:
    end = at + len(written)
    if written in _MARKS or written in _BOLD:
        name, end = _letter(latex, written, at, end, stop)
        style = "bold" if written in _BOLD else "cal" if written == r"\mathcal" else "mark"
        return Token("name", name + _MARKS.get(written, ""), latex[at:end], at, end, style)
    if written in _UPRIGHT:
        return _upright(latex, written, at, end, stop)
    word = written[1:]
    if written[0] == "\\" and word in GREEK:
        return Token("name", word, written, at, end)
    if written[0] == "\\" and (word in BARE or word in ("max", "min")):
        return Token("function", word, written, at, end)
    if written.isascii() and written.isalpha():
        _check_run(latex, at)
        return Token("name", written, written, at, end)
    if written.isascii() and written[-1].isdecimal():
        return _number(latex, written, at, stop)
    if written == "_":
        return _subscript(latex, at, stop)
    return _operator(latex, written, at)


def _operator(latex: str, written: str, at: int) -> Token:
    end = at + len(written)
    if written in RELATIONS:
        if written in "<>=" and latex[end : end + 1] == "=":
            refuse(at, latex[at : end + 1], r"write \le, \ge or one =")
        return Token("relation", written, written, at, end)
    if written in CLOSING:
        return Token("open", r"\{" if written == r"\lbrace" else written, written, at, end)
    if written in CLOSING.values():
        return Token("close", r"\}" if written == r"\rbrace" else written, written, at, end)
    if written in _BARS:
        kind, style = _BARS[written]
        return Token(kind, written, written, at, end, style)
    if written in _SIGNS:
        if written == "!" and latex[end : end + 1] == "=":
            refuse(at, "!=", r"it is unclear whether ! is a factorial: write \ne, or a space before =")
        return Token(_SIGNS[written], written, written, at, end)
    if written in _STRUCTURES:
        return Token("structure", _STRUCTURES[written], written, at, end)
    if written == r"\mathbb" and (match := re.match(r"\s*\{\s*I\s*\}|\s*I", latex[end:])):
        return Token("name", "I", latex[at : end + match.end()], at, end + match.end(), "identity")
    if written == r"\mathbb" and (match := re.match(r"\s*\{\s*E\s*\}|\s*E", latex[end:])):
        return Token("mean", "E", latex[at : end + match.end()], at, end + match.end())
    if written == r"\arg" and (match := re.match(r"\s*\\min(?![A-Za-z])", latex[end:])):
        return Token("function", "argmin", latex[at : end + match.end()], at, end + match.end())
    if written in (r"\star", r"\ast") and re.search(r"\^\s*\{?\s*$", latex[:at]):
        return Token("star", "star", written, at, end)
    why = _ADVICE.get(written, "it is not part of the formulas that can be read: build this part with SymPy")
    return refuse(at, written, why)


def _number(latex: str, written: str, at: int, stop: int) -> Token:
    end = at + len(written)
    if len(written) > _MOST_DIGITS:
        refuse(at, written[:20], f"a number has more than {_MOST_DIGITS} digits: keep it as a symbol")
    if len(written) > 1 and written[0] == "0" and written[1] != ".":
        refuse(at, written, "a number does not begin with 0: digits are grouped without commas and spaces")
    power = _SCIENTIFIC.match(latex, end, stop)
    if power is not None:
        if written not in ("1", "1.0"):
            tail = power[0][1:].removeprefix("+")
            refuse(
                at,
                written + power[0],
                rf"it is unclear whether e is Euler's number: write {written} \cdot 10^{{{tail}}}, or e with spaces",
            )
        if len(power[0]) > 5:
            refuse(at, written + power[0], "the number is too large: keep it as a symbol")
        return Token("number", f"1{power[0]}", latex[at : power.end()], at, power.end())
    return Token("number", written, written, at, end)


def _letter(latex: str, written: str, at: int, end: int, stop: int) -> tuple[str, int]:
    """The one letter that a mark stands on."""
    match = _ARGUMENT.match(latex, end, stop)
    inner = "" if match is None else (match[1] or match[2] or "").strip()
    if inner[:1] == "\\" and inner[1:] in GREEK:
        inner = inner[1:]
    elif not (len(inner) == 1 and inner.isascii() and inner.isalpha()):
        refuse(at, written, f"it needs one letter in braces, with subscripts behind them: {written}{{x}}_0")
    assert match is not None  # noqa: S101 - otherwise there is no letter
    return inner, match.end()


def _upright(latex: str, written: str, at: int, end: int, stop: int) -> Token:
    match = _ARGUMENT.match(latex, end, stop)
    inner = "" if match is None else match[1] if match[1] is not None else match[2]
    name = inner.strip().removeprefix("\\")
    if match is None or not (name.isascii() and name.isalnum() and name[0].isalpha()):
        refuse(at, written, "it needs a name of letters and digits in braces")
    end, whole = match.end(), latex[at : match.end()]
    if name in _PROSE or (inner != inner.strip() and written in (r"\text", r"\textrm")):
        refuse(at, whole, "words between formulas are not read: give one formula at a time")
    if name in BARE or name in NAMED:
        return Token("function", name, whole, at, end)
    if name in _UNKNOWN_FUNCTIONS or written == r"\operatorname":
        refuse(at, whole, f"the function {name} is not known: write its formula out")
    if written != r"\mathit" and name in ("d", "i", "j"):
        what = "a differential" if name == "d" else "the imaginary unit"
        refuse(at, whole, f"an upright {name} is {what}, which is not read: write a plain {name} for a letter")
    if name == "e":
        return Token("name", "e", whole, at, end, "plain" if written in (r"\mathit", r"\textit") else "euler")
    style = "" if name in GREEK else "upright" if len(name) == 1 else "word"
    return Token("name", name, whole, at, end, style)


def _subscript(latex: str, at: int, stop: int) -> Token:
    begin = at + 1
    while begin < stop and latex[begin].isspace():
        begin += 1
    if begin >= stop:
        refuse(stop, "", "an operand is missing here after _")
    if latex[begin] != "{":
        match = _TOKEN.match(latex, begin, stop)
        written = match[0] if match else latex[begin]
        end = begin + len(written)
        if written in _UPRIGHT and (match := _ARGUMENT.match(latex, end, stop)):
            end = match.end()
        if len(written) > 1 and written[-1].isdecimal():
            refuse(at, latex[at:end], f"only the first digit is the subscript: write _{{{written}}}")
        return Token("sub", latex[begin:end], latex[at:end], at, end, inner=(begin, end))
    depth = 0
    for place in range(begin, stop):
        depth += {"{": 1, "}": -1}.get(latex[place], 0)
        if depth == 0:
            return Token(
                "sub", latex[begin + 1 : place], latex[at : place + 1], at, place + 1, inner=(begin + 1, place)
            )
    return refuse(begin, "{", "this bracket is never closed")


def _check_run(latex: str, at: int) -> None:
    """Letters in a row multiply; where they spell a name, somebody meant the name."""
    if at > 0 and latex[at - 1].isascii() and latex[at - 1].isalpha():
        return
    match = _RUN.match(latex, at)
    run = match[0] if match else ""
    for name in sorted(BARE | NAMED | _UNKNOWN_FUNCTIONS, key=len, reverse=True):
        if name == run or (len(name) > 2 and name in run) or (name == "ln" and run.startswith(name)):
            cure = rf"\{name}" if name in BARE or name in ("max", "min") else rf"\operatorname{{{name}}}"
            refuse(at, run, f"it spells {name}: write {cure} for the function, or spaces between letters that multiply")
    if run in _PROSE and len(run) > 1 and run not in ("as", "at", "by", "so", "st"):
        refuse(at, run, "words between formulas are not read: give one formula at a time")
    if 4 <= len(run) < 20 and len(set(run)) > 1:
        refuse(at, run, rf"write \mathrm{{{run}}} for one name, or spaces between letters that multiply")
    if run[0] == "d" and len(run) in (2, 3):
        refuse(at, run, rf"it may be a differential: write d \cdot {run[1:]} for a product; derivatives are not read")


def _check_neighbours(latex: str, before: Token, token: Token) -> None:
    grouped = before.kind == "," and token.kind == "number" and len(token.written) == 3 and before.end == token.at
    if grouped and before.at > 0 and latex[before.at - 1].isdecimal():
        reject(token, "the comma may group digits: leave it out, or write a space behind it")
