"""Simulate seeds: `python -m tests.simulation --seeds 10000 --from 0`, or one with `--seed 7`."""

import argparse
import logging
import os
import sys
import time
from collections import Counter


def main() -> int:
    """Return 1 if a seed fails."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets depends on it
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(
            sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]], environment
        )
    from tests.simulation.scenario import simulate

    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=50, help="how many")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of them")
    parser.add_argument("--seed", type=int, help="replay one, twice, and compare its traces")
    parser.add_argument("--most", type=int, default=5, help="end after so many failing seeds")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if given.seed is not None:
        first, second = simulate(given.seed), simulate(given.seed)
        print(f"seed {first.seed}: trace {first.trace}\nagain: trace {second.trace}\n{first.plan}")
        print(first.fault or "no fault")
        return int(bool(first.fault) or first.trace != second.trace)
    began, failed, counts = time.process_time(), 0, Counter[str]()
    for seed in range(given.first, given.first + given.seeds):
        outcome = simulate(seed)
        counts += outcome.counts
        if seed == given.first:
            print(f"seed {seed}: trace {outcome.trace}")
        if outcome.fault:
            failed += 1
            print(f"seed {seed} fails: {outcome.fault}")
            print(f"  replay: python -m tests.simulation --seed {seed}", flush=True)
            if failed == given.most:
                break
    spent = time.process_time() - began
    print(f"{seed + 1 - given.first} seeds, {failed} failed, {spent:.0f} s CPU")
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
