#include "plan/cost_crowding.h"

#include <math.h>

#include "plan/tile.h"

/* Seconds of 8 bytes for each line of the cache that a butterfly reads there, beyond those that a
 * set has room for beside what is written: of a line by itself, and of a split's columns, whose
 * last step reads twiddles of all legs and writes scratch as well. */
#define WRITTEN         2
#define LONE_SECONDS    0.018e-9
#define COLUMNS_SECONDS 0.03e-9

/* Likewise that a step between others writes, of lines beside each other. */
#define WRITTEN_SECONDS 0.06e-9

/* Of 8 bytes of rows whose first legs have the same place in a page of the tile, and are more lines
 * than a set has ways. */
#define ROWS_SECONDS 0.15e-9

/* Legs so far apart that have the same place in a page. */
static double legs_together(int radix, int64_t apart)
{
    const int64_t power = apart & -apart;
    return (double)radix * (double)(power < COST_PAGE_BYTES ? power : COST_PAGE_BYTES) /
           COST_PAGE_BYTES;
}

/* Two vectors come to each line. Where a butterfly's legs, in two planes, are more lines of one set
 * than are left of its ways, which hold a page each, the second vector finds its line in the second
 * level again. */
static double lines_too_many(const struct cost_line *line, int radix, int64_t rows_apart,
                             int others)
{
    const struct cost_machine *machine = line->machine;
    const struct limits *limits = machine->limits;
    if (!limits_halve_lines(limits)) return 0;
    if (tile_bytes(limits, machine->precision, line->n) * line->columns <= limits->cache_bytes[0])
        return 0;
    const double ways = (double)limits->cache_bytes[0] / COST_PAGE_BYTES;
    const int64_t apart = rows_apart * line->columns * machine->element_bytes / 2;
    return fmax(0, 2 * legs_together(radix, apart) + others - ways);
}

static double moving(const struct cost_line *line, double seconds)
{
    return seconds * (double)line->n * line->machine->element_bytes / 8;
}

/* The first step reads where the caller's numbers lie. Lines beside each other are read by a row's
 * vectors one after the other. */
double cost_crowding(const struct cost_line *line, int radix, int64_t before)
{
    const int64_t n = line->n;
    if (before == 1) return 0;
    if (line->columns == 1)
        return moving(line, LONE_SECONDS * lines_too_many(line, radix, n / radix, WRITTEN));
    if (before * radix == n) return 0;
    return moving(line, WRITTEN_SECONDS * lines_too_many(line, radix, before, 0));
}

double cost_crowding_rows(const struct cost_machine *machine, int64_t n, int radix, int64_t columns)
{
    const struct cost_line line = {.machine = machine, .n = n, .columns = columns};
    const int64_t apart = n / radix * columns * machine->element_bytes / 2;
    const bool meets =
        apart % COST_PAGE_BYTES == 0 && lines_too_many(&line, radix, n / radix, 0) > 0;
    return meets ? moving(&line, ROWS_SECONDS) : 0;
}

double cost_crowding_columns(const struct cost_machine *machine, int64_t n, int radix,
                             int64_t columns)
{
    const struct cost_line line = {.machine = machine, .n = n, .columns = columns};
    return moving(&line, COLUMNS_SECONDS * lines_too_many(&line, radix, n / radix, WRITTEN));
}
