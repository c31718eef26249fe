"""The classical theorems that proofs rest on, with their references."""

from __future__ import annotations

from collections.abc import Iterable

_THEOREMS: dict[str, tuple[str, str]] = {
    "LaSalle": (
        "J. P. LaSalle, The Stability of Dynamical Systems, SIAM, 1976",
        (
            "@book{lasalle, author={LaSalle, Joseph P.}, title={The Stability of Dynamical Systems}, publisher={SIAM},"
            " year={1976}}"
        ),
    ),
    "Coppel": (
        "W. A. Coppel, The solution of equations by iteration, Proc. Cambridge Phil. Soc. 51, 1955",
        (
            "@article{coppel, author={Coppel, W. A.}, title={The solution of equations by iteration},"
            " journal={Mathematical Proceedings of the Cambridge Philosophical Society}, volume={51}, pages={41--43},"
            " year={1955}}"
        ),
    ),
    "Singer-Guckenheimer": (
        (
            "D. Singer, Stable orbits and bifurcation of maps of the interval, SIAM J. Appl. Math. 35, 1978;"
            " J. Guckenheimer, Sensitive dependence to initial conditions for one dimensional maps, CMP 70, 1979"
        ),
        (
            "@article{singer, author={Singer, David}, title={Stable orbits and bifurcation of maps of the interval},"
            " journal={SIAM Journal on Applied Mathematics}, volume={35}, number={2}, pages={260--267}, year={1978}}\n"
            "@article{guckenheimer, author={Guckenheimer, John}, title={Sensitive dependence to initial conditions for"
            " one dimensional maps}, journal={Communications in Mathematical Physics}, volume={70}, pages={133--160},"
            " year={1979}}"
        ),
    ),
    "Jury": (
        "E. I. Jury, Theory and Application of the z-Transform Method, Wiley, 1964",
        (
            "@book{jury, author={Jury, Eliahu I.}, title={Theory and Application of the z-Transform Method},"
            " publisher={Wiley}, year={1964}}"
        ),
    ),
    "Routh-Hurwitz": (
        "F. R. Gantmacher, The Theory of Matrices, vol. 2, chapter XV, Chelsea, 1959",
        (
            "@book{gantmacher, author={Gantmacher, Feliks R.}, title={The Theory of Matrices}, volume={2},"
            " publisher={Chelsea}, year={1959}}"
        ),
    ),
    "Gronwall": (
        "P. Hartman, Ordinary Differential Equations, chapter III, SIAM, 2002",
        (
            "@book{hartman, author={Hartman, Philip}, title={Ordinary Differential Equations}, publisher={SIAM},"
            " year={2002}}"
        ),
    ),
    "Nagumo": (
        "F. Blanchini, Set invariance in control, Automatica 35, 1999",
        (
            "@article{blanchini, author={Blanchini, Franco}, title={Set invariance in control}, journal={Automatica},"
            " volume={35}, number={11}, pages={1747--1767}, year={1999}}"
        ),
    ),
    "Picard-Lindelof": (
        "P. Hartman, Ordinary Differential Equations, chapter II, SIAM, 2002",
        (
            "@book{hartman, author={Hartman, Philip}, title={Ordinary Differential Equations}, publisher={SIAM},"
            " year={2002}}"
        ),
    ),
    "comparison of differential inequalities": (
        "P. Hartman, Ordinary Differential Equations, chapter III, SIAM, 2002",
        (
            "@book{hartman, author={Hartman, Philip}, title={Ordinary Differential Equations}, publisher={SIAM},"
            " year={2002}}"
        ),
    ),
    "centre-stable manifold": (
        "M. Shub, Global Stability of Dynamical Systems, chapter 5 and theorem III.7, Springer, 1987",
        (
            "@book{shub, author={Shub, Michael}, title={Global Stability of Dynamical Systems}, publisher={Springer},"
            " year={1987}}"
        ),
    ),
    "Kronecker on linear recurrences": (
        "L. Kronecker, Zwei Saetze ueber Gleichungen mit ganzzahligen Coefficienten, J. reine angew. Math. 53, 1857",
        (
            '@article{kronecker, author={Kronecker, Leopold}, title={Zwei S{\\"a}tze {\\"u}ber {G}leichungen mit'
            ' ganzzahligen {C}oefficienten}, journal={Journal f{\\"u}r die reine und angewandte Mathematik},'
            " volume={53}, pages={173--175}, year={1857}}"
        ),
    ),
}


def references(rests_on: Iterable[str]) -> dict[str, str]:
    """The theorems among what a verdict rests on, with where to read them.

    >>> list(references(["flint", "LaSalle"]))
    ['LaSalle']
    """
    return {name: f"{name}: {_THEOREMS[name][0]}." for name in rests_on if name in _THEOREMS}


def bibtex(rests_on: Iterable[str]) -> dict[str, str]:
    """Their BibTeX entries, by key.

    >>> list(bibtex(["Singer-Guckenheimer", "z3+cvc5"]))
    ['singer', 'guckenheimer']
    """
    entries = [entry for name in rests_on if name in _THEOREMS for entry in _THEOREMS[name][1].split("\n")]
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}
