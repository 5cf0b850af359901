#include "device/cpu/odd.h"

#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "device/cpu/table_maker.h"
#include "device/cpu/tables.h"

struct cpu_opening {
    int rows;             /* r / 2 */
    int64_t whole, count; /* vectors of a row, and with one that ends with it */
    const struct cpu_table *first, *lane, *roots;
};

/* Numbers of a row, or of half of them, that a thread takes at once. */
#define GRAIN 512

static const struct cpu_odd *functions_of(const struct kernel *kernel)
{
    return &kernel->sets->odd[kernel->precision];
}

static const struct cpu_odd_half *half_functions_of(const struct kernel *kernel)
{
#if defined(__x86_64__)
    if (kernel->sets->odd != odd_basic) return &odd_half_avx2[kernel->precision];
#endif
    return &odd_half_basic[kernel->precision];
}

/* ---- tables ---- */

/* Roots first + i step of the order, i < count, at places `stride` pairs apart. */
static bool fill(const struct kernel *kernel, const struct root_table *roots, char *to,
                 struct root_range range)
{
    bool filled = true;
    range.n = roots->n;
    range.first %= range.n;
    range.step %= range.n;
    const int64_t all = range.count, pair = 2 * kernel->real_bytes, stride = range.stride;
    range.stride = 2 * stride;
    for (int64_t i = 0; i < all && filled; i += ROOT_CHUNK) {
        range.count = all - i < ROOT_CHUNK ? all - i : ROOT_CHUNK;
        char *at = to + i * stride * pair;
        filled = cpu_general_of(kernel)->fill_roots(&range, roots, at, at + kernel->real_bytes);
        range.first = (range.first + range.count * range.step) % range.n;
    }
    return filled;
}

static bool fill_first(const struct kernel *kernel, const struct root_table *roots, int64_t m,
                       int lanes)
{
    const struct cpu_opening *odd = kernel->opening;
    const int64_t rows = odd->rows, last = odd->count - 1, pair = 2 * kernel->real_bytes;
    char *const to = odd->first->data;
    bool filled = true;
    for (int64_t k = 1; k <= rows && filled; k++) {
        char *const row = to + (k - 1) * pair;
        filled = fill(kernel, roots, row,
                      (struct root_range){.step = k * lanes, .count = last, .stride = rows}) &&
                 fill(kernel, roots, row + last * rows * pair,
                      (struct root_range){.first = k * (m - lanes), .count = 1, .stride = rows});
    }
    return filled;
}

static bool fill_lanes(const struct kernel *kernel, const struct root_table *roots, int lanes)
{
    char *to = kernel->opening->lane->data;
    const int64_t plane = lanes * kernel->real_bytes;
    bool filled = true;
    for (int64_t k = 1; k <= kernel->opening->rows && filled; k++, to += 2 * plane) {
        const struct root_range range = {roots->n, 0, k % roots->n, lanes, 1};
        filled = cpu_general_of(kernel)->fill_roots(&range, roots, to, to + plane);
    }
    return filled;
}

static bool fill_butterfly(const struct kernel *kernel, const struct root_table *roots, int64_t m)
{
    const int64_t rows = kernel->opening->rows;
    const int64_t row = 2 * ODD_FACTORS(rows) * kernel->real_bytes;
    char *to = kernel->opening->roots->data;
    bool filled = true;
    memset(to, 0, (size_t)(rows * row));
    for (int64_t k = 1; k <= rows && filled; k++, to += row) {
        const struct root_range range = {
            .first = m * k, .step = m * k, .count = rows, .stride = 1};
        filled = fill(kernel, roots, to, range);
    }
    return filled;
}

static bool make_tables(struct kernel *kernel, int64_t m)
{
    struct cpu_opening *odd = kernel->opening;
    const int lanes = functions_of(kernel)->lanes;
    const int64_t rows = odd->rows, n = kernel->pass->line.n;
    odd->first = table_add(kernel, TABLE_ROW, 1, n, m, 1, 2 * rows * odd->count);
    odd->lane = table_add(kernel, TABLE_LANE, 1, n, m, lanes, 2 * rows * lanes);
    odd->roots = table_add(kernel, TABLE_ROOTS, 1, n, m, 1, 2 * rows * ODD_FACTORS(rows));
    struct root_table roots;
    if (!odd->first || !odd->lane || !odd->roots || !root_table_init(&roots, n)) return false;
    const bool filled = fill_first(kernel, &roots, m, lanes) &&
                        fill_lanes(kernel, &roots, lanes) && fill_butterfly(kernel, &roots, m);
    root_table_free(&roots);
    return filled;
}

weft_status odd_create(struct kernel *kernel, const struct program *program, int index)
{
    const struct pass *pass = kernel->pass = &program->pass[index];
    struct cpu_opening *odd = kernel->opening = arena_alloc(kernel->arena, sizeof *odd);
    if (!odd) return error_memory("a kernel");
    for (int d = 0; d < 2; d++) kernel->scale[d] = pass->scaled ? program->problem.scale[d] : 1;
    kernel->real_place[CPU_FROM] = program_place_is_real(program, pass->from);
    kernel->real_place[CPU_TO] = program_place_is_real(program, pass->to);
    const int64_t m = pass->length, lanes = functions_of(kernel)->lanes;
    odd->rows = (int)(pass->line.n / m / 2);
    odd->whole = m / lanes;
    odd->count = (m + lanes - 1) / lanes;
    if (!pass->lone) return WEFT_OK;
    const bool made = make_tables(kernel, m);
    tables_done(kernel);
    return made ? WEFT_OK : error_memory("a kernel's tables");
}

/* ---- running ---- */

struct odd_loop {
    const struct kernel *kernel;
    char *from, *to;
    weft_direction direction;
};

/* Whether it writes all of a spectrum. */
static bool closes_whole(const struct pass *pass)
{
    return pass->body == PASS_CLOSE && pass->half == PASS_NO_HALF && !pass->lone;
}

static void run_reals(const struct odd_loop *loop, struct odd_numbers *run)
{
    const struct cpu_opening *odd = loop->kernel->opening;
    const struct cpu_odd *functions = functions_of(loop->kernel);
    run->first = odd->first->data;
    run->lane = odd->lane->data;
    run->roots = odd->roots->data;
    run->pairs = !loop->kernel->real_place[CPU_FROM] && !loop->kernel->real_place[CPU_TO];
    if (run->end == odd->whole) run->end = odd->count;
    if (loop->kernel->pass->body == PASS_OPEN) functions->open_reals(run);
    else functions->close_reals(run);
}

/* The inverse direction's spectrum, which is the caller's, is the conjugate. */
static void run_half(const struct odd_loop *loop, struct odd_numbers *run)
{
    const struct cpu_odd_half *functions = half_functions_of(loop->kernel);
    const struct pass *pass = loop->kernel->pass;
    const bool conjugate = loop->direction == WEFT_INVERSE && pass->half != PASS_NO_HALF;
    if (conjugate) run->factor[1] = -run->factor[1];
    run->last = closes_whole(pass) ? pass->length : pass->length / 2;
    if (pass->body == PASS_OPEN) functions->open(run);
    else functions->close(run);
}

static void run_piece(void *context, int64_t begin, int64_t end, int worker)
{
    const struct odd_loop *loop = context;
    const struct pass *pass = loop->kernel->pass;
    const bool opens = pass->body == PASS_OPEN;
    const double scale = loop->kernel->scale[loop->direction];
    (void)worker;
    struct odd_numbers run = {.rows = loop->kernel->opening->rows,
                          .m = pass->length,
                          .apart = pass->apart,
                          .begin = begin,
                          .end = end,
                          .line = opens ? loop->from : loop->to,
                          .rows_begin = opens ? loop->to : loop->from,
                          .factor = {scale, scale}};
    if (pass->lone) run_reals(loop, &run);
    else run_half(loop, &run);
}

static void run_line(struct odd_loop *loop)
{
    const struct kernel *kernel = loop->kernel;
    const bool reals = kernel->pass->lone;
    const int64_t m = kernel->pass->length, numbers = closes_whole(kernel->pass) ? m : m / 2 + 1;
    const int64_t count = reals ? kernel->opening->whole : numbers;
    if (!kernel->pool) {
        run_piece(loop, 0, count, 0);
        return;
    }
    const int64_t grain = reals ? GRAIN / functions_of(kernel)->lanes : GRAIN;
    thread_pool_run(kernel->pool, count, grain, run_piece, loop);
}

void odd_line(const struct kernel *kernel, weft_direction direction, char *from, char *to)
{
    struct odd_loop loop = {kernel, from, to, direction};
    run_line(&loop);
}

static int64_t unit_bytes(const struct kernel *kernel, bool out)
{
    return (kernel->real_place[out ? CPU_TO : CPU_FROM] ? 1 : 2) * kernel->real_bytes;
}

static char *place_of(const struct kernel *kernel, const struct device_memory *memory, bool out)
{
    const int64_t at = memory->first + kernel->pass->offset[out];
    return (char *)memory->re + at * unit_bytes(kernel, out);
}

void odd_run(const struct kernel *kernel, const struct pass_arguments *arguments)
{
    const struct pass *pass = kernel->pass;
    const int64_t in = unit_bytes(kernel, false), out = unit_bytes(kernel, true);
    char *const from = place_of(kernel, &arguments->place[pass->from], false);
    char *const to = place_of(kernel, &arguments->place[pass->to], true);
    for (int64_t i = 0; i < pass_lines(pass); i++) {
        odd_line(kernel, arguments->direction, from + in * pass_line_start(pass, i, false),
                 to + out * pass_line_start(pass, i, true));
    }
}
