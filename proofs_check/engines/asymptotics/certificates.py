"""What a series proof rests on, as plain data: every obligation with the certificate of the prover that showed it."""

from __future__ import annotations

from typing import Any

from proofs_check.engines.asymptotics.near_zero import Setting
from theory.trees import encode


def certificate(setting: Setting) -> dict[str, Any]:
    """The obligations of a finished argument."""
    return {
        "kind": "series",
        "obligations": [
            {
                "condition": encode(item["condition"]),
                "given": [encode(part) for part in item["goal"].hypotheses],
                "engine": item["verdict"].engine,
                "certificate": item["verdict"].certificate,
            }
            for item in setting.obligations
        ],
    }
