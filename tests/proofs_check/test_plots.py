"""A picture shows what is true: thresholds, bounds, violations, equilibria and basins are where they belong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import Abs, And, Eq, Interval, Rational, S, Symbol, symbols

from proofs_check import plot
from proofs_check.report.plots.style import SEQUENCE
from proofs_check.run.cli import main
from proofs_check.verdict import Outcome, Verdict
from theory import (
    Always,
    ConvergesTo,
    LemmascopeError,
    Map,
    Scaling,
    Statement,
    Sum,
    Vectors,
    family,
    gradient_descent,
    gradient_flow,
    inner,
    norm,
    vector,
)

x, y, x0, y0, u, w, u0, w0, r, eta, t, eps = symbols("x y x0 y0 u w u0 w0 r eta t eps")
UNKNOWN = Verdict(Outcome.OPEN)


def lines(panel: Any, label: str) -> list[Any]:
    return [line for line in panel.lines if line.get_label() == label]


def test_a_bifurcation_diagram_marks_the_exact_thresholds(tmp_path: Path) -> None:
    logistic = Statement(
        variables={r: Interval.open(1, 3), x0: Interval.open(0, 1)},
        dynamics=Map((x,), (r * x * (1 - x),)),
        start={x: x0},
        then=ConvergesTo(x, 1 - 1 / r),
    )
    shown = plot(logistic, UNKNOWN)
    marks = sorted(line.get_xdata()[0] for line in shown.figure.axes[0].lines if line.get_linestyle() == "--")
    assert any(abs(mark - 3) < 1e-9 for mark in marks)
    assert any(abs(mark - (1 + 6**0.5)) < 1e-9 for mark in marks)
    assert shown.save(tmp_path / "a.svg").stat().st_size < 300_000
    assert plot(logistic, UNKNOWN).save(tmp_path / "b.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()


def test_the_first_violation_is_marked_where_the_bound_is_crossed() -> None:
    grows = Statement(
        variables={eta: Interval.open(0, 3), x0: Interval(1, 2)},
        dynamics=Map((x,), (x - eta * x,)),
        start={x: x0},
        then=Always(And(x <= 2, x >= -2)),
    )
    refuted = Verdict(Outcome.REFUTED, counterexample={"eta": "11/5", "x0": "1", "step": "4"})
    (panel,) = plot(grows, refuted).figure.axes
    (mark,) = lines(panel, "first violation")
    ((step,), (place,)) = mark.get_data()
    assert step == 4  # (-1.2)^4 = 2.07 is the first power beyond 2
    assert place == pytest.approx(1.2**4)
    bounds = {line.get_ydata()[0] for line in panel.lines if line.get_linestyle() == "--"}
    assert bounds == {2.0, -2.0}


def test_an_envelope_that_moves_is_drawn_for_the_run_that_is_shown() -> None:
    shrinks = Statement(
        variables={eta: Interval.open(0, 2), x0: Interval(1, 2)},
        dynamics=Map((x,), (x - eta * x,), t),
        start={x: x0},
        then=Always(x <= x0 * Abs(1 - eta) ** t),
    )
    verdict = Verdict(Outcome.PROVED, witness={"eta": "1/2", "x0": "2"})
    (panel,) = plot(shrinks, verdict).figure.axes
    (bound,) = lines(panel, "claimed bound")
    assert bound.get_ydata()[:3] == pytest.approx([2, 1, 0.5])


def test_a_phase_portrait_fills_what_attracts() -> None:
    flow = Statement(
        variables={u0: S.Reals, w0: S.Reals},
        dynamics=gradient_flow((u**2 - 1) ** 2 / 4 + w**2 / 2, (u, w)),
        start={u: u0, w: w0},
        then=Always(w**2 <= w0**2),
    )
    (panel,) = plot(flow, UNKNOWN).figure.axes
    (filled,) = lines(panel, "equilibrium that attracts")
    (hollow,) = lines(panel, "equilibrium that does not attract")
    assert sorted(filled.get_xdata()) == [-1, 1]
    assert list(hollow.get_xdata()) == [0]


def test_basins_have_one_colour_for_each_attractor() -> None:
    wells = Statement(
        variables={x0: Interval(-2, 2), y0: Interval(-2, 2)},
        dynamics=gradient_descent((x**2 - 1) ** 2 / 4 + y**2 / 2, (x, y), Rational(1, 4)),
        start={x: x0, y: y0},
        then=ConvergesTo((x, y), (1, 0)),
    )
    (panel,) = plot(wells, UNKNOWN).figure.axes
    (mesh,) = panel.collections
    labels = np.asarray(mesh.get_array()).reshape(160, 160)
    assert set(np.unique(labels)) == {0, 1}
    assert (labels[:, :70] == labels[0, 0]).all()
    assert (labels[:, 90:] == labels[0, -1]).all()
    assert len(SEQUENCE) == len(set(SEQUENCE))


def test_a_scaling_law_shows_its_slope() -> None:
    law = Statement(then=Scaling(eps**2 + eps**5, eps, 2))
    (panel,) = plot(law, UNKNOWN).figure.axes
    assert any("slope 2.0" in line.get_label() for line in panel.lines)


def test_a_margin_is_blank_outside_the_hypotheses_and_negative_where_it_fails() -> None:
    claim = Statement(variables={x: Interval(0, 2), y: Interval(0, 2)}, given=(x > y,), then=x - y > Rational(1, 2))
    mesh = plot(claim, UNKNOWN).figure.axes[0].collections[0]
    values = np.ma.filled(mesh.get_array(), np.nan).reshape(240, 240)
    across, up = np.meshgrid(np.linspace(0, 2, 240), np.linspace(0, 2, 240))
    assert np.isnan(values[across < up]).all()
    assert (values[across > up + 0.51] > 0).all()
    assert (values[(across > up) & (across < up + 0.49)] < 0).all()


def test_many_variables_are_cut_through_the_counterexample_along_the_two_that_matter() -> None:
    a, b, c = symbols("a b c")
    claim = Statement(variables=dict.fromkeys((a, b, c), Interval(0, 1)), then=a + b + c / 1000 < 1)
    refuted = Verdict(Outcome.REFUTED, counterexample={"a": "3/4", "b": "1/2", "c": "1/4"})
    panel = plot(claim, refuted).figure.axes[0]
    assert panel.get_ylabel() == "$b$"
    assert "c = 0.25" in panel.get_xlabel()
    (mark,) = lines(panel, "counterexample")
    assert [float(part[0]) for part in mark.get_data()] == [0.75, 0.5]


def test_several_sizes_are_in_one_figure() -> None:
    """A square of a sum against a sum of squares is below zero from n = 2 on; Cauchy and Schwarz never."""
    n, k, a, b = Symbol("n"), Symbol("k"), vector("a"), vector("b")
    u = family("u", n)
    total, squares = Sum(u[k], (k, 1, n)), Sum(u[k] ** 2, (k, 1, n))
    (axes,) = plot(Statement(variables={u: S.Reals}, then=total**2 <= squares)).figure.axes
    curves = {line.get_label(): line.get_ydata() for line in axes.lines if line.get_label().startswith("$")}
    assert list(curves) == ["$n = 1$", "$n = 2$", "$n = 3$", "$n = 4$"]
    assert [bool(values.min() < -1e-9) for values in curves.values()] == [False, True, True, True]
    schwarz = Statement(variables={a: Vectors(), b: Vectors()}, then=inner(a, b) <= norm(a) * norm(b))
    lines = plot(schwarz).figure.axes[0].lines
    assert len(lines) == 5
    assert all(line.get_ydata().min() > -1e-9 for line in lines[:4])


def test_what_cannot_be_drawn_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(LemmascopeError, match="an equation that holds"):
        plot(Statement(variables={x: S.Reals}, then=Eq((x + 1) ** 2, x**2 + 2 * x + 1)), UNKNOWN)
    assert main(["plot", "edge_of_stability/corollary-3.condition", "-o", str(tmp_path / "a.bmp")]) == 2
    assert ".svg, .pdf or .png" in capsys.readouterr().err


def test_a_notebook_shows_it() -> None:
    shown = plot(Statement(variables={Symbol("x"): Interval(0, 1)}, then=Symbol("x") ** 2 <= Symbol("x")), UNKNOWN)
    assert shown._repr_png_().startswith(b"\x89PNG")


def test_a_diagram_over_a_named_parameter_marks_certified_doublings() -> None:
    logistic = Statement(
        id="demo",
        variables={r: Interval.open(3, Rational(7, 2)), x0: Interval.open(0, 1)},
        dynamics=Map((x,), (r * x * (1 - x),)),
        start={x: x0},
        then=Always(x < 1),
    )
    above, middle, below = plot(logistic, over="r").figure.axes
    marks = [line.get_xdata()[0] for line in above.lines if line.get_linestyle() == "--"]
    assert any(abs(mark - 3.544090359) < 1e-6 for mark in marks)
    assert set(middle.lines[0].get_ydata()) >= {2.0, 4.0}
    assert below.get_ylabel() == "Lyapunov exponent"
    with pytest.raises(LemmascopeError, match="no parameter s to draw over"):
        plot(logistic, over="s")
