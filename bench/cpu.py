"""Measures the CPU beside other libraries and writes what it finds into the documents.

usage: python3 bench/cpu.py [--build BUILD] [--pages] [STAGE ...]

Stages, by default all, in this order; each leaves BUILD/bench/STAGE.jsonl, and afterwards all that
are there are put between the marks of docs/performance.md and README.md (--pages: nothing but that):
    c2c      the sizes of `weft bench` beside the rivals, with the picture docs/pictures/cpu_c2c.svg
    r2c      reals of common lengths and images beside FFTW
    table    the one-thread rows of TABLE, a file for `weft bench --table`, if that is set
    reals    R2C over C2C and DCTs over those, lengths and images in and out of the caches
    odd      the same of odd lengths and of such with a large prime
    awkward  lengths with a large prime over the fastest smooth length near by
    threads  one and two threads in turns
    planning how long plans take, lengths, primes and images
    tuned    the times of plans by the model over those of the fastest that `weft tune` finds
Variables: RIVALS (default fftw,mkl,kissfft, as far as they are there: fftw and kissfft as Debian has
them, MKL by `pip install mkl`, with WEFT_MKL for the file libmkl_rt.so), TABLE.
Best on a machine that does nothing else: some 35 minutes.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import cpu_pages
from arithmetic import largest_prime

REALS = "256,4096,65536,262144,524288,1048576,4194304,512x512,1000x1000,64x64x64"
ODD_REALS = "125,3125,59049,531441,509,1009,2018,10007,20014,100003,1009@100,10007@16,64x1009,1009x64"
R2C = ("2..10,12,15,16,20,25,27,32,49,64,100,125,128,243,256,360,512,625,1000,1009,1024,2048,4096,8192,"
       "10000,16384,65536,131072,262144,1048576,512x512,1000x1000,64x64x64")
THREADS = "512x512,1024x1024,64x64x64,1024@1024,1048576,4194304"
ROUNDS_OF_THREADS = 5
PLANNED = ("64,1000,1009,4093,4096,10007,65521,65536,131071,524288,999983,1000000,1048576,512x512,1000x1000,"
           "64x64x64")
ROUNDS_OF_PLANS = 3
ROUNDS_OF_KINDS = 3
ROUNDS_OF_LENGTHS = 3
ROUNDS_OF_TUNING = 3
TUNED = ("16,100,256,509,1000,1009,1024,1920,3000,4093,4096,5000,6561,8192,10000,10007,16384,30030,44100,"
         "59049,65521,65536,65537,78125,100000,131072,196608,262144,500000,524288,1000000,1048576,"
         "1024@64,4096@16,1000@100,64x64,512x512,1000x1000,77x1009,1024x1024,64x64x64,100x100x100")
TUNED_REALS = "100,1000,1024,4096,10000,16384,65536,100000,262144,1048576,1024@64,512x512,1000x1000,64x64x64"


class Bench:
    """`weft bench` of one build; plans are by the model alone, nothing is kept."""

    def __init__(self, build):
        self.program = str(build / "weft")
        self.environment = dict(os.environ, WEFT_CACHE_DIR="")

    def run(self, *arguments):
        return self.cases("bench", *arguments)

    def tune(self, *arguments):
        return self.cases("tune", *arguments)

    def cases(self, *arguments):
        command = [self.program, *arguments, "--device", "cpu", "--json"]
        done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: status {done.returncode}")
        cases = map(json.loads, done.stdout.splitlines())
        return [case for case in cases if "dims" in case]

    def has(self, rival):
        command = [self.program, "bench", "--device", "cpu", "--vs", rival, "-p", "f32", "16"]
        return subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL).returncode == 0


def rivals(bench):
    names = os.environ.get("RIVALS", "fftw,mkl,kissfft").split(",")
    return ",".join(filter(bench.has, names)) or "none"


def next_prime(n, step):
    while largest_prime(n) != n:
        n += step
    return n


def awkward_lengths():
    """62 below a million: primes about powers of two and of ten, and twice such primes."""
    beside = [next_prime(2**k + step, step) for k in range(7, 20) for step in (-1, 1)]
    decades = [next_prime(m * 10**k + 1, 1) for k in range(2, 6) for m in (1, 2, 3, 5, 7)]
    doubled = [2 * p for p in decades[:15]] + [2 * beside[-1]]
    return sorted(set(beside + decades + doubled))


def smooth_neighbours(n, most=4):
    """Of the lengths within 5 % those of no prime above 7 that two divides most often."""
    near = [m for m in range(n - n // 20, n + n // 20 + 1) if largest_prime(m) <= 7]
    return sorted(near, key=lambda m: -(m & -m))[:most]


def measure_c2c(bench):
    picture = "docs/pictures/cpu_c2c.svg"
    return bench.run("--vs", rivals(bench), "--plot", picture)


def measure_r2c(bench):
    return bench.run("--vs", "fftw" if bench.has("fftw") else "none", "--kind", "r2c", R2C)


def plans_for_minutes(dims):
    """Whether FFTW_MEASURE does, as for long primes."""
    numbers = list(map(int, dims.split("x")))
    return math.prod(numbers) > 2**22 or largest_prime(numbers[0]) > 10**5


def measure_table(bench):
    table = os.environ.get("TABLE")
    if not table:
        return []
    rows = [line.split("\t") for line in open(table) if not line.startswith("#")][1:]
    sizes = dict.fromkeys(dims for _, _, dims, *_ in rows if not plans_for_minutes(dims))
    return bench.run("--table", table, "--threads", "1", "--kind", "c2c,r2c,dct2", ",".join(sizes))


def measure_kinds(bench, sizes):
    """All kinds of a size after one another, and again: the machine is not the same a minute later."""
    return [dict(case, round=turn) for dims in sizes.split(",") for turn in range(ROUNDS_OF_KINDS)
            for case in bench.run("--vs", "none", "--kind", "c2c,r2c,c2r,dct2,dct3", dims)]


def measure_reals(bench):
    return measure_kinds(bench, REALS)


def measure_odd(bench):
    return measure_kinds(bench, ODD_REALS)


def measure_awkward(bench):
    lengths = awkward_lengths()
    every = ",".join(map(str, sorted(set(lengths).union(*map(smooth_neighbours, lengths)))))
    return [dict(case, awkward=case["dims"][0] in lengths, round=turn)
            for turn in range(ROUNDS_OF_LENGTHS) for case in bench.run("--vs", "none", every)]


def measure_threads(bench):
    return [dict(case, round=turn) for turn in range(ROUNDS_OF_THREADS) for threads in ("1", "2")
            for case in bench.run("--vs", "none", "--threads", threads, THREADS)]


def measure_planning(bench):
    return [case for _ in range(ROUNDS_OF_PLANS)
            for case in bench.run("--vs", "none", "--kind", "c2c,r2c,dct1,dct2,dct4", PLANNED)]


def measure_tuned(bench):
    return [case for _ in range(ROUNDS_OF_TUNING) for kind in ("c2c", "r2c", "dct2")
            for case in bench.tune("--kind", kind, "-p", "both", TUNED if kind == "c2c" else TUNED_REALS)]


STAGES = {"c2c": measure_c2c, "r2c": measure_r2c, "table": measure_table, "reals": measure_reals,
          "odd": measure_odd, "awkward": measure_awkward, "threads": measure_threads,
          "planning": measure_planning, "tuned": measure_tuned}


def main():
    parser = argparse.ArgumentParser(description="The CPU beside other libraries.")
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--pages", action="store_true", help="measure nothing")
    parser.add_argument("stage", nargs="*", help=" ".join(STAGES))
    chosen = parser.parse_args()
    unknown = [name for name in chosen.stage if name not in STAGES]
    if unknown:
        parser.error(f"{unknown[0]}: a stage is one of {', '.join(STAGES)}")
    results = chosen.build / "bench"
    results.mkdir(exist_ok=True)
    bench = Bench(chosen.build)
    for name in [] if chosen.pages else chosen.stage or STAGES:
        cases = STAGES[name](bench)
        lines = "".join(json.dumps(case) + "\n" for case in cases)
        (results / f"{name}.jsonl").write_text(lines)
        print(f"{name}: {len(cases)} cases", flush=True)
    cpu_pages.write(results)


main()
