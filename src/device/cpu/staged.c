#include "device/cpu/staged.h"

#include "base/memory.h"
#include "device/cpu/ahead.h"

/* Copies begin at cache lines, and not in the same sets of a cache. */
#define PADDING_BYTES 192

static size_t padded(size_t bytes)
{
    return (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT + PADDING_BYTES;
}

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static int64_t *stride_of(struct dim *dim, enum cpu_operand end)
{
    return end == CPU_TO ? &dim->out_stride : &dim->in_stride;
}

static bool is_staged_by_tile(const struct kernel *kernel, enum cpu_operand end)
{
    return kernel->staged[end].storage && !kernel->staged[end].whole;
}

/* Whether that place has none for the rest of a line: not so where a pass works in it. */
static bool meets_cut_draft(const struct program *program, const struct pass *pass,
                            enum pass_place place)
{
    return place == PASS_DRAFT && program->draft_cut && pass->from != pass->to;
}

/* ---- what is copied ---- */

/* A line as a whole, where not its own elements count but what they are numbers of. */
struct partial {
    int64_t elements; /* 0: the line's own */
    const struct pass_map *map;
};

static struct partial partial_of(const struct pass *pass, enum cpu_operand end)
{
    const bool chirp = end == CPU_TO ? pass->chirp_after : pass->chirp_before;
    const int64_t half = pass_half_elements(pass, end == CPU_TO);
    if (half > 0) return (struct partial){half, pass_number_map(pass, end == CPU_TO)};
    return (struct partial){chirp ? pass->chirp_n : 0, &pass->chirp_map};
}

static bool is_part_of_line(const struct partial *partial, int loop)
{
    return partial->elements && partial->map->loop[loop];
}

static void add_dim(struct cpu_staged *staged, struct staged_dim dim)
{
    const int64_t stride = dim.stride;
    int place = staged->dims++;
    if (staged_repeats(&dim)) dim.n = 1;
    for (; place > 0; place--) {
        const int64_t before = staged->dim[place - 1].stride;
        if (stride == 0 || (before != 0 && magnitude(before) <= magnitude(stride))) break;
        staged->dim[place] = staged->dim[place - 1];
    }
    staged->dim[place] = dim;
}

/* What an element of the line counts along the axis that the end has a range of. */
static int64_t line_number(const struct pass *pass, enum cpu_operand end,
                           const struct partial *partial)
{
    const struct pass_range *range = &pass->range[end == CPU_TO];
    if (range->range.count == 0) return 0;
    if (pass->reals[end == CPU_TO].parts) return 1;
    return partial->elements ? range->map.line / partial->map->line : range->map.line;
}

static void find_dims(const struct pass *pass, enum cpu_operand end, struct cpu_staged *staged)
{
    const struct partial partial = partial_of(pass, end);
    struct dim line = pass->line;
    if (partial.elements) {
        line.n = partial.elements;
        *stride_of(&line, end) /= partial.map->line;
    }
    for (int l = 0; l < pass->loops; l++)
        staged->whole |= is_part_of_line(&partial, l);
    const int64_t number = line_number(pass, end, &partial);
    add_dim(staged, (struct staged_dim){STAGED_LINE, line.n, *stride_of(&line, end), number, 0});
    for (int l = 0; l < (staged->whole ? pass->loops : pass->loops > 0); l++) {
        struct dim loop = pass->loop[l];
        if (is_part_of_line(&partial, l)) continue;
        add_dim(staged, (struct staged_dim){l, loop.n, *stride_of(&loop, end),
                                            pass->range[end == CPU_TO].map.loop[l], 0});
    }
}

/* Packs the dimensions, the fastest first as in the caller's array. */
static void pack(struct cpu_staged *staged)
{
    int64_t size = 1;
    for (int d = 0; d < staged->dims; d++) {
        struct staged_dim *dim = &staged->dim[d];
        dim->staged = staged_repeats(dim) ? 0 : size;
        size *= dim->n;
    }
    staged->plane = size;
}

static int64_t staged_stride(const struct cpu_staged *staged, int loop)
{
    int d = 0;
    while (staged->dim[d].loop != loop)
        d++;
    return staged->dim[d].staged;
}

/* Lines that a tile does not have are found where they are, loops beyond its columns too. */
static void set_strides(struct kernel *kernel, enum cpu_operand end)
{
    struct pass *pass = kernel->own_pass;
    const struct cpu_staged *staged = &kernel->staged[end];
    const struct partial partial = partial_of(pass, end);
    const int64_t unit = staged_stride(staged, STAGED_LINE);
    *stride_of(&pass->line, end) = partial.elements ? unit * partial.map->line : unit;
    for (int l = 0; l < (staged->whole ? pass->loops : pass->loops > 0); l++) {
        *stride_of(&pass->loop[l], end) =
            is_part_of_line(&partial, l) ? unit * partial.map->loop[l] : staged_stride(staged, l);
    }
    pass->reals[end == CPU_TO].stride = unit;
    if (staged->whole) pass->offset[end == CPU_TO] = 0;
    if (end == CPU_FROM) pass->half_stride = unit;
    if (!kernel->real_place[end] || kernel->format[end] != WEFT_PLANAR) return;
    pass->pair = staged->plane;
    /* Parts of two lines are written by this distance. */
    if (end == CPU_TO && pass->half == PASS_HALF_PART) pass->half_pair = staged->plane;
}

/* Whether some elements of the end must not be touched, and cannot be made zeros. What is written
 * to the library's own memory in their place is never read. */
static bool leaves_out(const struct kernel *kernel, const struct program *program,
                       enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    if (pass->range[end == CPU_TO].range.count == 0) return false;
    if (end == CPU_FROM) return kernel->fill.runs == 0;
    return pass->to == PASS_OUTPUT || meets_cut_draft(program, pass, pass->to);
}

/* Whether lines of reals, which a step has made of half spectra in memory of its own, are copied to
 * what no cache keeps: lines of that would only be fetched to be written. (Experiment "ranges of
 * half spectra" in docs/experiments.) */
static bool goes_past(const struct kernel *kernel, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    return end == CPU_TO && kernel->ranged && kernel->real_place[CPU_TO] &&
           pass->from == PASS_WORK && pass->to == PASS_OUTPUT && pass->line.out_stride == 1 &&
           staged_has_streams() && ahead_writes_far(kernel);
}

static void describe_end(struct kernel *kernel, const struct program *program, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    struct cpu_staged *staged = &kernel->staged[end];
    *staged = (struct cpu_staged){
        .storage = program_storage(program, end == CPU_TO ? pass->to : pass->from),
        .pair = pass->pair,
        .offset = pass->offset[end == CPU_TO]};
    if (!staged->storage && (leaves_out(kernel, program, end) || goes_past(kernel, end)))
        staged->storage = storage_of_precision(kernel->precision);
    if (!staged->storage) return;
    find_dims(pass, end, staged);
    pack(staged);
}

/* ---- what is filled ---- */

/* Whether the pass may write where it reads: to what is the library's own, and in place. */
static bool may_write_input(const struct program *program, const struct pass *pass)
{
    if (meets_cut_draft(program, pass, pass->from)) return false;
    for (int l = 0; l < pass->loops; l++) {
        if (pass->loop[l].in_stride == 0) return false; /* others read it too */
    }
    if (pass->from == PASS_OUTPUT) return pass->to == PASS_OUTPUT && !pass->range[1].range.count;
    return pass->from != PASS_INPUT && pass->from != PASS_SCRATCH;
}

static bool counts_along_line(const struct pass *pass)
{
    const struct partial partial = partial_of(pass, CPU_FROM);
    for (int l = 0; l < pass->loops; l++) {
        if (pass->range[0].map.loop[l] || is_part_of_line(&partial, l)) return false;
    }
    return line_number(pass, CPU_FROM, &partial) == 1;
}

/* What is out of the range costs nothing to clear where it is going to be written anyway. */
static void describe_fill(struct kernel *kernel, const struct program *program)
{
    const struct pass *pass = kernel->pass;
    const struct range range = pass->range[0].range;
    const int64_t n = pass->range[0].n, end = range.first + range.count;
    struct cpu_fill *fill = &kernel->fill;
    *fill = (struct cpu_fill){.runs = 0};
    if (range.count == 0 || program_storage(program, pass->from)) return;
    if (!may_write_input(program, pass) || !counts_along_line(pass)) return;
    const struct partial partial = partial_of(pass, CPU_FROM);
    fill->stride = pass->line.in_stride / (partial.elements ? partial.map->line : 1);
    if (pass->reals[0].parts) fill->stride = pass->reals[0].stride;
    if (end > n) {
        fill->run[fill->runs++] = (struct range){end - n, n - range.count};
        return;
    }
    if (range.first > 0) fill->run[fill->runs++] = (struct range){0, range.first};
    if (end < n) fill->run[fill->runs++] = (struct range){end, n - end};
}

bool staged_describe(struct kernel *kernel, const struct program *program)
{
    describe_fill(kernel, program);
    describe_end(kernel, program, CPU_FROM);
    describe_end(kernel, program, CPU_TO);
    if (!kernel->staged[CPU_FROM].storage && !kernel->staged[CPU_TO].storage) return true;
    kernel->own_pass = arena_alloc(kernel->arena, sizeof *kernel->own_pass);
    if (!kernel->own_pass) return false;
    *kernel->own_pass = *kernel->pass;
    kernel->pass = kernel->own_pass;
    for (int end = CPU_FROM; end <= CPU_TO; end++)
        if (kernel->staged[end].storage) set_strides(kernel, (enum cpu_operand)end);
    return true;
}

/* ---- where copies lie ---- */

/* What a tile takes up besides is for what the codelets read. (A quarter of the cache an end.) */
int64_t staged_columns(const struct kernel *kernel)
{
    const int64_t room = kernel->device->limits.cache_bytes[0] / 4;
    int64_t columns = INT64_MAX;
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        if (!is_staged_by_tile(kernel, (enum cpu_operand)end)) continue;
        const int64_t fit = room / (kernel->pass->line.n * 2 * kernel->real_bytes);
        if (fit < columns) columns = fit;
    }
    if (columns > 16) columns -= columns % 16;
    return columns > 1 ? columns : 1;
}

static void finish_end(struct kernel *kernel, const struct pass *pass, enum cpu_operand end,
                       size_t *whole)
{
    struct cpu_staged *staged = &kernel->staged[end];
    const int64_t main = kernel->main.columns, rest = kernel->rest.columns;
    for (int d = 0; d < staged->dims && !staged->whole; d++) {
        struct staged_dim *dim = &staged->dim[d];
        if (dim->loop == 0 && !staged_repeats(dim)) dim->n = rest > main ? rest : main;
    }
    pack(staged);
    set_strides(kernel, end);
    if (!staged->whole && pass->loops) {
        struct dim loop = pass->loop[0];
        kernel->tile_step[end] = main * *stride_of(&loop, end);
    }
    size_t *used = staged->whole ? whole : &kernel->workspace;
    staged->start = *used;
    *used += padded((size_t)(2 * staged->plane * kernel->real_bytes));
}

/* As many tiles as the first-level cache holds zeros of. (Experiment "clearing" in
 * docs/experiments.) */
static void finish_fill(struct kernel *kernel)
{
    struct cpu_fill *fill = &kernel->fill;
    const int64_t unit = kernel->format[CPU_FROM] == WEFT_INTERLEAVED ? 2 : 1;
    int64_t elements = 0;
    for (int i = 0; i < fill->runs; i++) elements += fill->run[i].count;
    const int64_t bytes = elements * kernel->main.columns * unit * kernel->real_bytes;
    const int64_t room = kernel->device->limits.cache_bytes[0];
    fill->tiles = bytes > 0 && bytes < room ? room / bytes : 1;
}

void staged_finish(struct kernel *kernel, const struct program *program, int index)
{
    finish_fill(kernel);
    kernel->staged_whole_bytes = 0;
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        if (!kernel->staged[end].storage) continue;
        finish_end(kernel, &program->pass[index], (enum cpu_operand)end,
                   &kernel->staged_whole_bytes);
    }
}

struct device_memory staged_memory(const struct kernel *kernel, enum cpu_operand end,
                                   char *workspace)
{
    const struct cpu_staged *staged = &kernel->staged[end];
    char *re = workspace + staged->start;
    char *im = re + staged->plane * kernel->real_bytes;
    const bool planar = kernel->format[end] == WEFT_PLANAR;
    return (struct device_memory){.re = re, .im = planar ? im : NULL};
}
