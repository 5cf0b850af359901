"""What bench/cpu.py measured, as the tables of docs/performance.md and README.md."""

import json
import math
import re
import subprocess
from datetime import date
from pathlib import Path
from statistics import median

from arithmetic import mean

PRECISIONS = ("f32", "f64")
FROM_LONG = 2**19  # points from where a transform leaves every cache
LIMITS = {"r2c": 0.6, "dct2": 1.15}
BASES = {"r2c": "c2c", "c2r": "c2c", "dct2": "r2c", "dct3": "c2r"}
NAMES = {"c2c": "C2C", "r2c": "R2C", "c2r": "C2R", "dct1": "DCT-I", "dct2": "DCT-II",
         "dct3": "DCT-III", "dct4": "DCT-IV"}
LIBRARIES = {"fftw": "FFTW", "mkl": "MKL", "kissfft": "KISS FFT"}


def size(case):
    batch = f"@{case['batch']}" if case["batch"] > 1 else ""
    return "x".join(map(str, case["dims"])) + batch


def points(case):
    return math.prod(case["dims"]) * case["batch"]


def a_time(seconds):
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def ratio(case, name):
    return next((r["ratio"] for r in case["rivals"] if r["name"] == name and r["ratio"]), None)


def rivals_of(cases):
    return list(dict.fromkeys(r["name"] for case in cases for r in case["rivals"]))


def of_precision(cases, precision):
    return [case for case in cases if case["precision"] == precision]


def standing(ratios):
    """Mean and worst of pairs of a case and a ratio."""
    worst = min(ratios, key=lambda pair: pair[1])
    wins = sum(value >= 1 for _, value in ratios)
    return (f"{mean([value for _, value in ratios]):.2f}, {wins} of {len(ratios)} at 1 or above, "
            f"worst {worst[1]:.2f} ({size(worst[0])})")


def ratios_to(cases, name):
    return [(case, ratio(case, name)) for case in cases if ratio(case, name)]


# ---- tables ----

def aligned(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(" ".join(map(str.rjust, cells, widths)).rstrip() for cells in rows)


def marked(value, limit):
    text = f"{value:.2f}"
    return f"**{text}**" if limit is not None and round(value, 2) > limit else text


def marked_down(rows):
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def beside_rivals(cases):
    """Both precisions of a size in a row: weft's time, its fraction of the bound, ratios of all rivals."""
    names = rivals_of(cases)
    rows = [["size"] + [cell for p in PRECISIONS for cell in (p, "bound", *names)]]
    for label in dict.fromkeys(map(size, cases)):
        cells = [label]
        for p in PRECISIONS:
            case = next(c for c in of_precision(cases, p) if size(c) == label)
            cells += [a_time(case["seconds"]), f"{100 * case['fraction_of_bound']:.0f}%"]
            cells += [f"{ratio(case, n):.2f}" if ratio(case, n) else "-" for n in names]
        rows.append(cells)
    return f"```\n{aligned(rows)}\n{means_of(cases)}\n```"


def means_of(cases):
    lines = []
    for p in PRECISIONS:
        for name in rivals_of(cases):
            pairs = ratios_to(of_precision(cases, p), name)
            if not pairs:  # KISS FFT has no doubles
                continue
            line = f"{p}, {LIBRARIES[name]}: geometric mean {standing(pairs)}"
            long = [value for case, value in pairs if points(case) >= FROM_LONG]
            lines.append(line + (f"; 2^19 and above {mean(long):.2f}" if long else ""))
    return "\n".join(lines)


def c2c(cases):
    return ("### Complex\n\n"
            "A number under a library's name is its time over weft's: above 1 weft is faster. *bound*: of a\n"
            "copy of the same data. Asked of FFTW are means of 1.9 and 1.5, 2.5 from 2^19 on and no size\n"
            "below 0.95, of MKL 1.1.\n\n"
            f"![Rates over sizes](pictures/cpu_c2c.svg)\n\n{beside_rivals(cases)}")


def r2c(cases):
    return f"### Reals\n\nR2C, likewise; asked is a mean of 1.7 over a table's rows.\n\n{beside_rivals(cases)}"


def table(cases):
    rows = [["kind", "", "over FFTW", "over the best of the table"]]
    for kind in dict.fromkeys(case["kind"] for case in cases):
        for p in PRECISIONS:
            of = [c for c in cases if c["kind"] == kind and c["precision"] == p]
            best = [(c, c["table"]["standing"]) for c in of if c["table"] and c["table"]["standing"]]
            rows.append([NAMES[kind], p, standing(ratios_to(of, "fftw")), standing(best) if best else "-"])
    return ("### Libraries measured elsewhere\n\n"
            "The one-thread rows of a table (`weft bench --table`) of at most 2^22 points. Asked are 1.9 and\n"
            "1.5 of FFTW and 1.0 of the best for C2C, 1.7 for R2C and 2.0 for DCT-II.\n\n" + marked_down(rows))


def over_other_kinds(cases, limits):
    seconds = {(c["kind"], size(c), c["precision"], c["round"]): c["seconds"] for c in cases}
    rounds = {c["round"] for c in cases}
    labels = list(dict.fromkeys(map(size, cases)))
    rows = [[""] + [label.replace("x", " x ") for label in labels]]
    for kind, base in BASES.items():
        for p in PRECISIONS:
            values = [median(seconds[kind, label, p, r] / seconds[base, label, p, r] for r in rounds)
                      for label in labels]
            cells = [marked(value, limits.get(kind)) for value in values]
            rows.append([f"{NAMES[kind]} over {NAMES[base]}, {p}"] + cells)
    return marked_down(rows)


def reals(cases):
    return ("### Kinds of reals\n\n"
            "Times over those of another kind, all of a size after one another, the median of some rounds; asked is at\n"
            "most 0.6 of R2C where it leaves the caches, and 1.15 of DCT-II (of the others nothing); bold is above.\n\n"
            + over_other_kinds(cases, LIMITS))


def odd(cases):
    return ("### Reals of odd and awkward lengths\n\n"
            "Likewise; nothing is asked of them.\n\n" + over_other_kinds(cases, {}))


def over_smooth(cases):
    """By length: its time for each n log n over that of the fastest smooth one near by, likewise."""
    def cost(case):
        n = case["dims"][0]
        return case["seconds"] / (n * math.log(n))
    smooth = [c for c in cases if not c["awkward"]]
    over = {}
    for case in (c for c in cases if c["awkward"]):
        n = case["dims"][0]
        over[n] = cost(case) / min(cost(c) for c in smooth if abs(c["dims"][0] - n) <= n // 20)
    return over


def awkward(cases):
    lines = []
    for p in PRECISIONS:
        of = of_precision(cases, p)
        rounds = [over_smooth([c for c in of if c["round"] == r]) for r in {c["round"] for c in of}]
        over = {n: median(r[n] for r in rounds) for n in rounds[0]}
        most = sorted(over, key=over.get, reverse=True)[:6]
        above = sum(v > 5 for v in over.values())
        lines.append(f"{p} {mean(list(over.values())):.2f} in the mean, above 5 at {above} "
                     f"(most: {', '.join(f'{n} {over[n]:.1f}' for n in most)})")
    return (f"### Awkward lengths\n\n"
            f"{len(over)} lengths below 10^6 that are primes or twice one, next to powers of two and to tens: time per\n"
            "n log n over that of the fastest smooth length within 5 %, the median of some rounds; at\n"
            "most 5 is asked.\n\n- " + "\n- ".join(lines))


def threads(cases):
    rows = [[""] + list(dict.fromkeys(size(c).replace("x", " x ").replace("@", " @ ") for c in cases))]
    for p in PRECISIONS:
        cells = []
        for label in dict.fromkeys(map(size, cases)):
            of = [c for c in of_precision(cases, p) if size(c) == label]
            one, two = (median(c["seconds"] for c in of if c["threads"] == n) for n in (1, 2))
            limit = 1.5 if len(of[0]["dims"]) == 1 and of[0]["batch"] == 1 else 1.8
            value = f"{one / two:.2f}"
            cells.append(f"**{value}**" if one / two < limit else value)
        rows.append([p] + cells)
    return ("### Two threads\n\n"
            "The median of one thread's time over that of two, processes in turns. Asked are 1.8 in the caches\n"
            "and 1.5 of single lines; bold is below.\n\n" + marked_down(rows))


def planning(cases):
    labels = list(dict.fromkeys(map(size, cases)))
    rows = [[""] + labels]
    for kind in dict.fromkeys(case["kind"] for case in cases):
        for p in PRECISIONS:
            cells = []
            for label in labels:
                of = [c for c in of_precision(cases, p) if c["kind"] == kind and size(c) == label]
                seconds = median(c["first_plan_seconds"] for c in of)
                limit = 100e-6 if points(of[0]) <= 4096 else 2e-3
                cells.append(f"**{1e6 * seconds:.0f}**" if seconds > limit else f"{1e6 * seconds:.0f}")
            rows.append([f"{NAMES[kind]}, {p}"] + cells)
    return ("### Planning\n\n"
            "First plans of a process, microseconds. Asked are 100 to 4096 and 2000 to 2^20; bold is above.\n\n"
            + marked_down(rows))


def tuned(cases):
    rows = [["", "cases", "mean", "above 1.05", "most"]]
    for kind in dict.fromkeys(case["kind"] for case in cases):
        for p in PRECISIONS:
            of = [c for c in of_precision(cases, p) if c["kind"] == kind]
            ratios = {}
            for c in of:
                ratios.setdefault(size(c), []).append(c["estimate_seconds"] / c["tuned_seconds"])
            over = {label: median(rounds) for label, rounds in ratios.items()}
            most = sorted(over, key=over.get, reverse=True)[:4]
            rows.append([f"{NAMES[kind]}, {p}", str(len(over)), marked(mean(list(over.values())), 1.05),
                         str(sum(value > 1.05 for value in over.values())),
                         ", ".join(f"{label} {over[label]:.2f}" for label in most)])
    return ("### Estimates\n\n"
            "Times of plans by the model over those of the fastest plan that `weft tune` found, medians of several\n"
            "processes and geometric means of these; asked is at most 1.05, bold is above. What is found is the least of\n"
            "several times, so that noise counts against the model.\n\n"
            + marked_down(rows))


SECTIONS = {"c2c": c2c, "r2c": r2c, "table": table, "reals": reals, "odd": odd, "awkward": awkward,
            "threads": threads, "planning": planning, "tuned": tuned}


# ---- documents ----

def machine():
    """Hosts hide the model's number in its name, so family and model are said, too."""
    about = Path("/proc/cpuinfo").read_text()
    found = [re.search(rf"^{name}\s*: (.*)", about, re.MULTILINE) for name in ("model name", "cpu family", "model")]
    name = "{} (family {}, model {})".format(*(m.group(1) for m in found)) if all(found) else "a processor"
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True).stdout.strip()
    return f"{date.today()}, {name}, commit {commit}"


def replace(document, text):
    path = Path(document)
    begin, end = "<!-- make bench: begin -->\n", "<!-- make bench: end -->"
    before, rest = path.read_text().split(begin)
    path.write_text(before + begin + text + "\n" + end + rest.split(end)[1])


def summary(found):
    rows = [["kind", "precision", "over FFTW", "over MKL"]]
    for kind in ("c2c", "r2c"):
        for p in PRECISIONS:
            of = [ratios_to(of_precision(found.get(kind, []), p), name) for name in ("fftw", "mkl")]
            rows.append([NAMES[kind], p] + [standing(pairs) if pairs else "-" for pairs in of])
    return marked_down(rows)


def write(results):
    """Puts what is in the folder into the documents; stages that are not there are left out."""
    files = {name: results / f"{name}.jsonl" for name in SECTIONS}
    found = {name: list(map(json.loads, path.read_text().splitlines()))
             for name, path in files.items() if path.exists()}
    found = {name: cases for name, cases in found.items() if cases}
    sections = [SECTIONS[name](cases) for name, cases in found.items()]
    head = f"{machine()}; one thread unless said, warm, out of place.\n\n"
    replace("docs/performance.md", head + "\n\n".join(sections))
    replace("README.md", f"{machine()}, one thread, out of place, warm caches.\n\n{summary(found)}\n\n"
            "![Rates over sizes](docs/pictures/cpu_c2c.svg)")
