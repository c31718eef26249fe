"""Everything that a program reads with --json follows the schema in the package, errors included."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from proofs_check.run.cli import main

jsonschema = pytest.importorskip("jsonschema", reason="comes with the extra `test`")
SCHEMA = json.loads((files("proofs_check.run") / "schema.json").read_text(encoding="utf-8"))
ID = "edge_of_stability/corollary-2"


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "edge_of_stability"],
        ["verify", f"{ID}*", "--effort", "quick"],
        ["verify", "edge_of_stability/proposition-2", "--effort", "quick"],
        ["replay", ID, "--effort", "quick"],
        ["doctor"],
        ["report", ID, "--effort", "quick", "-o", "site"],
        ["verify", "no/such"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_output_follows_the_schema(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main([*arguments, "--json"])
    jsonschema.validate(json.loads(capsys.readouterr().out), SCHEMA)


def test_the_schema_refuses_what_is_no_answer() -> None:
    for wrong in ({}, {"schema": 2, "version": "1"}, {"schema": 2, "version": "1", "verdicts": [{"outcome": "true"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)
