"""Claims of existence: inverse functions, intermediate values, bounds and best points that depend on parameters."""

from __future__ import annotations

from sympy import Abs, And, Eq, Implies, Interval, Ne, cos, exp, log, sin, tanh

from corpus.textbook import NN, OPEN_UNIT, UNIT, P, R, a, b, both, false, true, x, y, z
from theory import Exists, ForAll

SIGNED_UNIT = Interval(-1, 1)

both("onto-cubic", Exists(y, R, Eq(y**3 + y, x)), Exists(y, P, Eq(y**3 + y, x)), {x: R})
both("onto-lambert", Exists(y, NN, Eq(y * exp(y), x)), Exists(y, Interval(0, 1), Eq(y * exp(y), x)), {x: NN})
both("onto-logarithm", Exists(y, R, Eq(exp(y), x)), Exists(y, NN, Eq(exp(y), x)), {x: P})
both("onto-logistic", Exists(y, R, Eq(1 / (1 + exp(-y)), x)), Exists(y, P, Eq(1 / (1 + exp(-y)), x)), {x: OPEN_UNIT})
both("onto-odds", Exists(y, P, Eq(y / (1 + y), x)), Exists(y, OPEN_UNIT, Eq(y / (1 + y), x)), {x: OPEN_UNIT})
both("onto-cosine", Exists(y, R, Eq(cos(y), x)), Exists(y, R, Eq(cos(y), 2 * x)), {x: SIGNED_UNIT})
both("a-larger-number", Exists(y, R, y > x**2), Exists(y, Interval(0, 5), y > x**2), {x: R})
both("linear-root", Exists(y, R, Eq(a * y + b, 0)), Exists(y, P, Eq(a * y + b, 0)), {a: P, b: R})
both("a-number-between", Exists(z, R, And(x < z, z < y)), Exists(z, R, And(x < z, z < y, z > 0)), {x: R, y: R}, x < y)
both(
    "a-lower-bound",
    Exists(y, R, ForAll(x, R, x**2 + a * x + y >= 0)),
    Exists(y, R, ForAll(x, R, x**2 + a * x + y <= 0)),
    {a: R},
)
both(
    "a-best-response",
    Exists(y, R, ForAll(x, R, a * x - x**2 <= a * y - y**2)),
    Exists(y, R, ForAll(x, R, a * x - x**2 >= a * y - y**2)),
    {a: R},
)
both(
    "continuity-of-a-line",
    Exists(y, P, ForAll(z, R, Implies(Abs(z - a) < y, Abs(2 * z - 2 * a) < x))),
    Exists(y, P, ForAll(z, R, Implies(Abs(z - a) < y, Abs(2 * z - 2 * a) > x))),
    {x: P, a: R},
)
true("a-real-root", Exists(y, R, Eq(y**2 + a * y + b, 0)), {a: R, b: R}, a**2 >= 4 * b)
false("a-real-root", Exists(y, R, Eq(y**2 + a * y + b, 0)), {a: R, b: R})
true("an-inverse", Exists(y, R, Eq(x * y, 1)), {x: R}, Ne(x, 0))
false("an-inverse", Exists(y, R, Eq(x * y, 1)), {x: R})
true("a-bounded-parabola", Exists(y, R, ForAll(x, R, x - x**2 <= y)), {})
false("a-bounded-line", Exists(y, R, ForAll(x, R, x <= y)), {})
false("a-least-exponential", Exists(y, R, ForAll(x, R, exp(y) <= exp(x))), {})
false("a-bounded-logarithm", Exists(y, R, ForAll(x, P, log(x) <= y)), {})
true("a-bounded-sine", Exists(y, R, ForAll(x, R, sin(x) <= y)), {})
true("onto-tanh", Exists(y, R, Eq(tanh(y), x)), {x: Interval.open(-1, 1)})
false("onto-tanh", Exists(y, R, Eq(tanh(y), x)), {x: SIGNED_UNIT})
both(
    "onto-hyperbolic-sine",
    Exists(y, R, Eq(exp(y) - exp(-y), x)),
    Exists(y, P, Eq(exp(y) - exp(-y), x)),
    {x: R},
)
both("two-fixed-angles", Exists(x, UNIT, Eq(a * cos(x), x)), Exists(x, UNIT, Eq(a + cos(x), x)), {a: UNIT})
