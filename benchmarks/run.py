"""Run the benchmarks: python benchmarks/run.py [NAMES] [--quick] [--json] [--list]."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from typing import Any

WORKLOADS = {
    "maps": "maps",
    "flows": "flows",
    "plateaus": "plateaus",
    "training": "training",
    "symbolic": "symbolic",
    "balls": "balls",
    "property-tests": "property_tests",
    "proofs": "proofs",
    "classes": "classes",
    "provers": "provers",
}


def table(results: list[dict[str, Any]]) -> str:
    lines = []
    for entry in results:
        lines.append(f"{entry['name']}  (compile {entry['compile_seconds']}, peak {entry['peak_memory']} MB)")
        for peer, ratio in entry["speedup_over"].items():
            floor = entry["target"].get(peer)
            shown = "peer missing" if ratio is None else f"{ratio:g} x"
            verdict = "" if floor is None else f"   floor {floor:g} x"
            if floor is not None and ratio is not None:
                verdict += "   met" if ratio >= floor else "   NOT MET"
            lines.append(f"    {peer:40s} {shown:>14s}{verdict}")
        lines += entry.get("lines", [])
        lines += [f"    {peer} was left out: {why}" for peer, why in entry["missing"].items()]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="workloads; all of them without names")
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--list", action="store_true", help="print the names of the workloads")
    chosen = parser.parse_args(arguments)
    if chosen.list:
        print("\n".join(WORKLOADS))
        return 0
    unknown = [name for name in chosen.names if name not in WORKLOADS]
    if unknown:
        print(f"There is no workload {unknown[0]}: choose from {', '.join(WORKLOADS)}.", file=sys.stderr)
        return 2
    results: list[dict[str, Any]] = []
    for name in chosen.names or WORKLOADS:
        results += importlib.import_module(WORKLOADS[name]).run(chosen.quick)
    print(json.dumps({"results": results}, indent=1) if chosen.json else table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
