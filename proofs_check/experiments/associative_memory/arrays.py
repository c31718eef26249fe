"""What the experiments share: arrays and the softmax over outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def probabilities(logits: Array) -> Array:
    """The softmax over the last axis but one."""
    shares = np.exp(logits - logits.max(axis=-2, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-2, keepdims=True))
