/* Products with the caller's spectrum (PASS_SPECTRUM): a part of general_template.h. */

/* What products are multiplied by, and the sign of the spectrum's imaginary parts. The spectrum
 * itself is not scaled: that could be beyond what a real holds where its products are not. */
struct product_weight {
    REAL scale, sign;
};

static struct product_weight weight_of(const struct kernel *kernel)
{
    return (struct product_weight){(REAL)kernel->product_scale,
                                   kernel->pass->spectrum_conjugate ? -1 : 1};
}

/* `count` neighbours of two planes times as many of the spectrum's pairs, weighted. */
static void multiply_run(REAL *restrict re, REAL *restrict im, const REAL *restrict factor,
                         struct product_weight weight, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const REAL x = re[i], y = im[i];
        const REAL a = factor[2 * i], b = weight.sign * factor[2 * i + 1];
        re[i] = weight.scale * (x * a - y * b);
        im[i] = weight.scale * (x * b + y * a);
    }
}

/* Likewise of neighbouring pairs. */
static void multiply_pairs(REAL *restrict pair, const REAL *restrict factor,
                           struct product_weight weight, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const REAL x = pair[2 * i], y = pair[2 * i + 1];
        const REAL a = factor[2 * i], b = weight.sign * factor[2 * i + 1];
        pair[2 * i] = weight.scale * (x * a - y * b);
        pair[2 * i + 1] = weight.scale * (x * b + y * a);
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

/* Whether lines are neighbouring pairs. */
static bool has_pairs(const struct side *side)
{
    return side->line == 2 && side->im == side->re + 1;
}

static struct complex spectrum_at(const struct pass *pass, REAL sign, const REAL *spectrum,
                                  int64_t index)
{
    const int64_t n = pass->spectrum_half_n, k = n > 0 ? index % n : 0;
    const bool beyond = k > n / 2;
    const int64_t at = n > 0 ? index / n * (n / 2 + 1) + (beyond ? n - k : k) : index;
    const REAL im = sign * spectrum[2 * at + 1];
    return (struct complex){spectrum[2 * at], beyond ? -im : im};
}

static inline struct complex product_of(struct complex x, struct complex y, REAL scale)
{
    return (struct complex){scale * (x.re * y.re - x.im * y.im),
                            scale * (x.re * y.im + x.im * y.re)};
}

/* Elements `first` to `end` of all columns. */
static void multiply_elements(const struct cpu_operation *op, const struct cpu_tile *tile,
                              const struct side *from, const struct side *to, int64_t first,
                              int64_t end)
{
    const struct pass *pass = tile->kernel->pass;
    const struct pass_map *map = &pass->spectrum_map;
    const struct product_weight weight = weight_of(tile->kernel);
    int64_t start = 0;
    for (int l = 0; l < pass->loops; l++) start += map->loop[l] * tile->counter[l];
    for (int64_t e = first; e < end; e++) {
        for (int64_t c = 0; c < op->columns; c++) {
            const int64_t index = start + map->line * e + map->loop[0] * c;
            const struct complex factor = spectrum_at(pass, weight.sign, tile->spectrum, index);
            write_side(to, e, c, product_of(read_side(from, e, c), factor, weight.scale));
        }
    }
}

/* Rows of a tile that the products' loads run ahead of them: more than the processor has on their
 * way by itself. (Experiment "convolution" in docs/experiments.) */
#define PRODUCT_ROWS_AHEAD 64

/* Memory that will be wanted, into the second-level cache: rows often lie so far apart that they
 * all fall into one set of the first. Inlined, since compilers take a function that does nothing
 * else for one that does nothing. */
static inline __attribute__((always_inline)) void fetch(const void *memory, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64)
        __builtin_prefetch((const char *)memory + at, 0, 2);
}

/* What comes after a row of a tile across while that is multiplied: a row of the spectrum further
 * on, and the same row of the tile that follows. */
struct product_ahead {
    const REAL *spectrum, *tile; /* their first rows; NULL: no tile follows */
    int64_t spectrum_row, tile_row, bytes;
    int64_t rows; /* of the spectrum */
};

static struct product_ahead look_ahead(const struct cpu_operation *op, const struct cpu_tile *tile,
                                       const REAL *spectrum)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    const bool follows = tile->index + 1 < kernel->tiles && !kernel->own_pass &&
                         kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
    const REAL *here = (const REAL *)tile->base[CPU_FROM];
    return (struct product_ahead){
        .spectrum = spectrum,
        .tile = follows ? here + 2 * kernel->tile_step[CPU_FROM] : NULL,
        .spectrum_row = 2 * pass->spectrum_map.line,
        .tile_row = 2 * pass->line.in_stride,
        .bytes = 2 * op->columns * (int64_t)sizeof(REAL),
        .rows = op->length};
}

static inline __attribute__((always_inline)) void fetch_ahead(const struct product_ahead *ahead,
                                                              int64_t row)
{
    const int64_t further = row + PRODUCT_ROWS_AHEAD;
    if (further < ahead->rows)
        fetch(ahead->spectrum + further * ahead->spectrum_row, ahead->bytes);
    if (ahead->tile) fetch(ahead->tile + row * ahead->tile_row, ahead->bytes);
}

/* Whole lines that are pairs at both ends and neighbours in the spectrum. factor: of the first;
 * those of the next lie `distance` entries further on. */
static void multiply_pair_lines(const struct cpu_operation *op, const struct kernel *kernel,
                                const struct side *from, const struct side *to,
                                const REAL *factor, int64_t distance)
{
    for (int64_t c = 0; c < op->columns; c++) {
        REAL *line = to->re + c * to->column;
        const REAL *source = from->re + c * from->column;
        if (source != line) memcpy(line, source, 2 * (size_t)op->length * sizeof *line);
        multiply_pairs(line, factor + 2 * distance * c, weight_of(kernel), op->length);
    }
}

/* How many elements of the lines, from the first on, are done as runs: where the lines, or the
 * columns, are neighbours in both ends and in the spectrum. */
static int64_t multiply_runs(const struct cpu_operation *op, const struct cpu_tile *tile,
                             const struct side *from, const struct side *to)
{
    const struct pass *pass = tile->kernel->pass;
    const struct pass_map *map = &pass->spectrum_map;
    const struct product_weight weight = weight_of(tile->kernel);
    const REAL *factor = tile->spectrum;
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
        multiply_run(to->re, to->im, factor + 2 * start, weight, count);
        return count;
    }
    if (map->line == 1 && has_pairs(from) && has_pairs(to) && !pass->spectrum_half_n) {
        multiply_pair_lines(op, tile->kernel, from, to, factor + 2 * start, map->loop[0]);
        return count;
    }
    if (!columns || pass->spectrum_half_n) return 0;
    const struct product_ahead ahead = look_ahead(op, tile, factor + 2 * start);
    for (int64_t e = 0; e < count; e++) {
        fetch_ahead(&ahead, e);
        copy_run(from, e * from->line, to, e * to->line, op->columns);
        multiply_run(to->re + e * to->line, to->im + e * to->line,
                     factor + 2 * (start + map->line * e), weight, op->columns);
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
