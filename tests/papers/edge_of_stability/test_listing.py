"""Every numbered item of the chapter and every displayed group of its proofs is in the library, and can be built."""

import re

import pytest

from theory.edge_of_stability import paper
from theory.trees import content_hash

NUMBERED = """
definition-1 definition-2 definition-3 definition-4 definition-5 theorem-3.1 lemma-3.2 proposition-1 proposition-2
corollary-1 corollary-2 corollary-3 corollary-4 corollary-5 corollary-6 corollary-7 corollary-8 claim-3.4.softplus
claim-3.4.gaussian theorem-3.3 theorem-3.4 proposition-3 lemma-b.2 proposition-5 proposition-6 proposition-7
equation-3.5 theorem-3.5 proposition-4 remark-3 theorem-b.3 observation-1 observation-2 observation-3 observation-4
observation-5 equation-3.8 equation-3.10 equation-3.11 equation-3.12 equation-3.16 lemma-b.11 remark-1 remark-2
remark-4 remark-5 remark-6 remark-7 figure-3.2 figure-3.3 figure-3.4 figure-3.5 figure-3.6 figure-3.7 figure-3.8
figure-b.1 figure-b.2 figure-b.3 figure-b.4 figure-b.5
""".split()

IDS = [entry.id for entry in paper.entries]


@pytest.mark.parametrize("number", NUMBERED)
def test_numbered_item_is_listed(number: str) -> None:
    assert any(re.fullmatch(rf"edge_of_stability/{re.escape(number)}(\..+)?", id_.split("#")[0]) for id_ in IDS)


def test_all_rows_of_the_interval_table_are_steps() -> None:
    rows = {id_ for id_ in IDS if re.search(r"theorem-3\.5#i\d+$", id_)}
    assert len(rows) == 31


def test_every_display_from_b6_to_b46_has_its_tag() -> None:
    printed = {equation for entry in paper.entries for equation in entry.source.equations}
    missing = [number for number in range(6, 47) if f"B.{number}" not in printed]
    assert missing == [27, 28, 29, 30], "only the bare update rules carry no claim of their own"


@pytest.mark.slow
def test_premises_are_earlier_steps_of_the_same_proof() -> None:
    for place, entry in enumerate(paper.entries):
        if "#" not in entry.id:
            continue
        proof = entry.id.split("#")[0]
        earlier = {id_.split("#")[1] for id_ in IDS[:place] if id_.startswith(f"{proof}#")}
        known = {id_.split("#")[1] for id_ in IDS if id_.startswith(f"{proof}#")}
        uses = set(entry.build().uses) if entry.build else set()
        assert uses <= known, entry.id
        assert uses <= earlier, f"{entry.id} uses a later step"


def test_all_statements_are_data() -> None:
    hashes = [content_hash(entry.statement()) for entry in paper.entries if entry.is_stated]
    assert len(hashes) > 400


def test_every_correction_stands_beside_what_it_corrects() -> None:
    corrected = [id_ for id_ in IDS if id_.endswith(".corrected")]
    assert len(corrected) > 30
    assert all(id_.removesuffix(".corrected") in IDS for id_ in corrected)
