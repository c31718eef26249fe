"""Every statement of this paper has a twin, changed a little, that comes out differently."""

from __future__ import annotations

import pytest
from twins import assert_a_twin_differs, chosen


@pytest.mark.parametrize("id_", chosen("swing_by", every=4, proof_steps=8))
@pytest.mark.sampled(10)
def test_a_twin_comes_out_differently(id_: str) -> None:
    assert_a_twin_differs(id_)
