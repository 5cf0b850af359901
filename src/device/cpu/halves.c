#include "device/cpu/ahead.h"
#include "device/cpu/halves_parts.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"

static bool suits_columns(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->half == PASS_HALF_PART && pass->twiddle_order && pass->twiddle_loop == 0 &&
           pass->half_pair == 1 && pass->loop[0].out_stride == 2 &&
           kernel->format[CPU_TO] == WEFT_PLANAR;
}

static bool suits_rows(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->half == PASS_HALF_REFLECT && !pass->reals[1].parts &&
           pass->half_map.loop[0] == 1 && pass->half_map.line == pass->half_rows &&
           pass->loop[0].out_stride == 1 &&
           pass->line.out_stride == pass->half_rows && kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

/* Lanes are neighbouring numbers of the line, whose elements lie as far apart as their numbers. */
static bool counts_lanes(const struct pass *pass, bool out)
{
    const struct dim *line = &pass->line, *lanes = &pass->loop[0];
    for (int l = 1; l < pass->loops; l++)
        if (pass->half_map.loop[l] != 0) return false;
    return pass->half_map.loop[0] == 1 && (out ? lanes->out_stride : lanes->in_stride) == 1 &&
           pass->half_map.line == (out ? line->out_stride : line->in_stride);
}

static bool goes_across(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return kernel->pass->loops > 0 && tiles_go_across(kernel, &shape) && !kernel->own_pass;
}

/* Rows as reals that stand for more. */
static bool suits_turned_rows(const struct pass *pass)
{
    return pass->half == PASS_HALF_REFLECT && counts_lanes(pass, true) &&
           pass->reals[1].stride == 1 && turned_end(pass, true).exists;
}

/* Two lines at once at the end that a split's line from end to end has, every other real from the
 * first on and then the rest back: lanes take four neighbours each. */
static bool suits_others(const struct pass *pass, bool out)
{
    const struct reals *reals = &pass->reals[out];
    const int64_t lines = pass->half_map.line;
    for (int l = 1; l < pass->loops; l++)
        if (pass->half_map.loop[l] != 0) return false;
    return pass->half == (out ? PASS_HALF_JOIN : PASS_HALF_PART) && pass->line.n % 2 == 0 &&
           reals->stride == 1 && reals->n == lines * pass->line.n && pass->half_map.loop[0] == 2 &&
           2 * pass->loop[0].n == lines && turned_goes_there_and_back(reals, 1);
}

bool halves_suit(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!goes_across(kernel) || pass->hook[1]) return false;
    if (pass->reals[1].parts) return suits_turned_rows(pass) || suits_others(pass, true);
    return suits_columns(kernel) || suits_rows(kernel);
}

bool halves_suit_gather(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!goes_across(kernel) || pass->hook[0] || pass->body != PASS_TRANSFORM) return false;
    if (suits_others(pass, false)) return true;
    if (pass->chirp_before || !counts_lanes(pass, false)) return false;
    if (pass->reals[0].parts)
        return pass->half == PASS_NO_HALF && pass->reals[0].numbers == pass->half_n &&
               pass->reals[0].stride == 1 && turned_end(pass, false).exists;
    return pass->half == PASS_HALF_EXTEND && kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           pass->half_stride == 1 && pass->line.n % 2 == 0;
}

bool halves_meet(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool gathers = suits_others(pass, false) && halves_suit_gather(kernel);
    const bool scatters = suits_others(pass, true) && halves_suit(kernel);
    return (gathers || scatters) && !kernel->fill.runs;
}

/* A plane's part of a line of the cache, in reals. */
static int64_t half_line(const struct kernel *kernel)
{
    return STREAM_ALIGNMENT / 2 / (kernel->precision == WEFT_F32 ? 4 : 8);
}

/* The rows that come first are more than are left to the next tile, so that the middle one, which
 * has no mirror, is not. */
static bool has_rows_to_leave(const struct kernel *kernel)
{
    return kernel->rest.columns > half_line(kernel);
}

bool halves_stream(const struct kernel *kernel)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const bool numbers = suits_rows(kernel), rows = numbers || suits_turned_rows(kernel->pass);
    const int64_t bytes = (numbers ? 2 : 1) * kernel->real_bytes * kernel->main.columns;
    if (numbers && !has_rows_to_leave(kernel)) return false;
    return kernel->streams && halves_suit(kernel) && rows && !kernel->fill.runs &&
           mirrors->numbers_streamed && kernel->main.columns % mirrors->lanes == 0 &&
           bytes % STREAM_ALIGNMENT == 0;
}

static codelet_function *streamed_columns(const struct kernel *kernel,
                                          const struct cpu_operation *op)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const bool lines = op->shape[0].out_row * kernel->real_bytes % STREAM_ALIGNMENT == 0;
    const bool suits = kernel->streams && lines && op->columns % mirrors->lanes == 0;
    return suits ? mirrors->columns_streamed : NULL;
}

static struct cpu_operation *add_columns(struct pipeline_builder *b, struct transform_end from)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->codelet[0] = op->codelet[1] = mirrors_of(b->kernel)->columns;
    op->from = from.operand;
    op->to = CPU_TO;
    op->shape[0] = op->shape[1] = (struct codelet_shape){.rows = pass->length,
                                                         .lanes = op->columns,
                                                         .in_row = op->columns,
                                                         .out_row = pass->line.out_stride,
                                                         .fine_row = 2 * op->columns};
    op->streamed = streamed_columns(b->kernel, op);
    return op;
}

/* Elements first to first + count - 1 of a tile's lines, the lanes of each behind those of the one
 * before. Those of the line's first half are kept as they are. */
struct elements {
    int64_t first, count, kept;
    const char *re, *im;
};

static struct elements elements(const struct cpu_operation *op, const struct cpu_tile *tile,
                                int64_t first, int64_t count, int64_t away)
{
    const int64_t kept = (op->elements + 1) / 2 - first;
    return (struct elements){first, count, kept < 0 ? 0 : kept < count ? kept : count,
                             tile->re[op->from] + away, tile->im[op->from] + away};
}

/* Some of them, all of which are numbers as they are, or are conjugates of those that they mirror.
 */
struct side {
    int64_t first, count;
    const char *re, *im;
    bool mirrored;
    int64_t number;    /* of lane 0 of the first one, or what that would mirror */
    int64_t low, high; /* the lanes that are written */
    int64_t left;      /* ... of which these go with the next tile's */
};

static struct side upright_side(const struct cpu_operation *op, const struct cpu_tile *tile,
                                const struct elements *some, int64_t skipped, int64_t count,
                                int64_t left)
{
    const int64_t away = skipped * op->columns * tile->kernel->real_bytes;
    const int64_t first = some->first + skipped, rows = tile->kernel->pass->half_rows;
    return (struct side){.first = first,
                         .count = count,
                         .re = some->re + away,
                         .im = some->im + away,
                         .number = first * rows + first_number(tile),
                         .high = op->columns,
                         .left = left};
}

/* Rows that are their own mirrors, number 0 and the middle one, have no others. */
static struct side mirrored_side(const struct cpu_operation *op, const struct cpu_tile *tile,
                                 const struct elements *some, int64_t left)
{
    struct side side = upright_side(op, tile, some, some->kept, some->count - some->kept, left);
    const int64_t rows = tile->kernel->pass->half_rows, first = first_number(tile);
    side.mirrored = true;
    side.number = op->elements * rows - side.number;
    side.low = first == 0;
    side.high -= 2 * (first + op->columns - 1) == rows;
    return side;
}

/* What a row leaves of a plane: half a line, but of one lane no more. */
static int64_t carried_reals(const struct cpu_tile *tile, const struct side *side)
{
    return side->left == 1 ? 1 : half_line(tile->kernel);
}

/* A codelet on rows of so many lanes, to the place of a number. */
static void put(const struct cpu_operation *op, const struct cpu_tile *tile,
                const struct side *side, codelet_function *codelet, int64_t low, int64_t lanes,
                int64_t number)
{
    const int64_t bytes = tile->kernel->real_bytes, rows = tile->kernel->pass->half_rows;
    const int64_t row = carried_reals(tile, side);
    const struct codelet_shape shape = {.rows = side->count,
                                        .lanes = lanes,
                                        .in_row = op->columns,
                                        .in_leg = side->left,
                                        .out_row = side->mirrored ? -rows : rows,
                                        .twiddle_row = row,
                                        .twiddle_plane = op->elements * row,
                                        .fine_row = op->shape[tile->direction].fine_row};
    const char *carried = tile->carried + side->first * row * bytes;
    const char *re = side->re + low * bytes, *im = side->im + low * bytes;
    char *to = tile->base[CPU_TO] + 2 * bytes * (number - first_number(tile));
    if (lanes > 0) codelet(&shape, re, im, to, NULL, carried, op->fine);
}

static void put_lanes(const struct cpu_operation *op, const struct cpu_tile *tile,
                      const struct side *side, int64_t low, int64_t high)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const int64_t number = side->mirrored ? side->number - high + 1 : side->number + low;
    put(op, tile, side, side->mirrored ? mirrors->mirrored : mirrors->numbers, low, high - low,
        number);
}

/* But for the first ones, with those that the tile before left. */
static void stream_lanes(const struct cpu_operation *op, const struct cpu_tile *tile,
                         const struct side *side)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const int64_t last = op->columns + side->left - 1;
    if (side->mirrored)
        put(op, tile, side, mirrors->mirrored_streamed, 0, op->columns, side->number - last);
    else
        put(op, tile, side, mirrors->numbers_streamed, 0, op->columns, side->number + side->left);
}

/* Lanes of so many bytes, of which compilers make moves. */
static void carry_lanes(char *to, const char *from, int64_t pitch, int64_t bytes, int64_t rows)
{
    for (int64_t i = 0; i < rows && bytes == 4; i++)
        memcpy(to + i * 4, from + i * pitch, 4);
    for (int64_t i = 0; i < rows && bytes == 8; i++)
        memcpy(to + i * 8, from + i * pitch, 8);
    for (int64_t i = 0; i < rows && bytes > 8; i++)
        memcpy(to + i * STREAM_ALIGNMENT / 2, from + i * pitch, STREAM_ALIGNMENT / 2);
}

/* Leaves the first lanes to the next tile. */
static void carry(const struct cpu_operation *op, const struct cpu_tile *tile,
                  const struct side *side)
{
    const int64_t bytes = tile->kernel->real_bytes, pitch = op->columns * bytes;
    const int64_t row = carried_reals(tile, side) * bytes;
    char *re = tile->carried + side->first * row;
    if (side->left == 0) return;
    carry_lanes(re, side->re, pitch, row, side->count);
    carry_lanes(re + op->elements * row, side->im, pitch, row, side->count);
}

/* What tiles take over from the ones before them where results go past the caches. */
struct turns {
    bool begins, ends; /* no tile was before, or comes after it; both: results go through them */
    int64_t left[2];   /* lanes before the first line of the cache, by struct side.mirrored */
};

/* Mirrors of numbers before a line's edge end it: that of lane 0, which may be none, is left. */
static struct turns find_turns(const struct cpu_tile *tile)
{
    const int bytes = 2 * tile->kernel->real_bytes, numbers = STREAM_ALIGNMENT / bytes;
    const int past = (int)((uintptr_t)line_of(tile, bytes) % STREAM_ALIGNMENT) / bytes;
    const int left = past > 0 ? numbers - past : 0;
    if (!streams(tile, bytes, bytes)) return (struct turns){true, true, {0, 0}};
    return (struct turns){tile->begins, tile->ends, {left, left > 0 ? numbers + 1 - left : 1}};
}

static void scatter_side(const struct cpu_operation *op, const struct cpu_tile *tile,
                         const struct side *side, const struct turns *turns)
{
    if (turns->begins && turns->ends) {
        put_lanes(op, tile, side, side->low, side->high);
        return;
    }
    if (turns->begins) put_lanes(op, tile, side, side->left, side->high);
    else stream_lanes(op, tile, side);
    if (turns->ends) put_lanes(op, tile, side, side->low, side->left);
    else carry(op, tile, side);
}

/* Number k of the line is element k / rows of row k % rows: the first half is written as it is, the
 * rest as what it mirrors, but for rows that are their own mirrors. */
static void scatter_elements(const struct cpu_operation *op, const struct cpu_tile *tile,
                             struct elements some, const struct turns *turns)
{
    if (some.kept > 0) {
        const struct side upright = upright_side(op, tile, &some, 0, some.kept, turns->left[0]);
        scatter_side(op, tile, &upright, turns);
    }
    if (some.kept == some.count) return;
    const struct side mirrored = mirrored_side(op, tile, &some, turns->left[1]);
    scatter_side(op, tile, &mirrored, turns);
    if (first_number(tile) > 0 || 2 * mirrored.first != op->elements) return;
    const struct side middle = upright_side(op, tile, &some, some.kept, 1, 0);
    put_lanes(op, tile, &middle, 0, 1);
}

/* A group of the last step's butterflies leaves its results where the tile buffer that it writes
 * begins, in the first-level cache. */
static void run_butterflies(const struct cpu_operation *op, const struct cpu_tile *tile,
                            int64_t first)
{
    const struct cpu_operation *step = op->grouped;
    const int64_t away = first * op->columns * tile->kernel->real_bytes;
    struct cpu_tile group = *tile;
    group.re[step->from] += away;
    group.im[step->from] += away;
    pipeline_run_codelet(step, &group);
}

static void scatter_groups(const struct cpu_operation *op, const struct cpu_tile *tile,
                           const struct turns *turns)
{
    const int64_t leg = op->group * op->columns * tile->kernel->real_bytes;
    struct codelet_onward onward = ahead_onward(op, tile);
    for (int64_t first = 0; first < op->lanes; first += op->group) {
        run_butterflies(op, tile, first);
        for (int k = 0; k < op->grouped->radix; k++) {
            codelet_onward(&onward);
            scatter_elements(op, tile,
                             elements(op, tile, first + k * op->lanes, op->group, k * leg),
                             turns);
        }
    }
}

void halves_scatter_rows(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct turns turns = find_turns(tile);
    if (op->grouped) scatter_groups(op, tile, &turns);
    else scatter_elements(op, tile, elements(op, tile, 0, op->elements, 0), &turns);
    if (!turns.begins || !turns.ends) mirrors_of(tile->kernel)->fence();
}

/* Fewer rows than these in a run, a group's of a leg, cost memory more than the cache gains.
 * (Experiment "last steps of halves".) */
#define FEWEST_ROWS 8

/* The most butterflies, of as many groups as divide them, whose results leave a third of the
 * first-level cache to what they read; 0: there are too few. */
static int64_t group_of(const struct kernel *kernel, const struct cpu_operation *step)
{
    const int64_t n = step->shape[0].lanes / step->columns;
    const int64_t bytes = 2 * step->radix * step->columns * kernel->real_bytes;
    int64_t group = n;
    while (group >= FEWEST_ROWS &&
           (n % group != 0 || 3 * group * bytes > 2 * kernel->device->limits.cache_bytes[0]))
        group--;
    return group < FEWEST_ROWS ? 0 : group;
}

/* Whether the operation is a last step that a scatter may take. */
static bool suits_groups(const struct pipeline_builder *b, const struct cpu_operation *step)
{
    const int64_t bytes = 4 * b->kernel->pass->line.n * step->columns * b->kernel->real_bytes;
    return step->set && step->kind == CODELET_STEP_PLAIN && step->shape[0].rows == 1 &&
           step->columns > 1 && step->columns % step->set->lanes == 0 &&
           bytes > b->kernel->device->limits.cache_bytes[0] && group_of(b->kernel, step) > 0;
}

/* Where both tile buffers leave the first-level cache the last step becomes part of the scatter,
 * some butterflies at a time. */
static void take_step(struct pipeline_builder *b, struct cpu_operation *op)
{
    struct cpu_operation *step = op - 1;
    if (b->pipeline->operations < 2 || !suits_groups(b, step)) return;
    struct cpu_operation *taken = arena_alloc(b->kernel->arena, sizeof *taken);
    if (!taken) {
        b->failed = true;
        return;
    }
    *taken = *step;
    op->grouped = taken;
    op->lanes = step->shape[0].lanes / step->columns;
    op->group = group_of(b->kernel, step);
    for (int d = 0; d < 2; d++)
        taken->shape[d].lanes = taken->shape[d].out_leg = op->group * op->columns;
    *step = *op;
    b->pipeline->operations--;
}

/* The factors of what is written, or read. */
static void use_factors(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct cpu_table *factors = table_mirror_factors(b->kernel, true);
    for (int d = 0; d < 2; d++)
        op->shape[d].fine_row = TABLE_FACTORS_A_DIRECTION * d;
    if (factors) op->fine = factors->data;
    else b->failed = true;
}

static struct cpu_operation *add_rows(struct pipeline_builder *b, struct transform_end from)
{
    struct cpu_operation *op = pipeline_add(b, halves_scatter_rows);
    op->from = from.operand;
    op->to = CPU_TO;
    op->elements = op->length = b->kernel->pass->line.n;
    use_factors(b, op);
    take_step(b, op);
    return &b->operation[b->pipeline->operations - 1];
}

struct cpu_operation *halves_add_scatter(struct pipeline_builder *b, struct transform_end from)
{
    const struct pass *pass = b->kernel->pass;
    if (pass->half == PASS_HALF_PART) return add_columns(b, from);
    return pass->reals[1].parts ? halves_add_reals(b, true, from.operand) : add_rows(b, from);
}

/* ---- gathering columns ---- */

/* Half of the elements, from e on; `number` is that of the first lane's first. */
static void take(const struct cpu_operation *op, const struct cpu_tile *tile,
                 codelet_function *codelet, int64_t e, int64_t step, int64_t number)
{
    const int bytes = tile->kernel->real_bytes;
    const int64_t to = e * op->columns * bytes;
    const struct codelet_shape shape = {.rows = op->elements / 2,
                                        .lanes = op->columns,
                                        .in_row = step,
                                        .out_row = op->columns,
                                        .fine_row = op->shape[tile->direction].fine_row};
    const char *from = tile->base[CPU_FROM] + 2 * bytes * (number - first_number(tile));
    codelet(&shape, from, NULL, tile->re[op->to] + to, tile->im[op->to] + to, NULL, op->fine);
}

/* Numbers up to the middle one, then those of the other end of the half, whose conjugates the rest
 * are. */
void halves_gather_columns(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const struct pass *pass = tile->kernel->pass;
    const int64_t step = pass->half_map.line, middle = op->elements / 2;
    const int64_t first = first_number(tile);
    take(op, tile, mirrors->of_numbers, 0, step, first);
    take(op, tile, mirrors->of_mirrored, middle, -step, pass->half_n / 2 - first);
    if (first > 0) return;
    clear_imaginary(op, tile, 0);
    clear_imaginary(op, tile, middle);
}

struct cpu_operation *halves_add_gather(struct pipeline_builder *b)
{
    if (b->kernel->pass->reals[0].parts) return halves_add_reals(b, false, CPU_TILE_A);
    struct cpu_operation *op = pipeline_add(b, halves_gather_columns);
    op->from = CPU_FROM;
    op->to = CPU_TILE_A;
    op->elements = op->length = b->kernel->pass->line.n;
    use_factors(b, op);
    return op;
}

/* ---- gathering rows two by two ---- */

/* Rows in scratch, of which tiles have the first and the second ones of pairs. */
static bool suits_joined_rows(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->half == PASS_HALF_JOIN && pass->body == PASS_TRANSFORM && goes_across(kernel) &&
           !pass_half_directed(pass) && kernel->format[CPU_FROM] == WEFT_PLANAR &&
           pass->line.n % 2 == 0 && pass->half_stride == 1 && !kernel->piece && !pass->hook[0];
}

bool halves_join(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const struct transform_end from = {CPU_FROM, false, pass->half_stride, NULL, false};
    const int64_t n = pass->line.n, kept = n / 2 + 1;
    if (!suits_joined_rows(b->kernel)) return false;
    if (!pipeline_transpose(b, from, tile_end(b, CPU_TILE_A), kept)) return false;
    pipeline_transpose(b, from, tile_end(b, CPU_TILE_B), kept);
    b->operation[b->pipeline->operations - 1].from_bytes = pass->half_pair * b->kernel->real_bytes;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->codelet[0] = op->codelet[1] = mirrors_of(b->kernel)->joined;
    op->from = CPU_TILE_B;
    op->to = CPU_TILE_A;
    op->shape[0] = op->shape[1] = (struct codelet_shape){.rows = n, .lanes = op->columns};
    return true;
}
