#include "spec/block_shared.h"

#include <math.h>

/* Fitted to "clusters", "mirrors in clusters" and "cut runs" in docs/experiments. */
static const struct {
    double doubling;    /* what an exchange between blocks adds for every doubling of them, */
    double threads;     /* ... and of their threads above a few; */
    double few_threads;
    double lone;        /* ... and how many times longer it takes with no block beside it, */
    double sent;        /* ... what each halving of the run that is sent adds to that */
    double long_run;    /* below so many elements, */
    double ragged;      /* ... and how many times longer with runs in parts of sectors. */
    double rows;        /* Where rows go with their mirrors, how many times longer that makes it, */
    double lone_rows;   /* ... and having no block beside it. With mirrors, */
    double ragged_mirrors;  /* ... how many times longer with runs in parts of sectors, */
    double sent_mirrors;    /* ... what each halving of the run that is sent adds, */
    double sent_short;      /* ... and what more below a transaction, */
    double written_mirrors; /* ... and each of the run that is written */
    double long_written;    /* below so many bytes */
} constants = {
    .doubling = 0.055,
    .threads = 0.03,
    .few_threads = 256,
    .lone = 1.1,
    .sent = 0.08,
    .long_run = 128,
    .ragged = 1.25,
    .rows = 1.06,
    .lone_rows = 1.05,
    .ragged_mirrors = 1.15,
    .sent_mirrors = 0.04,
    .sent_short = 0.3,
    .written_mirrors = 0.08,
    .long_written = 256,
};

int64_t block_shared_run(const struct pass *pass, bool out)
{
    const enum plan_mirrors mirrors = out ? PLAN_ROW_MIRRORS : PLAN_COLUMN_MIRRORS;
    return pass_cluster_run(pass, out) / (pass_cluster_mirrors(pass) == mirrors ? 2 : 1);
}

static double doublings(double x, double from)
{
    return x > from ? log2(x / from) : 0;
}

/* Whether runs of a line that the blocks read or write begin within a sector. */
static bool is_ragged(const struct pass *pass, int element_bytes, const struct limits *limits)
{
    const int64_t runs = block_shared_run(pass, false) | block_shared_run(pass, true);
    return runs * element_bytes % (limits->coalescing_bytes / 4) != 0;
}

/* How many times longer short runs make it. */
static double short_runs(const struct pass *pass, int element_bytes, const struct limits *limits)
{
    const double run = (double)block_shared_run(pass, false);
    const double sent = doublings(constants.long_run, run);
    if (pass_cluster_mirrors(pass) == PLAN_NO_MIRRORS) return 1 + constants.sent * sent;
    const double part = doublings((double)limits->coalescing_bytes, run * element_bytes);
    const double written = (double)(block_shared_run(pass, true) * element_bytes);
    return (1 + constants.sent_mirrors * sent + constants.sent_short * part) *
           (1 + constants.written_mirrors * doublings(constants.long_written, written));
}

double block_shared_slowness(const struct block_tile *tile, const struct pass *pass,
                             int element_bytes, const struct limits *limits)
{
    const enum plan_mirrors mirrors = pass_cluster_mirrors(pass);
    const bool rows = mirrors == PLAN_ROW_MIRRORS, any = mirrors != PLAN_NO_MIRRORS;
    double slow = 1 + constants.doubling * log2(pass->cluster) +
                  constants.threads * doublings(tile->threads, constants.few_threads);
    slow *= short_runs(pass, element_bytes, limits);
    if (rows && !tile->priced) slow *= constants.rows;
    if (tile->resident == 1) slow *= rows ? constants.lone_rows : constants.lone;
    if (is_ragged(pass, element_bytes, limits))
        slow *= any ? constants.ragged_mirrors : constants.ragged;
    return slow;
}
