"""Every statement of this paper that is decided has a twin, changed a little, that comes out differently."""

from __future__ import annotations

import pytest
from twins import chosen, differs

from proofs_check.verdict import Outcome


@pytest.mark.parametrize("id_", chosen("edge_of_stability", every=8, proof_steps=30))
@pytest.mark.sampled(4)
def test_a_twin_comes_out_differently(id_: str) -> None:
    verdict, tried = differs(id_)
    others = set(tried.values()) - {str(verdict.outcome)}
    if not verdict.decided and not others:
        pytest.skip(f"{id_} is {verdict.outcome} with a quick effort: there is no verdict for a twin to differ from")
    assert others, f"{id_} is {verdict.outcome}, and so are {', '.join(tried)}"
    if verdict.outcome is Outcome.PROVED:
        assert tried.get("negated") != "proved"
