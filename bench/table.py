"""A short table from the JSON lines of `weft bench`, and geometric means by class of sizes.

usage: python3 bench/table.py BENCH.jsonl [OTHER.jsonl]

With OTHER, the same cases on another device: how many times faster than there, of those sizes that
48 KB hold.
"""

import json
import math
import sys

from arithmetic import largest_prime, mean


def classify(case):
    dims = case["dims"]
    if len(dims) > 1:
        return f"{len(dims)}-D"
    n = dims[0]
    if n & (n - 1) == 0:
        return "2^1..2^13" if n <= 8192 else "2^14.."
    prime = largest_prime(n)
    return "factors to 13" if prime <= 13 else "prime" if prime == n else "multiple of a prime"


def milliseconds(seconds):
    return "-" if seconds is None else f"{1e3 * seconds:.4g}"


def percent(fraction):
    return "-" if fraction is None else f"{100 * fraction:.0f}%"


def ratio(number):
    return "-" if number is None else f"{number:.2f}"


def rivals_of(cases):
    return list(dict.fromkeys(rival["name"] for case in cases for rival in case["rivals"]))


def ratio_to(case, name):
    return next((r["ratio"] for r in case["rivals"] if r["name"] == name), None)


def row(case, rivals):
    dims = "x".join(map(str, case["dims"]))
    cells = [case["kind"], dims, str(case["batch"]), case["precision"],
             milliseconds(case["seconds"]), percent(case["fraction_of_bound"])]
    for name in rivals:
        seconds = next((r["seconds"] for r in case["rivals"] if r["name"] == name), None)
        cells += [milliseconds(seconds), ratio(ratio_to(case, name))]
    cells += [milliseconds(case[f"{when}plan_seconds"]) for when in ("first_", "disk_", "")]
    return cells + [f"{case['scratch_bytes'] / 1e6:.0f}"]


def heading(rivals):
    cells = ["kind", "size", "batch", "prec", "ms", "bound"]
    for name in rivals:
        cells += [name, "ratio"]
    return cells + ["plan ms", "disk", "again", "MB"]


def grouped(cases, name):
    groups = {}
    for case in cases:
        groups.setdefault(name(case), []).append(case)
    return groups.items()


def print_means(cases):
    for name, members in grouped(cases, lambda c: f"{c['kind']} {c['precision']} {classify(c)}"):
        line = f"{name}: {len(members)} sizes,"
        line += f" {percent(mean([c['fraction_of_bound'] for c in members]))} of the bound"
        for rival in rivals_of(members):
            ratios = [ratio_to(c, rival) for c in members if ratio_to(c, rival)]
            worst = ratio(min(ratios)) if ratios else "-"
            line += f", {ratio(mean(ratios))} x {rival} (worst {worst})"
        print(line)


def points(case):
    return math.prod(case["dims"]) * case["batch"]


def print_beside_complex(cases):
    """Times of the other kinds over those of C2C, point by point."""
    def place(case):
        return tuple(case["dims"]), case["precision"]

    a_point = {place(c): c["seconds"] / points(c) for c in cases if c["kind"] == "c2c"}
    others = [c for c in cases if c["kind"] != "c2c" and place(c) in a_point]
    for name, members in grouped(others, lambda c: f"{c['kind']} {c['precision']} {classify(c)}"):
        times = [c["seconds"] / points(c) / a_point[place(c)] for c in members]
        print(f"{name}: {ratio(mean(times))} of the time of C2C (worst {ratio(max(times))})")


def key(case):
    return (case["kind"], tuple(case["dims"]), case["batch"], case["precision"])


def print_beside(cases, others):
    seconds = {key(case): case["seconds"] for case in others}
    for precision, bytes_each in (("f32", 8), ("f64", 16)):
        fitting = [case for case in cases if case["precision"] == precision and key(case) in seconds
                   and math.prod(case["dims"]) * bytes_each <= 48 * 1024]
        ratios = [seconds[key(case)] / case["seconds"] for case in fitting]
        if ratios:
            print(f"{precision}: {len(ratios)} sizes that 48 KB hold, {ratio(mean(ratios))} x the"
                  f" other device (worst {ratio(min(ratios))})")


def read(path):
    with open(path) as lines:
        return [case for case in map(json.loads, lines) if case and "dims" in case]


def main():
    cases = read(sys.argv[1])
    if not cases:
        return
    rivals = rivals_of(cases)
    rows = [heading(rivals)] + [row(case, rivals) for case in cases]
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    for cells in rows:
        print(" ".join(cell.rjust(width) for cell, width in zip(cells, widths)))
    print_means(cases)
    print_beside_complex(cases)
    if len(sys.argv) > 2:
        print_beside(cases, read(sys.argv[2]))


main()
