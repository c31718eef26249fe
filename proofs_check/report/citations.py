"""BibTeX of what a verdict rests on: the paper, and the software behind the engine."""

from __future__ import annotations

from proofs_check.budget import ROUNDS
from proofs_check.coq import confirm
from proofs_check.engines import ENGINES, card, engine
from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.verdict import Verdict
from theory.library import find, paper_of, premised
from theory.trees import content_hash

SOFTWARE = {
    "sympy": """@article{sympy, title={SymPy: symbolic computing in Python}, author={Meurer, Aaron and others},
  journal={PeerJ Computer Science}, volume={3}, pages={e103}, year={2017}}""",
    "flint": """@manual{flint, title={FLINT: Fast Library for Number Theory}, author={{The FLINT team}}, year={2024},
  note={includes Arb, https://flintlib.org}}""",
    "arb": """@article{arb, title={Arb: efficient arbitrary-precision midpoint-radius interval arithmetic},
  author={Johansson, Fredrik}, journal={IEEE Transactions on Computers}, volume={66}, number={8}, pages={1281--1292},
  year={2017}}""",
    "z3": """@inproceedings{z3, title={Z3: an efficient SMT solver},
  author={de Moura, Leonardo and Bj{\\o}rner, Nikolaj},
  booktitle={TACAS}, pages={337--340}, year={2008}}""",
    "cvc5": """@inproceedings{cvc5, title={cvc5: a versatile and industrial-strength SMT solver},
  author={Barbosa, Haniel and others}, booktitle={TACAS}, pages={415--442}, year={2022}}""",
    "clarabel": """@misc{clarabel,
  title={Clarabel: an interior-point solver for conic programs with quadratic objectives},
  author={Goulart, Paul J. and Chen, Yuwen}, year={2024}, note={arXiv:2405.12762}}""",
    "hypothesis": """@article{hypothesis, title={Hypothesis: a new approach to property-based testing},
  author={MacIver, David and Hatfield-Dodds, Zac}, journal={Journal of Open Source Software}, volume={4}, number={43},
  pages={1891}, year={2019}}""",
    "numba": """@inproceedings{numba, title={Numba: a LLVM-based Python JIT compiler},
  author={Lam, Siu Kwan and Pitrou, Antoine and Seibert, Stanley}, booktitle={LLVM-HPC}, year={2015}}""",
    "coq": """@manual{coq, title={The Coq proof assistant: reference manual}, author={{The Coq development team}},
  year={2024}, note={https://coq.inria.fr}}""",
}


RESTS_ON = {name: card(name).RESTS_ON for name in ENGINES} | {confirm.NAME: confirm.RESTS_ON}
"""The software behind each engine."""


def citations(id_: str) -> list[str]:
    """BibTeX entries for the source of a statement and for the engines that have answered about it.

    Before a statement is verified, or where there is none, only its source and SymPy, which derives it, are named.
    """
    entry = find(id_)[0]
    engines = _engines_that_answered(content_hash(premised(entry.id))) if entry.is_stated else []
    software = dict.fromkeys(["sympy", *(part for name in engines for part in RESTS_ON[name])])
    source = paper_of(entry.id).bibtex
    return [*([source] if source else []), *(SOFTWARE[name] for name in software)]


def _engines_that_answered(content: str) -> list[str]:
    def answered(ledger: Ledger, name: str, version: int) -> bool:
        answers = (ledger.recall(key_of(content, name, version, effort)) for effort in ROUNDS)
        return any(isinstance(answer[0], Verdict) for answer in answers if answer is not None)

    versions = {name: engine(name).VERSION for name in ENGINES} | {confirm.NAME: confirm.VERSION}
    with Ledger() as ledger:
        return [name for name, version in versions.items() if answered(ledger, name, version)]
