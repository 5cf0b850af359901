/* Half a spectrum at one end of the lines (enum pass_half): a part of general_template.h. */

static bool has_half(const struct cpu_tile *tile, bool out)
{
    return pass_half_elements(tile->kernel->pass, out) > 0;
}

/* Which element of the line as a whole element e of the tile's column c is. */
static inline int64_t half_index(const struct cpu_tile *tile, int64_t e, int64_t c)
{
    const struct pass *pass = tile->kernel->pass;
    int64_t index = pass->half_map.line * e + pass->half_map.loop[0] * c;
    for (int l = 0; l < pass->loops; l++) index += pass->half_map.loop[l] * tile->counter[l];
    return index;
}

/* The spectrum of the inverse direction is the conjugate of the forward one. */
static inline struct complex turned(const struct cpu_tile *tile, struct complex x)
{
    return (struct complex){x.re, tile->direction == WEFT_INVERSE ? -x.im : x.im};
}

/* x + conj y, and (x - conj y) exp(-2 pi i k / n). */
struct even_odd {
    struct complex even, odd;
};

static inline struct even_odd even_and_odd(const struct cpu_operation *op, struct complex x,
                                           struct complex y, int64_t k)
{
    const REAL *re = (const REAL *)op->half_table, *im = re + op->half_plane;
    const struct complex even = {x.re + y.re, x.im - y.im}, rest = {x.re - y.re, x.im + y.im};
    const struct complex odd = {rest.re * re[k] - rest.im * im[k],
                                rest.re * im[k] + rest.im * re[k]};
    return (struct even_odd){even, odd};
}

/* `at` is the place of element k of the half. */
static inline struct complex extend(const struct cpu_tile *tile, const struct side *s, int64_t at,
                                    int64_t k, int64_t step)
{
    const int64_t n = tile->kernel->pass->half_n;
    if (2 * k < n) return turned(tile, read_place(s, at));
    const struct complex x = turned(tile, read_place(s, at + (n - 2 * k) * step));
    return (struct complex){x.re, -x.im};
}

static inline struct complex fold(const struct cpu_operation *op, const struct cpu_tile *tile,
                                  const struct side *s, int64_t at, int64_t k, int64_t step)
{
    const int64_t h = tile->kernel->pass->half_n / 2;
    struct complex x = turned(tile, read_place(s, at));
    struct complex y = turned(tile, read_place(s, at + (h - 2 * k) * step));
    if (k == 0) x.im = y.im = 0; /* only spectra of complex data have these parts */
    const struct even_odd parts = even_and_odd(op, x, y, k);
    return (struct complex){parts.even.re - parts.odd.im, parts.even.im + parts.odd.re};
}

static inline struct complex unfold(const struct cpu_operation *op, const struct cpu_tile *tile,
                                    const struct side *s, int64_t at, int64_t k, int64_t step)
{
    const int64_t h = tile->kernel->pass->half_n / 2;
    const struct complex x = read_place(s, k == h ? at - h * step : at);
    const struct complex y = read_place(s, k == 0 ? at : at + (h - 2 * k) * step);
    const struct even_odd parts = even_and_odd(op, x, y, k);
    const REAL half = (REAL)0.5;
    return turned(tile, (struct complex){half * (parts.even.re + parts.odd.im),
                                         half * (parts.even.im - parts.odd.re)});
}

/* Element e of the caller's line at column c, as the transform takes it. */
static inline struct complex read_line(const struct cpu_operation *op, const struct cpu_tile *tile,
                                       const struct side *s, int64_t e, int64_t c)
{
    const struct pass *pass = tile->kernel->pass;
    const int64_t at = e * s->line + c * s->column;
    if (!has_half(tile, false)) return read_place(s, at);
    const int64_t unit = tile->kernel->format[CPU_FROM] == WEFT_INTERLEAVED ? 2 : 1;
    const int64_t k = half_index(tile, e, c), step = unit * pass->half_stride;
    if (pass->half == PASS_HALF_EXTEND) return extend(tile, s, at, k, step);
    return pass->half == PASS_HALF_FOLD ? fold(op, tile, s, at, k, step)
                                        : unfold(op, tile, s, at, k, step);
}

/* Writes a result, scaled where the scatter does it, unless it is in the half that is not kept. */
static inline void write_line(const struct cpu_tile *tile, const struct side *s, int64_t e,
                              int64_t c, struct complex x)
{
    const struct kernel *kernel = tile->kernel;
    if (tiles_scatters_some(kernel->pass)) {
        const REAL factor = (REAL)kernel->scale[tile->direction];
        x = (struct complex){x.re * factor, x.im * factor};
    }
    if (kernel->pass->half == PASS_HALF_CUT) {
        if (half_index(tile, e, c) >= pass_half_elements(kernel->pass, true)) return;
        x = turned(tile, x);
    }
    write_side(s, e, c, x);
}

static void copy_mapped(const struct cpu_operation *op, const struct cpu_tile *tile,
                        const struct side *from, const struct side *to)
{
    for (int64_t e = 0; e < op->elements; e++) {
        for (int64_t c = 0; c < op->columns; c++)
            write_line(tile, to, e, c, read_line(op, tile, from, e, c));
    }
}
