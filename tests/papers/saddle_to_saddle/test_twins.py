"""Every statement of this paper has a twin, changed a little, that comes out differently."""

from __future__ import annotations

import pytest
from twins import assert_a_twin_differs, chosen


@pytest.mark.parametrize("id_", chosen("saddle_to_saddle", every=10, proof_steps=20))
@pytest.mark.sampled(4)
def test_a_twin_comes_out_differently(id_: str) -> None:
    assert_a_twin_differs(id_)
