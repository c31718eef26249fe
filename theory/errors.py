"""The one exception a user is meant to read."""

from __future__ import annotations


class LemmascopeError(Exception):
    """Bad input or a failed run, said in one sentence that tells what to do.

    >>> raise LemmascopeError("symbol z has no domain: add it to variables=")
    Traceback (most recent call last):
    theory.errors.LemmascopeError: symbol z has no domain: add it to variables=
    """
