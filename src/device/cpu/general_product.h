/* Products with the caller's spectrum (PASS_SPECTRUM): a part of general_template.h. */

/* `count` neighbours of two planes times as many of the spectrum's pairs, or their conjugates. */
static void multiply_run(REAL *restrict re, REAL *restrict im, const REAL *restrict factor,
                         REAL sign, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const REAL x = re[i], y = im[i], a = factor[2 * i], b = sign * factor[2 * i + 1];
        re[i] = x * a - y * b;
        im[i] = x * b + y * a;
    }
}

/* `count` neighbours from one side to the other; the two may be one. */
static void copy_run(const struct side *from, int64_t from_at, const struct side *to,
                     int64_t to_at, int64_t count)
{
    if (from->re + from_at == to->re + to_at) return;
    memcpy(to->re + to_at, from->re + from_at, (size_t)count * sizeof *to->re);
    memcpy(to->im + to_at, from->im + from_at, (size_t)count * sizeof *to->im);
}

static struct complex spectrum_at(const struct pass *pass, const REAL *spectrum, int64_t index)
{
    const int64_t n = pass->spectrum_half_n, k = n > 0 ? index % n : 0;
    const bool beyond = k > n / 2;
    const int64_t at = n > 0 ? index / n * (n / 2 + 1) + (beyond ? n - k : k) : index;
    const REAL im = spectrum[2 * at + 1];
    return (struct complex){spectrum[2 * at], beyond != pass->spectrum_conjugate ? -im : im};
}

static inline struct complex product_of(struct complex x, struct complex y)
{
    return (struct complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Elements `first` to `end` of all columns. */
static void multiply_elements(const struct cpu_operation *op, const struct cpu_tile *tile,
                              const struct side *from, const struct side *to, int64_t first,
                              int64_t end)
{
    const struct pass *pass = tile->kernel->pass;
    const struct pass_map *map = &pass->spectrum_map;
    int64_t start = 0;
    for (int l = 0; l < pass->loops; l++) start += map->loop[l] * tile->counter[l];
    for (int64_t e = first; e < end; e++) {
        for (int64_t c = 0; c < op->columns; c++) {
            const int64_t index = start + map->line * e + map->loop[0] * c;
            write_side(to, e, c, product_of(read_side(from, e, c),
                                            spectrum_at(pass, tile->spectrum, index)));
        }
    }
}

/* How many elements of the lines, from the first on, are done as runs: where the lines, or the
 * columns, are neighbours in both ends and in the spectrum. */
static int64_t multiply_runs(const struct cpu_operation *op, const struct cpu_tile *tile,
                             const struct side *from, const struct side *to)
{
    const struct pass *pass = tile->kernel->pass;
    const struct pass_map *map = &pass->spectrum_map;
    const REAL *factor = tile->spectrum, sign = pass->spectrum_conjugate ? -1 : 1;
    const bool lines = map->line == 1 && from->line == 1 && to->line == 1;
    const bool columns = map->loop[0] == 1 && from->column == 1 && to->column == 1;
    int64_t start = 0, count = op->length;
    for (int l = 0; l < pass->loops; l++) start += map->loop[l] * tile->counter[l];
    if (lines && op->columns == 1) {
        const int64_t n = pass->spectrum_half_n;
        if (n) {
            count = n / 2 + 1;
            start = start / n * count;
        }
        copy_run(from, 0, to, 0, count);
        multiply_run(to->re, to->im, factor + 2 * start, sign, count);
        return count;
    }
    if (!columns || pass->spectrum_half_n) return 0;
    for (int64_t e = 0; e < count; e++) {
        copy_run(from, e * from->line, to, e * to->line, op->columns);
        multiply_run(to->re + e * to->line, to->im + e * to->line,
                     factor + 2 * (start + map->line * e), sign, op->columns);
    }
    return count;
}

static void multiply_lines(const struct cpu_operation *op, const struct cpu_tile *tile,
                           const struct side *from, const struct side *to)
{
    const int64_t done = multiply_runs(op, tile, from, to);
    multiply_elements(op, tile, from, to, done, op->length);
}

static void product(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side at = tile_side(op, tile, op->from);
    multiply_lines(op, tile, &at, &at);
}
