"""Letters and domains that the chapters share."""

from sympy import Interval, Rational, oo, symbols

from theory.dynamics import matrix, vector

x, y, u, v, w, s, t, h, k, p, q = symbols("x y u v w s t h k p q")
x0, y0, u0, v0, w0 = symbols("x_0 y_0 u_0 v_0 w_0")
a, b, c, d, m, n = symbols("a b c d m n")
eta, beta, mu, lam, L, r = symbols("eta beta mu lambda L r")

X, Y, Z, X0 = vector("x"), vector("y"), vector("z"), vector("x0")
A = matrix("A", d, d)

POSITIVE = Interval.open(0, oo)
NONNEGATIVE = Interval(0, oo)
BELOW_ONE = Interval.Ropen(0, 1)
UNIT = Interval.open(0, 1)
HALF = Rational(1, 2)
