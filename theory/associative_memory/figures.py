"""The figures and tables with measurements: what a processor can repeat, on the one-layer model, and what it cannot."""

from __future__ import annotations

from functools import partial
from typing import Any

from sympy import And, Expr, FiniteSet, Interval, Rational, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theory.associative_memory._paper import experiment, paper
from theory.library import correction_of
from theory.scope import Scope, measured, part
from theory.statements import Statement
from theory.temporal import Exists

LAYER: dict[str, Any] = {"vocabulary": 6, "length": 24, "alpha": "3/10", "steps": 1000, "rate": 1.0, "seed": 0}
EVEN: dict[str, Any] = {**LAYER, "alpha": "1/2", "rate": 3.0}
MEMORY: dict[str, Any] = {"n": 3, "alpha": "3/100", "runs": 20, "steps": 2000, "rate": 1.0, "seed": 0}
SUBSTITUTE = (
    "Measured in one run (seed 0) on the one-layer model of Eq. (4.2), without a confidence bound; the two-layer"
    " transformer"
    " with d = 256 is not run. The margins of the predicate were chosen here, after a first run. A proof would have to"
    " enclose stochastic training, which nothing here attempts."
)
NOT_FOUND = (
    "A finding against the print, from one run of 1000 steps (seed 0) of the one-layer model: without the"
    " feed-forward layer"
    " the target gets 0.83, not 0.98; a larger model or longer training may come closer. A proof would need"
    " the trained weights of the whole run enclosed."
)


def _near(value: Expr, target: Rational, gap: Rational) -> Boolean:
    return And(value > target - gap, value < target + gap)


def _layer(then: Boolean, settings: dict[str, Any], notes: str = SUBSTITUTE) -> Statement:
    yields = tuple(sorted(symbol.name for symbol in then.free_symbols))
    return experiment("one_layer", then, yields=yields, notes=notes, **settings)


def _layer_scope(settings: dict[str, Any]) -> Scope:
    sizes = f"N = {settings['vocabulary']}, T = {settings['length']}, alpha = {settings['alpha']}"
    run = f"{settings['steps']} steps at rate {settings['rate']:g}, one run (seed 0)"
    return measured(f"the one-layer model, {sizes}, {run}; margins chosen after a first run")


noise, dropped, full = symbols("noise dropped_target full_target")
to_target, to_noise, peak = symbols("to_target to_noise peak")

for _name, _title, _then, _settings in (
    (
        "figure-4.3",
        "The full model predicts noise at its rate, and dropping the feed-forward layer raises the target",
        And(_near(noise, Rational(3, 10), Rational(1, 10)), dropped > full + Rational(1, 20)),
        LAYER,
    ),
    (
        "figure-4.3.margin",
        "The feed-forward margin of noise at the trigger is positive within a few steps",
        Symbol("early_margin") > 0,
        LAYER,
    ),
    (
        "figure-4.4",
        "Attention concentrates on (trigger, target) and avoids (trigger, noise)",
        And(to_target > Rational(3, 5), to_target > 5 * to_noise),
        LAYER,
    ),
    (
        "figure-4.4.fine-tuned",
        "The same after training without noise first",
        And(to_target > Rational(3, 5), to_target > 5 * to_noise),
        {**LAYER, "clean": 500},
    ),
    (
        "figure-4.6",
        "The value matrix is diagonal except at noise, and the feed-forward layer points at noise",
        And(
            Symbol("diagonal") > Symbol("off_diagonal") + 1,
            Symbol("diagonal") > Symbol("noise_diagonal") + 1,
            Symbol("feed_margin") > 0,
        ),
        LAYER,
    ),
    (
        "figure-4.7",
        "Noise is first predicted above its rate, in the end at its rate",
        And(peak > Rational(11, 20), _near(noise, Rational(1, 2), Rational(1, 10))),
        EVEN,
    ),
    (
        "figure-4.7.fine-tuned",
        "The same after training without noise first",
        And(peak > Rational(11, 20), _near(noise, Rational(1, 2), Rational(1, 10))),
        {**EVEN, "clean": 300},
    ),
    (
        "figure-4.7.close-to-one",
        "With large steps noise is predicted almost surely within ten steps",
        peak > Rational(9, 10),
        {**EVEN, "rate": 10.0, "steps": 20},
    ),
):
    paper.statement(_name, _title, scope=_layer_scope(_settings))(partial(_layer, _then, _settings))


TWO_LAYERS: dict[str, Any] = {"vocabulary": 5, "length": 16, "alpha": "3/10", "steps": 1000, "rate": 1.0, "seed": 0}
paper.statement(
    "figure-4.3.nearly-perfect",
    "Without the feed-forward layer the target has probability about 0.98",
    scope=_layer_scope(LAYER),
)(partial(_layer, dropped > Rational(19, 20), LAYER, NOT_FOUND))

REDUCED = (
    "Measured in one run (seed 0) on a small two-layer model with orthonormal embeddings and position scores in the"
    " first"
    " layer, without a confidence bound; the margins of the predicate were chosen here, after a first run. A proof"
    " would need the training of both layers enclosed."
)


SMALL = measured(
    "two layers, N = 5, T = 16, alpha = 3/10, 1000 steps, one run (seed 0); margins chosen after a first run"
)


def _two_layers(then: Boolean) -> Statement:
    yields = tuple(sorted(symbol.name for symbol in then.free_symbols))
    return experiment("two_layer", then, yields=yields, notes=REDUCED, **TWO_LAYERS)


for _name, _title, _then in (
    (
        "figure-4.3.two-layer",
        "In a small two-layer model dropping the feed-forward layer raises the target",
        And(
            _near(noise, Rational(3, 10), Rational(1, 10)), dropped > full + Rational(1, 20), Symbol("early_margin") > 0
        ),
    ),
    (
        "figure-4.4.two-layer",
        "In a small two-layer model the second attention finds the target and avoids noise",
        And(to_target > Rational(3, 5), to_target > 5 * to_noise),
    ),
    (
        "figure-4.6.two-layer",
        "In a small two-layer model the first attention goes to the previous token",
        And(Symbol("previous") > Rational(1, 2), Symbol("feed_margin") > 0),
    ),
):
    paper.statement(_name, _title, scope=SMALL)(partial(_two_layers, _then))


def _memory(d: int) -> Statement:
    loss, second, better = symbols("full rank_2 better")
    then = And(
        _near(loss, Rational(3, 100), Rational(1, 100)),
        second < loss / 2,
        better >= Rational(3, 4),
        Symbol("rank_1") > loss,
    )
    return experiment(
        "memory_runs",
        then,
        yields=("full", "rank_1", "rank_2", "better"),
        d=d,
        notes="Medians over 20 runs; if rank two wins in all 20, it wins in at least 76% of all runs with 99%"
        " confidence."
        " The rate is not printed: 1 was chosen here, and so was the factor of two. A proof would need the"
        " law of the singular values over random embeddings.",
        **MEMORY,
    )


for _name, _d in (("figure-4.5", 12), ("figure-4.5.narrow", 8)):
    paper.statement(
        _name,
        f"Rank two has a far smaller pure-label loss than the full memory, d = {_d}",
        scope=measured("20 runs of 2000 steps at a rate of our own; the factor of two was chosen here"),
    )(partial(_memory, _d))


@paper.statement(
    "figure-4.5.stable",
    "Twelve dimensions give more stable results than eight",
    scope=measured("n = 3, alpha = 0.03, 20 runs each for d = 12 and d = 8, 2000 steps, a rate of our own"),
)
def stable() -> Statement:
    wide, narrow = symbols("wide narrow")
    return experiment(
        "memory_stability",
        wide < narrow,
        yields=("wide", "narrow"),
        notes="The distances between the quartiles of 20 runs each; no confidence bound. A proof would need the law of"
        " the predictions over random embeddings.",
        **MEMORY,
    )


def _larger(n: int) -> Statement:
    truncated = Symbol("truncated")
    return experiment(
        "truncated_memory",
        truncated < Rational(1, 20),
        yields=("truncated",),
        n=n,
        alpha="1/5",
        time=1e4,
        notes="The flow from zero has no chance in it: one run to t = 10^4 with relative tolerance 10^-9. For n = 4"
        " and 10"
        " it is a finding against the print: noise gets 0.93 and 0.98, because the rank-one part of noise has"
        " outgrown the"
        " others and is not what truncation removes. A proof needs the order of the two singular values as t grows.",
    )


for _n in (3, 4, 10):
    paper.statement(
        f"figure-4.5.size-{_n}",
        f"For n = {_n} the memory without its smallest singular value forgets noise",
        scope=measured("alpha = 1/5, one run of the flow to t = 10^4; the bound was chosen here"),
    )(partial(_larger, _n))


def _mechanism(orientation: str) -> Statement:
    share = Symbol("full_noise")
    then = And(dropped > Rational(9, 10), _near(share, Rational(1, 2), Rational(1, 10)))
    return experiment(
        "mechanism",
        then,
        yields=("dropped_target", "full_noise"),
        vocabulary=10,
        length=40,
        alpha="1/2",
        orientation=orientation,
        seed=0,
        notes="Measured on sequences from one seed, with explicit weights and no training. With the scores as printed"
        " it is a"
        " finding against the print: the target gets 0.004 without the feed-forward layer; transposed, 0.99."
        " A proof would need a bound over all sequences in place of drawn ones.",
    )


EXPLICIT = measured("N = 10, T = 40, alpha = 1/2, sequences of one seed; bounds chosen here")
for _name, _title, _orientation in (
    ("claim-4.4.2.mechanism", "The explicit weights solve the task, read with the scores of Eq. (4.1)", "printed"),
    (
        "claim-4.4.2.mechanism.corrected",
        "The explicit weights solve the task with both score matrices transposed",
        "transposed",
    ),
):
    paper.statement(_name, _title, scope=correction_of(_name) or EXPLICIT, label="Section 4.4.4.2")(
        partial(_mechanism, _orientation)
    )


@paper.statement(
    "table-4.1",
    "Spain over the: 0.300/0.027 of the table and 11.3 of Figure 4.13 agree within rounding",
    scope=part("one ratio of the table and of Figure 4.13, within rounding"),
)
def table_4_1() -> Statement:
    the, spain = symbols("the Spain")
    return Statement(
        variables={the: FiniteSet(Rational("0.0265"))},
        then=Exists(
            spain,
            Interval(Rational("0.2995"), Rational("0.3005")),
            And(spain >= Rational("11.25") * the, spain <= Rational("11.35") * the),
        ),
    )


TRANSFORMER = "the two-layer transformer with d = 256, T = 256 and a character corpus"
PRETRAINED = "pretrained language models"
for _name, _title, _what in (
    ("figure-4.8", "Query-key logits are large only at the triggers", TRANSFORMER),
    ("figure-4.9", "Dropping either of two nonlinear feed-forward layers", TRANSFORMER),
    ("figure-4.10", "Dropping a nonlinear first or a linear second feed-forward layer", TRANSFORMER),
    ("figure-4.11", "Dropping a linear first or a nonlinear second feed-forward layer", TRANSFORMER),
    ("figure-4.12", "Truncating the first value matrix without feed-forward layers", TRANSFORMER),
    ("figure-4.14", "Bigram loss against the allocation of parameters", TRANSFORMER),
    ("figure-c.5", "Dropping the last feed-forward layer in the synthetic identification task", TRANSFORMER),
    ("figure-c.6", "Truncating it in models trained with Adam", TRANSFORMER),
    ("figure-4.13", "Ratios of the right answer over a generic word along training", PRETRAINED),
    ("table-4.2", "Accuracies on grade-school problems", PRETRAINED),
    ("figure-c.1", "Rank of a generic word after prepositions", PRETRAINED),
    ("figure-c.2", "Predictions on the identification task", PRETRAINED),
    ("figure-c.3", "Predictions on more factual queries", PRETRAINED),
    ("figure-c.4", "Predictions against the preserved rank", PRETRAINED),
):
    paper.unstated(_name, _title, missing=_what)
