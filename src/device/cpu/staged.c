#include "device/cpu/staged.h"

#include <string.h>

#include "base/memory.h"
#include "device/cpu/general.h"

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
    if (half > 0) return (struct partial){half, &pass->half_map};
    return (struct partial){chirp ? pass->chirp_n : 0, &pass->chirp_map};
}

static bool is_part_of_line(const struct partial *partial, int loop)
{
    return partial->elements && partial->map->loop[loop];
}

/* Dimensions that repeat one element are copied once. */
static void add_dim(struct cpu_staged *staged, int loop, int64_t n, int64_t stride)
{
    int place = staged->dims++;
    if (stride == 0) n = 1;
    for (; place > 0; place--) {
        const int64_t before = staged->dim[place - 1].stride;
        if (stride == 0 || (before != 0 && magnitude(before) <= magnitude(stride))) break;
        staged->dim[place] = staged->dim[place - 1];
    }
    staged->dim[place] = (struct staged_dim){loop, n, stride, 0};
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
    add_dim(staged, STAGED_LINE, line.n, *stride_of(&line, end));
    for (int l = 0; l < (staged->whole ? pass->loops : pass->loops > 0); l++) {
        struct dim loop = pass->loop[l];
        if (!is_part_of_line(&partial, l)) add_dim(staged, l, loop.n, *stride_of(&loop, end));
    }
}

/* Packs the dimensions, the fastest first as in the caller's array. */
static void pack(struct cpu_staged *staged)
{
    int64_t size = 1;
    for (int d = 0; d < staged->dims; d++) {
        struct staged_dim *dim = &staged->dim[d];
        dim->staged = dim->stride ? size : 0;
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
    if (end == CPU_FROM) pass->half_stride = unit;
    if (kernel->real_place[end] && kernel->format[end] == WEFT_PLANAR) pass->pair = staged->plane;
}

static void describe_end(struct kernel *kernel, const struct program *program, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    struct cpu_staged *staged = &kernel->staged[end];
    *staged = (struct cpu_staged){
        .storage = program_storage(program, end == CPU_TO ? pass->to : pass->from),
        .pair = pass->pair};
    if (!staged->storage) return;
    find_dims(pass, end, staged);
    pack(staged);
}

bool staged_describe(struct kernel *kernel, const struct program *program)
{
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
        if (dim->loop == 0 && dim->stride) dim->n = rest > main ? rest : main;
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

void staged_finish(struct kernel *kernel, const struct program *program, int index)
{
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

/* ---- copying ---- */

/* One plane of an end being copied. */
struct motion {
    const struct cpu_staged *staged;
    cpu_convert_function *convert;
    bool load;            /* or store */
    int unit;             /* 2: of pairs */
    int stored, computed; /* bytes of a number */
    int64_t columns;
    char *caller, *copy; /* element 0 */
};

static int64_t count_of(const struct motion *m, int d)
{
    const struct staged_dim *dim = &m->staged->dim[d];
    const bool columns = !m->staged->whole && dim->loop == 0 && dim->stride;
    return columns ? m->columns : dim->n;
}

/* Elements of so many bytes, one behind the other at one of both ends. */
#define SPREAD(bytes)                                                                              \
    static void spread_##bytes(char *to, int64_t to_step, const char *from, int64_t from_step,     \
                               int64_t count)                                                      \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            memcpy(to + i * to_step, from + i * from_step, bytes);                                 \
    }
SPREAD(1)
SPREAD(2)
SPREAD(4)
SPREAD(8)
SPREAD(16)

static void spread(int bytes, char *to, int64_t to_step, const char *from, int64_t from_step,
                   int64_t count)
{
    if (bytes == 1)
        spread_1(to, to_step, from, from_step, count);
    else if (bytes == 2)
        spread_2(to, to_step, from, from_step, count);
    else if (bytes == 4)
        spread_4(to, to_step, from, from_step, count);
    else if (bytes == 8)
        spread_8(to, to_step, from, from_step, count);
    else
        spread_16(to, to_step, from, from_step, count);
}

/* Elements that are apart in the caller's array, a few at a time brought together. */
#define CHUNK_BYTES 2048

static void move_apart(const struct motion *m, char *caller, int64_t step, char *copy,
                       int64_t count)
{
    _Alignas(MEMORY_ALIGNMENT) char chunk[CHUNK_BYTES];
    const int bytes = m->unit * m->stored;
    for (int64_t done = 0; done < count; done += CHUNK_BYTES / bytes) {
        const int64_t left = count - done;
        const int64_t some = left < CHUNK_BYTES / bytes ? left : CHUNK_BYTES / bytes;
        char *stored = caller + done * step * bytes;
        char *computed = copy + done * m->unit * m->computed;
        if (m->load) {
            spread(bytes, chunk, bytes, stored, step * bytes, some);
            m->convert(computed, chunk, some * m->unit);
        } else {
            m->convert(chunk, computed, some * m->unit);
            spread(bytes, stored, step * bytes, chunk, bytes, some);
        }
    }
}

/* Elements that follow one another in the copy. */
static void move_run(const struct motion *m, int64_t from, int64_t to, int64_t count)
{
    const int64_t step = m->staged->dim[0].stride;
    char *caller = m->caller + from * m->unit * m->stored;
    char *copy = m->copy + to * m->unit * m->computed;
    if (step != 1)
        move_apart(m, caller, step, copy, count);
    else if (m->load)
        m->convert(copy, caller, count * m->unit);
    else
        m->convert(caller, copy, count * m->unit);
}

static void move_plane(const struct motion *m)
{
    const struct cpu_staged *staged = m->staged;
    const struct staged_dim *fastest = &staged->dim[0];
    int64_t counter[PASS_MAX_LOOPS + 1] = {0}, from = 0, to = 0, run = count_of(m, 0);
    int first = 1;
    for (; first < staged->dims; first++) { /* dimensions that go on where others end */
        const struct staged_dim *dim = &staged->dim[first];
        if (dim->stride != run * fastest->stride || dim->staged != run * fastest->staged) break;
        run *= count_of(m, first);
    }
    for (int d = first - 1; d < staged->dims;) {
        move_run(m, from, to, run);
        for (d = first; d < staged->dims; d++) {
            const struct staged_dim *dim = &staged->dim[d];
            from += dim->stride;
            to += dim->staged;
            if (++counter[d] < count_of(m, d)) break;
            from -= counter[d] * dim->stride;
            to -= counter[d] * dim->staged;
            counter[d] = 0;
        }
    }
}

static void move(const struct kernel *kernel, enum cpu_operand end,
                 const struct device_memory *memory, int64_t element, int64_t columns,
                 const struct device_memory *copy)
{
    const struct cpu_staged *staged = &kernel->staged[end];
    const struct cpu_general *general = cpu_general_of(kernel);
    const bool real = kernel->real_place[end], load = end == CPU_FROM;
    const int unit = kernel->format[end] == WEFT_INTERLEAVED ? 2 : 1;
    const int stored = storage_bytes(staged->storage);
    const int64_t at = (memory->first * (real ? 1 : unit) + element * unit) * stored;
    struct motion m = {.staged = staged,
                       .convert =
                           load ? general->load[staged->storage] : general->store[staged->storage],
                       .load = load,
                       .unit = unit,
                       .stored = stored,
                       .computed = kernel->real_bytes,
                       .columns = columns,
                       .caller = (char *)memory->re + at,
                       .copy = copy->re};
    move_plane(&m);
    if (unit == 2 || (real && kernel->pass->lone)) return;
    m.caller = real ? m.caller + staged->pair * stored : (char *)memory->im + at;
    m.copy = copy->im;
    move_plane(&m);
}

void staged_load(const struct kernel *kernel, const struct device_memory *from, int64_t element,
                 int64_t columns, const struct device_memory *to)
{
    move(kernel, CPU_FROM, from, element, columns, to);
}

void staged_store(const struct kernel *kernel, const struct device_memory *to, int64_t element,
                  int64_t columns, const struct device_memory *from)
{
    move(kernel, CPU_TO, to, element, columns, from);
}
