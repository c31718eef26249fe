"""A finished verdict is remembered under all sources of the packages, so that changed code decides anew."""

from __future__ import annotations

from proofs_check.evidence.fingerprint import HOME, sources


def test_the_sources_of_every_package_are_read() -> None:
    found = {path.relative_to(HOME).as_posix() for path in sources()}
    assert found >= {"theory/statements.py", "numerics/robustness.py", "proofs_check/kernel/theorem.py"}
