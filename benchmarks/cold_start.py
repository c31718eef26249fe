"""A process of its own: how long until a known model computes, and what a model never seen before costs then.

python benchmarks/cold_start.py SIZE prints both in seconds of processor time, which a busy machine does not change.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    d = int(sys.argv[1])
    from flows import compile_seconds, first_result

    first_result(d)
    start = time.process_time()  # counted from the start of the process
    print(json.dumps({"start_seconds": start, "compile_seconds": compile_seconds(d)}))


if __name__ == "__main__":
    main()
