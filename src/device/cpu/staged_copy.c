/* The copying of staged ends (staged.h), and the clearing of those that are filled. */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/memory.h"
#include "device/cpu/general.h"
#include "device/cpu/staged.h"

/* One plane of an end being copied. */
struct motion {
    const struct cpu_staged *staged;
    int pieces; /* of the axis that the range consists of; 0: all is there */
    struct range piece[2];
    int64_t number; /* of the first element, along the axis of the range */
    cpu_convert_function *convert;
    bool load;            /* or store */
    bool plain;           /* numbers are what they are computed with */
    bool streams;         /* past the caches */
    int64_t onward;       /* bytes to the next tile's numbers, to ask for them; 0: no */
    int unit;             /* 2: of pairs */
    int stored, computed; /* bytes of a number */
    int64_t columns;
    char *caller, *copy; /* element 0 */
};

static int64_t count_of(const struct motion *m, int d)
{
    const struct staged_dim *dim = &m->staged->dim[d];
    const bool columns = !m->staged->whole && dim->loop == 0 && !staged_repeats(dim);
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

/* Elements that follow one another in the copy, and are all there. */
static void move_all(const struct motion *m, int64_t from, int64_t to, int64_t count)
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

/* Of numbers that rise by `step` from `number` on, how many are below `end`. */
static int64_t count_below(int64_t number, int64_t step, int64_t count, int64_t end)
{
    if (number >= end) return 0;
    if (step == 0) return count;
    const int64_t below = (end - number + step - 1) / step;
    return below < count ? below : count;
}

static void clear(const struct motion *m, int64_t to, int64_t count)
{
    if (!m->load || count <= 0) return;
    memset(m->copy + to * m->unit * m->computed, 0, (size_t)(count * m->unit * m->computed));
}

/* Where an element is: in the caller's array, in the copy, and along the axis of the range. */
struct position {
    int64_t from, to, number;
};

/* Rows of so many bytes, most of which are those of a cache line or two. */
static void copy_rows(char *to, int64_t to_step, const char *from, int64_t from_step, size_t bytes,
                      int64_t rows)
{
    for (int64_t r = 0; r < rows && bytes == 64; r++)
        memcpy(to + r * to_step, from + r * from_step, 64);
    for (int64_t r = 0; r < rows && bytes == 128; r++)
        memcpy(to + r * to_step, from + r * from_step, 128);
    for (int64_t r = 0; r < rows && bytes != 64 && bytes != 128; r++)
        memcpy(to + r * to_step, from + r * from_step, bytes);
}

#ifdef __SSE2__
/* What is not a whole line of the cache goes through it. */
static void stream_row(char *to, const char *from, size_t bytes)
{
    const size_t line = MEMORY_ALIGNMENT, past = (uintptr_t)to % line;
    size_t done = past ? line - past : 0;
    if (done > bytes) done = bytes;
    memcpy(to, from, done);
    for (; done + line <= bytes; done += line) {
        for (size_t i = done; i < done + line; i += sizeof(__m128i))
            _mm_stream_si128((void *)(to + i), _mm_loadu_si128((const void *)(from + i)));
    }
    memcpy(to + done, from + done, bytes - done);
}

static void stream_rows(char *to, int64_t to_step, const char *from, int64_t from_step,
                        size_t bytes, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++)
        stream_row(to + r * to_step, from + r * from_step, bytes);
}

void staged_end_streams(void)
{
    _mm_sfence();
}

bool staged_has_streams(void)
{
    return true;
}
#else
#define stream_rows copy_rows
void staged_end_streams(void)
{
}

bool staged_has_streams(void)
{
    return false;
}
#endif

static void ask_for_rows(const char *at, int64_t step, int64_t bytes, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < bytes; i += MEMORY_ALIGNMENT) __builtin_prefetch(at + r * step + i);
    }
}

/* `rows` times the elements that follow one another, which are all there. */
static void move_rows(const struct motion *m, const struct position *at, int64_t count,
                      const struct staged_dim *row, int64_t rows)
{
    if (!m->plain || m->staged->dim[0].stride != 1) {
        for (int64_t r = 0; r < rows; r++)
            move_all(m, at->from + r * row->stride, at->to + r * row->staged, count);
        return;
    }
    const int64_t bytes = m->unit * m->computed;
    char *caller = m->caller + at->from * bytes, *copy = m->copy + at->to * bytes;
    const int64_t step = row->stride * bytes, copied = row->staged * bytes;
    if (m->onward) ask_for_rows(caller + m->onward, step, count * bytes, rows);
    if (m->load)
        copy_rows(copy, copied, caller, step, (size_t)(count * bytes), rows);
    else if (m->streams)
        stream_rows(caller, step, copy, copied, (size_t)(count * bytes), rows);
    else
        copy_rows(caller, step, copy, copied, (size_t)(count * bytes), rows);
}

/* Rows that are there as a whole or not at all, and lie one after the other in the copy. */
static void move_counted_rows(const struct motion *m, const struct position *at, int64_t count,
                              const struct staged_dim *row, int64_t rows)
{
    int64_t done = 0;
    for (int i = 0; i < m->pieces; i++) {
        const int64_t behind = m->piece[i].first + m->piece[i].count;
        const int64_t begin = count_below(at->number, row->number, rows, m->piece[i].first);
        const int64_t end = count_below(at->number, row->number, rows, behind);
        const struct position here = {at->from + begin * row->stride, at->to + begin * count, 0};
        clear(m, at->to + done * count, (begin - done) * count);
        move_rows(m, &here, count, row, end - begin);
        done = end;
    }
    clear(m, at->to + done * count, (rows - done) * count);
}

static void clear_rows(const struct motion *m, int64_t to, int64_t count,
                       const struct staged_dim *row, int64_t rows)
{
    const int64_t bytes = m->unit * m->computed;
    if (!m->load || count <= 0) return;
    if (row->staged == count) {
        clear(m, to, count * rows);
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        memset(m->copy + (to + r * row->staged) * bytes, 0, (size_t)(count * bytes));
}

/* How many of so many rows, from the first on, count alike: all that stand still along the axis of
 * the range, and those that no end of a piece lies within or between. */
static int64_t rows_alike(const struct motion *m, int64_t number, int64_t count,
                          const struct staged_dim *row, int64_t rows)
{
    const int64_t last = number + (count - 1) * m->staged->dim[0].number;
    if (row->number <= 0) return row->number == 0 ? rows : 1;
    for (int i = 0; i < 2 * m->pieces; i++) {
        const struct range *piece = &m->piece[i / 2];
        const int64_t edge = piece->first + (i % 2 ? piece->count : 0);
        if (number >= edge) continue;
        const int64_t before = count_below(last, row->number, rows, edge);
        if (before < rows) rows = before > 1 ? before : 1;
    }
    return rows;
}

/* `rows` times the elements that follow one another in the copy and count alike along the axis of
 * the range. */
static void move_ranged_rows(const struct motion *m, const struct position *at, int64_t count,
                             const struct staged_dim *row, int64_t rows)
{
    const int64_t step = m->staged->dim[0].number, stride = m->staged->dim[0].stride;
    int64_t done = 0;
    for (int i = 0; i < m->pieces; i++) {
        const int64_t behind = m->piece[i].first + m->piece[i].count;
        const int64_t begin = count_below(at->number, step, count, m->piece[i].first);
        const int64_t end = count_below(at->number, step, count, behind);
        const struct position here = {at->from + begin * stride, at->to + begin, 0};
        clear_rows(m, at->to + done, begin - done, row, rows);
        if (end > begin) move_rows(m, &here, end - begin, row, rows);
        done = end;
    }
    clear_rows(m, at->to + done, count - done, row, rows);
}

/* Whether a dimension goes on where `run` elements of the fastest end. */
static bool goes_on(const struct staged_dim *dim, const struct staged_dim *fastest, int64_t run)
{
    return dim->stride == run * fastest->stride && dim->staged == run * fastest->staged &&
           dim->number == run * fastest->number;
}

static void move_each_row(const struct motion *m, const struct position *at, int64_t count,
                          const struct staged_dim *row, int64_t rows)
{
    struct position here = *at;
    const bool counted = row->number != 0 && m->staged->dim[0].number == 0;
    if (m->pieces == 0) {
        move_rows(m, at, count, row, rows);
    } else if (counted && row->staged == count) {
        move_counted_rows(m, at, count, row, rows);
    } else {
        for (int64_t r = 0, alike; r < rows; r += alike) {
            alike = rows_alike(m, here.number, count, row, rows - r);
            move_ranged_rows(m, &here, count, row, alike);
            here.from += alike * row->stride;
            here.to += alike * row->staged;
            here.number += alike * row->number;
        }
    }
}

static void move_plane(const struct motion *m)
{
    static const struct staged_dim one = {STAGED_LINE, 1, 0, 0, 0};
    const struct cpu_staged *staged = m->staged;
    struct position at = {0, 0, m->number};
    int64_t counter[PASS_MAX_LOOPS + 1] = {0}, run = count_of(m, 0);
    int first = 1;
    for (; first < staged->dims && goes_on(&staged->dim[first], &staged->dim[0], run); first++)
        run *= count_of(m, first);
    const bool rows = first < staged->dims;
    const struct staged_dim *row = rows ? &staged->dim[first] : &one;
    const int64_t row_count = rows ? count_of(m, first) : 1;
    first += rows;
    for (int d = first - 1; d < staged->dims;) {
        move_each_row(m, &at, run, row, row_count);
        for (d = first; d < staged->dims; d++) {
            const struct staged_dim *dim = &staged->dim[d];
            const int64_t steps = ++counter[d] < count_of(m, d) ? 1 : 1 - counter[d];
            at.from += steps * dim->stride;
            at.to += steps * dim->staged;
            at.number += steps * dim->number;
            if (steps == 1) break;
            counter[d] = 0;
        }
    }
}

static void copy_singles(void *restrict to, const void *restrict from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof(float));
}

static void copy_doubles(void *restrict to, const void *restrict from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof(double));
}

static cpu_convert_function *find_conversion(const struct kernel *kernel, weft_storage storage,
                                             bool load)
{
    const struct cpu_general *general = cpu_general_of(kernel);
    if (storage == storage_of_precision(kernel->precision))
        return kernel->precision == WEFT_F64 ? copy_doubles : copy_singles;
    return load ? general->load[storage] : general->store[storage];
}

/* From a tile's numbers to the next one's, of so many bytes each. */
static int64_t onward_bytes(const struct kernel *kernel, int64_t number)
{
    const struct cpu_staged *staged = &kernel->staged[CPU_FROM];
    for (int d = 0; d < staged->dims; d++) {
        if (staged->dim[d].loop == 0) return kernel->main.columns * staged->dim[d].stride * number;
    }
    return 0;
}

static void move(const struct kernel *kernel, enum cpu_operand end,
                 const struct device_memory *memory, const struct staged_part *part,
                 const struct device_memory *copy)
{
    const struct cpu_staged *staged = &kernel->staged[end];
    const struct pass_range *range = &kernel->pass->range[end == CPU_TO];
    const bool real = kernel->real_place[end], load = end == CPU_FROM;
    const int unit = kernel->format[end] == WEFT_INTERLEAVED ? 2 : 1;
    const int stored = storage_bytes(staged->storage);
    const int64_t at = (memory->first * (real ? 1 : unit) + part->element * unit) * stored;
    struct motion m = {.staged = staged,
                       .number = part->number,
                       .convert = find_conversion(kernel, staged->storage, load),
                       .load = load,
                       .plain = staged->storage == storage_of_precision(kernel->precision),
                       .streams = kernel->staged_streams && !load,
                       .unit = unit,
                       .stored = stored,
                       .computed = kernel->real_bytes,
                       .columns = part->columns,
                       .caller = (char *)memory->re + at,
                       .copy = copy->re};
    if (load && kernel->ahead.wanted) m.onward = onward_bytes(kernel, unit * stored);
    if (range->range.count > 0) m.pieces = range_runs(range->range, range->n, m.piece);
    move_plane(&m);
    if (unit == 2 || (real && kernel->pass->lone)) return;
    m.caller = real ? m.caller + staged->pair * stored : (char *)memory->im + at;
    m.copy = copy->im;
    if (real) m.number += range->pair;
    move_plane(&m);
}

void staged_load(const struct kernel *kernel, const struct device_memory *from,
                 const struct staged_part *part, const struct device_memory *to)
{
    move(kernel, CPU_FROM, from, part, to);
}

void staged_store(const struct kernel *kernel, const struct device_memory *to,
                  const struct staged_part *part, const struct device_memory *from)
{
    move(kernel, CPU_TO, to, part, from);
}

/* ---- clearing ---- */

/* Lines that begin at a byte: their elements of a run. */
static void clear_lines(char *at, const struct cpu_fill *fill, const struct range *run,
                        int64_t columns, int64_t column_stride, int64_t bytes)
{
    const bool beside = column_stride == 1 || columns == 1;
    at += run->first * fill->stride * bytes;
    for (int64_t e = 0; e < run->count && beside; e++)
        memset(at + e * fill->stride * bytes, 0, (size_t)(columns * bytes));
    for (int64_t c = 0; c < columns && !beside && fill->stride == 1; c++)
        memset(at + c * column_stride * bytes, 0, (size_t)(run->count * bytes));
    for (int64_t i = 0; i < run->count * columns && !beside && fill->stride != 1; i++) {
        const int64_t element = i / columns * fill->stride + i % columns * column_stride;
        memset(at + element * bytes, 0, (size_t)bytes);
    }
}

void staged_fill(const struct kernel *kernel, const struct device_memory *memory, int64_t element,
                 int64_t columns)
{
    const struct cpu_fill *fill = &kernel->fill;
    const struct pass *pass = kernel->pass;
    const bool real = kernel->real_place[CPU_FROM];
    const int unit = kernel->format[CPU_FROM] == WEFT_INTERLEAVED ? 2 : 1;
    const int64_t at = (memory->first * (real ? 1 : unit) + element * unit) * kernel->real_bytes;
    const int64_t column_stride = pass->loops ? pass->loop[0].in_stride : 0;
    char *plane[] = {memory->re, unit == 2 || real ? NULL : memory->im};
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < fill->runs && plane[p]; i++) {
            clear_lines(plane[p] + at, fill, &fill->run[i], columns, column_stride,
                        unit * kernel->real_bytes);
        }
    }
}
