"""The elementary functions of the language."""

from __future__ import annotations

import sympy as sp
from sympy import Ge, Gt, Le, Lt, Ne, S, oo, pi

from theory.language.entries import Entry

_HALF_TURN = pi / 2
_SMALL = "(abs({0}) <= 1.0)"

ENTRIES = (
    Entry(
        function=sp.exp, ball="exp", analytic=True, slopes=(sp.exp,), turns=(), limits=(S.Zero, oo),
        bounds=(S.Zero, oo), compiled="exponential({0})", extended="exponential", mpmath="exp", coq="exp", latex="exp",
        commands=("exp",),
        inverse=sp.log,
    ),
    Entry(
        function=sp.log, defined=lambda u: (Gt(u, 0),), ball="log", slopes=(lambda u: 1 / u,), turns=(),
        limits=(None, oo), compiled="(log({0}) if {0} > 0.0 else nan)", extended="logarithm", mpmath="log", coq="ln",
        latex="log", commands=("log", "ln"), inverse=sp.exp,
    ),
    # -- angles -----------------------------------------------------------------------------------------------------
    Entry(
        function=sp.sin, ball="sin", analytic=True, slopes=(sp.cos,),
        turns=((_HALF_TURN, 2 * pi, S.One), (-_HALF_TURN, 2 * pi, -S.One)), bounds=(-S.One, S.One),
        compiled="sin({0})", extended="sine", mpmath="sin", coq="sin", latex="sin", commands=("sin",), inverse=sp.asin,
        pair=(sp.sin, sp.cos, -1), is_circular=True,
    ),
    Entry(
        function=sp.cos, ball="cos", analytic=True, slopes=(lambda u: -sp.sin(u),),
        turns=((S.Zero, 2 * pi, S.One), (pi, 2 * pi, -S.One)), bounds=(-S.One, S.One),
        compiled="cos({0})", extended="cosine", mpmath="cos", coq="cos", latex="cos", commands=("cos",),
        inverse=sp.acos,
        pair=(sp.sin, sp.cos, -1), is_circular=True,
    ),
    Entry(
        function=sp.tan, defined=lambda u: (Ne(sp.cos(u), 0),), ball="tan", analytic=True,
        slopes=(lambda u: 1 + sp.tan(u) ** 2,), turns=(), compiled="tan({0})", extended="tangent", mpmath="tan",
        coq="tan", latex="tan", commands=("tan",), inverse=sp.atan, ratio=(sp.sin, sp.cos), is_circular=True,
    ),
    Entry(
        function=sp.cot, defined=lambda u: (Ne(sp.sin(u), 0),), ball="cot", analytic=True,
        slopes=(lambda u: -1 - sp.cot(u) ** 2,), turns=(), compiled="(cos({0}) / sin({0}) if {0} != 0.0 else nan)",
        mpmath="cot", latex="cot", commands=("cot",), ratio=(sp.cos, sp.sin), is_circular=True,
    ),
    Entry(
        function=sp.sec, defined=lambda u: (Ne(sp.cos(u), 0),), ball="sec", analytic=True,
        slopes=(lambda u: sp.sec(u) * sp.tan(u),), turns=((S.Zero, 2 * pi, S.One), (pi, 2 * pi, -S.One)),
        compiled="(1.0 / cos({0}))", mpmath="sec", latex="sec", commands=("sec",), ratio=(None, sp.cos),
        is_circular=True,
    ),
    Entry(
        function=sp.csc, defined=lambda u: (Ne(sp.sin(u), 0),), ball="csc", analytic=True,
        slopes=(lambda u: -sp.csc(u) * sp.cot(u),),
        turns=((_HALF_TURN, 2 * pi, S.One), (-_HALF_TURN, 2 * pi, -S.One)),
        compiled="(1.0 / sin({0}) if {0} != 0.0 else nan)", mpmath="csc", latex="csc", commands=("csc",),
        ratio=(None, sp.sin),
        is_circular=True,
    ),
    Entry(
        function=sp.asin, defined=lambda u: (Ge(u, -1), Le(u, 1)), ball="asin",
        slopes=(lambda u: 1 / sp.sqrt(1 - u**2),), turns=(), bounds=(-_HALF_TURN, _HALF_TURN), odd=True,
        compiled=f"(asin({{0}}) if {_SMALL} else nan)", extended="arcsine", mpmath="asin", latex="arcsin",
        commands=("arcsin",),
        aliases=("asin",), inverse=sp.sin,
    ),
    Entry(
        function=sp.acos, defined=lambda u: (Ge(u, -1), Le(u, 1)), ball="acos",
        slopes=(lambda u: -1 / sp.sqrt(1 - u**2),), turns=(), bounds=(S.Zero, pi),
        compiled=f"(acos({{0}}) if {_SMALL} else nan)", extended="arccosine", mpmath="acos", latex="arccos",
        commands=("arccos",),
        aliases=("acos",), inverse=sp.cos,
    ),
    Entry(
        function=sp.atan, ball="atan", slopes=(lambda u: 1 / (1 + u**2),), turns=(),
        limits=(-_HALF_TURN, _HALF_TURN), bounds=(-_HALF_TURN, _HALF_TURN), odd=True, compiled="atan({0})",
        extended="arctangent", mpmath="atan", coq="atan", latex="arctan", commands=("arctan",), aliases=("atan",),
        inverse=sp.tan,
    ),
    # -- hyperbolic functions ---------------------------------------------------------------------------------------
    Entry(
        function=sp.sinh, ball="sinh", analytic=True, slopes=(sp.cosh,), turns=(), limits=(-oo, oo),
        odd=True, compiled="hyperbolic_sine({0})", extended="hyperbolic_sine", mpmath="sinh", coq="sinh", latex="sinh",
        commands=("sinh",),
        inverse=sp.asinh, pair=(sp.sinh, sp.cosh, 1), exponential=(1, lambda e: (e - 1 / e) / 2),
    ),
    Entry(
        function=sp.cosh, ball="cosh", analytic=True, slopes=(sp.sinh,), turns=((S.Zero, None, S.One),),
        limits=(oo, oo), bounds=(S.One, oo), compiled="hyperbolic_cosine({0})", extended="hyperbolic_cosine",
        mpmath="cosh", coq="cosh", latex="cosh", commands=("cosh",), pair=(sp.sinh, sp.cosh, 1),
        exponential=(1, lambda e: (e + 1 / e) / 2),
    ),
    Entry(
        function=sp.tanh, ball="tanh", analytic=True, slopes=(lambda u: sp.sech(u) ** 2,), turns=(),
        limits=(-S.One, S.One), bounds=(-S.One, S.One), odd=True, compiled="hyperbolic_tangent({0})",
        extended="hyperbolic_tangent", mpmath="tanh", coq="tanh", latex="tanh", commands=("tanh",), inverse=sp.atanh,
        ratio=(sp.sinh, sp.cosh), exponential=(2, lambda e: (e - 1) / (e + 1)),
    ),
    Entry(
        function=sp.coth, defined=lambda u: (Ne(u, 0),), ball="coth", slopes=(lambda u: -sp.csch(u) ** 2,),
        turns=(), limits=(-S.One, S.One), compiled="(1.0 / hyperbolic_tangent({0}) if {0} != 0.0 else nan)",
        mpmath="coth", latex="coth", commands=("coth",), ratio=(sp.cosh, sp.sinh),
        exponential=(2, lambda e: (e + 1) / (e - 1)),
    ),
    Entry(
        function=sp.sech, ball="sech", analytic=True, slopes=(lambda u: -sp.sech(u) * sp.tanh(u),),
        turns=((S.Zero, None, S.One),), limits=(S.Zero, S.Zero), bounds=(S.Zero, S.One),
        compiled="(1.0 / hyperbolic_cosine({0}))", extended="hyperbolic_secant", mpmath="sech", latex="sech",
        ratio=(None, sp.cosh), exponential=(1, lambda e: 2 / (e + 1 / e)),
    ),
    Entry(
        function=sp.csch, defined=lambda u: (Ne(u, 0),), ball="csch", slopes=(lambda u: -sp.csch(u) * sp.coth(u),),
        turns=(), limits=(S.Zero, S.Zero), compiled="(1.0 / hyperbolic_sine({0}) if {0} != 0.0 else nan)",
        mpmath="csch", latex="csch", ratio=(None, sp.sinh), exponential=(1, lambda e: 2 / (e - 1 / e)),
    ),
    Entry(
        function=sp.asinh, ball="asinh", slopes=(lambda u: 1 / sp.sqrt(1 + u**2),), turns=(), limits=(-oo, oo),
        odd=True, compiled="asinh({0})", mpmath="asinh", latex="arsinh", commands=("arsinh",),
        aliases=("asinh", "arcsinh"),
        inverse=sp.sinh,
    ),
    Entry(
        function=sp.acosh, defined=lambda u: (Ge(u, 1),), ball="acosh", bounds=(S.Zero, oo),
        slopes=(lambda u: 1 / (sp.sqrt(u - 1) * sp.sqrt(u + 1)),), turns=(), limits=(None, oo),
        compiled="(acosh({0}) if {0} >= 1.0 else nan)", mpmath="acosh", latex="arcosh", commands=("arcosh",),
        aliases=("acosh", "arccosh"),
        inverse=sp.cosh,
    ),
    Entry(
        function=sp.atanh, defined=lambda u: (Gt(u, -1), Lt(u, 1)), ball="atanh", slopes=(lambda u: 1 / (1 - u**2),),
        turns=(), odd=True, compiled="(atanh({0}) if abs({0}) < 1.0 else nan)", mpmath="atanh", latex="artanh",
        commands=("artanh",),
        aliases=("atanh", "arctanh"), inverse=sp.tanh,
    ),
)  # fmt: skip
