/* The exchange between two steps through shared memory, and how it avoids bank conflicts.
 *
 * Every exchange has a layout of its own: lines or columns one after the other, with a pad every so
 * many words (Govindaraju et al. 2008, IV.A). It is found by trying paddings on a sample of the
 * accesses that the threads will make. Steps of powers of two find one free of conflicts. */
#include "kernel/block_state.h"

#define BANKS 32
#define SAMPLE_GROUPS 4

/* ---- the accesses of SIMD groups, counted ---- */

/* The threads of a step as they access shared memory. */
struct access {
    const struct block_shape *shape;
    int step;
    bool writes; /* the step's results, or its inputs */
    int group;   /* threads served at once */
};

struct spot {
    uint32_t column, element;
};

/* What a group of threads touches at once; 0 beyond the last of them. */
struct group {
    int threads;
    uint32_t column[BANKS], element[BANKS];
};

/* place[t] += packed[t] / every * pad: here the search spends its time. Nearly always `every` is a
 * power of two, and the loop becomes one of vectors. */
static void add_padding(const uint32_t *packed, uint32_t every, uint32_t pad, uint32_t *place)
{
    if (every & (every - 1)) {
        for (int t = 0; t < BANKS; t++) place[t] += packed[t] / every * pad;
    } else {
        const int shift = __builtin_ctz(every);
        for (int t = 0; t < BANKS; t++) place[t] += (packed[t] >> shift) * pad;
    }
}

/* Tiles are far smaller than 2^32, and narrow divisions several times as fast. */
static void find_places(const struct block_layout *layout, const struct group *group,
                        uint32_t place[BANKS])
{
    const uint32_t column = (uint32_t)layout->column_stride;
    const uint32_t element = (uint32_t)layout->element_stride;
    uint32_t packed[BANKS];
    for (int t = 0; t < BANKS; t++)
        place[t] = packed[t] = group->column[t] * column + group->element[t] * element;
    for (int i = 0; i < BLOCK_PADDINGS && layout->pad[i]; i++)
        add_padding(packed, (uint32_t)layout->every[i], (uint32_t)layout->pad[i], place);
}

static struct spot spot_of(const struct access *access, int64_t butterfly, int j)
{
    const struct block_shape *shape = access->shape;
    const struct block_step *step = &shape->step[access->step];
    int64_t count = shape->length / step->radix;
    int64_t column = step->columns_first ? butterfly % shape->columns : butterfly / count;
    int64_t index = step->columns_first ? butterfly / shape->columns : butterfly % count;
    int64_t element = access->writes ? block_result_place(step, index, j)
                                     : block_input_place(step, index, j);
    return (struct spot){(uint32_t)column, (uint32_t)element};
}

/* Of threads `first` and up of a slot, at the j-th input or result. */
static struct group group_of(const struct access *access, int slot, int first, int j)
{
    struct group group = {0};
    int64_t start = (int64_t)slot * access->shape->threads;
    int64_t end = block_tile_butterflies(access->shape, access->step);
    if (end > start + access->shape->threads) end = start + access->shape->threads;
    if (end > start + first + access->group) end = start + first + access->group;
    for (int64_t t = start + first; t < end; t++) {
        const struct spot spot = spot_of(access, t, j);
        group.column[group.threads] = spot.column;
        group.element[group.threads++] = spot.element;
    }
    return group;
}

/* To the next input or result. */
static void move_group(struct group *group, const struct access *access)
{
    const struct block_step *step = &access->shape->step[access->step];
    int64_t count = access->writes ? step->before : step->n / step->radix;
    for (int t = 0; t < group->threads; t++)
        group->element[t] += (uint32_t)(count * step->inner);
}

/* Threads of a step never share an element, so equal banks are conflicts. */
static int64_t group_conflicts(const struct group *group, const struct block_layout *layout,
                               int banks)
{
    uint32_t place[BANKS];
    find_places(layout, group, place);
    unsigned char used[BANKS] = {0};
    int most = 1;
    for (int t = 0; t < group->threads; t++) {
        const uint32_t bank = place[t] & (uint32_t)(banks - 1);
        if (++used[bank] > most) most = used[bank];
    }
    return most - 1;
}

/* Some groups of both sides of an exchange, to judge many layouts by. */
#define SAMPLE_ELEMENTS 4
struct sample {
    int groups;
    struct group group[2 * SAMPLE_ELEMENTS * SAMPLE_GROUPS];
};

static void take_sample(struct sample *sample, const struct access *access)
{
    int radix = access->shape->step[access->step].radix;
    const int j[SAMPLE_ELEMENTS] = {0, 1, radix / 2, radix - 1};
    for (int i = 0; i < SAMPLE_ELEMENTS; i++) {
        if (j[i] >= radix) continue;
        for (int group = 0; group < SAMPLE_GROUPS; group++)
            sample->group[sample->groups++] = group_of(access, 0, group * access->group, j[i]);
    }
}

/* Counts until there are `enough`. */
static int64_t sampled_conflicts(const struct sample *sample, const struct block_layout *layout,
                                 int banks, int64_t enough)
{
    int64_t conflicts = 0;
    for (int i = 0; i < sample->groups && conflicts < enough; i++)
        conflicts += group_conflicts(&sample->group[i], layout, banks);
    return conflicts;
}

static int64_t all_conflicts(const struct access *access, const struct block_layout *layout,
                             int banks, int64_t enough)
{
    int slots = block_slots(access->shape, access->step);
    int64_t conflicts = 0;
    for (int slot = 0; slot < slots; slot++) {
        for (int first = 0; first < access->shape->threads; first += access->group) {
            struct group group = group_of(access, slot, first, 0);
            for (int j = 0; j < access->shape->step[access->step].radix; j++) {
                conflicts += group_conflicts(&group, layout, banks);
                if (conflicts >= enough) return conflicts;
                move_group(&group, access);
            }
        }
    }
    return conflicts;
}

/* ---- the search ---- */

struct search {
    const struct block_shape *shape;
    int step, banks; /* a power of two of banks, each as wide as an element */
    struct access write, read;
    struct sample sample;
    int64_t capacity;
    bool exact; /* all accesses are counted: powers of two can do without any conflict */
    bool free_only; /* layouts with conflicts are given up at the first */
    bool found;
    int64_t conflicts;
    struct block_layout best;
};

static void try_layout(struct search *search, struct block_layout layout)
{
    const struct block_shape *shape = search->shape;
    const struct group last = {
        1, {(uint32_t)shape->columns - 1}, {(uint32_t)shape->length - 1}};
    if (search->found && search->conflicts == 0) return;
    uint32_t place[BANKS];
    find_places(&layout, &last, place);
    layout.size = (int64_t)place[0] + 1;
    if (layout.size > search->capacity) return;
    int64_t enough = search->free_only ? 1 : search->found ? search->conflicts : INT64_MAX;
    int64_t conflicts = sampled_conflicts(&search->sample, &layout, search->banks, enough);
    if (conflicts >= enough) return;
    if (search->exact) {
        conflicts = all_conflicts(&search->write, &layout, search->banks, enough);
        conflicts += all_conflicts(&search->read, &layout, search->banks, enough - conflicts);
        if (conflicts >= enough) return;
    }
    search->found = true;
    search->conflicts = conflicts;
    search->best = layout;
}

/* Lines one after the other, or columns side by side, with a gap after each. */
static void try_padding(struct search *search, int64_t every, int64_t pad)
{
    int64_t columns = search->shape->columns, length = search->shape->length;
    int64_t count = length / search->shape->step[search->step + 1].radix;
    /* The last gap puts a line's butterflies right behind those of the line before. */
    int64_t aligned = (count - length % search->banks + search->banks) % search->banks;
    const int64_t gaps[] = {0, 1, 2, 4, 8, 16, aligned};
    int choices = columns == 1 ? 1 : sizeof gaps / sizeof *gaps;
    for (int i = 0; i < choices; i++) {
        struct block_layout layout = {.every = {every}, .pad = {pad}};
        layout.column_stride = length + gaps[i];
        layout.element_stride = 1;
        try_layout(search, layout);
        layout.column_stride = 1;
        layout.element_stride = columns + gaps[i];
        try_layout(search, layout);
    }
}

/* Adds a padding to the layout in each way there is. */
static void try_more_padding(struct search *search, struct block_layout layout, int paddings)
{
    int64_t words = search->shape->length * search->shape->columns;
    for (int64_t every = 4; every < words; every *= 2) {
        for (int64_t pad = 1; pad < search->banks; pad *= 2) {
            layout.every[paddings] = every;
            layout.pad[paddings] = pad;
            try_layout(search, layout);
        }
    }
}

/* Several paddings at once, for what one cannot do: mostly lines that are turned into columns. All
 * pairs are tried, then the best is improved as long as that helps. */
static void try_paddings(struct search *search)
{
    const struct block_shape *shape = search->shape;
    int64_t words = shape->length * shape->columns;
    for (int64_t every = 4; every < words; every *= 2) {
        for (int64_t pad = 1; pad < search->banks; pad *= 2) {
            struct block_layout lines = {shape->length, 1, {every}, {pad}, 0};
            struct block_layout columns = {1, shape->columns, {every}, {pad}, 0};
            try_more_padding(search, lines, 1);
            try_more_padding(search, columns, 1);
        }
    }
    for (int paddings = 2; search->found && paddings < BLOCK_PADDINGS; paddings++) {
        try_more_padding(search, search->best, paddings);
    }
}

static void try_all(struct search *search)
{
    const struct block_step *step = &search->shape->step[search->step];
    int64_t span = step->before * step->radix * step->inner;
    int64_t words = search->shape->length * search->shape->columns;
    try_padding(search, words, 0);
    for (int64_t pad = 1; pad < search->banks; pad *= 2) {
        try_padding(search, span, pad);
        for (int64_t every = 4; every < words; every *= 2) try_padding(search, every, pad);
    }
    if (search->exact && !(search->found && search->conflicts == 0)) try_paddings(search);
}

/* Powers of two nearly always find a layout free of conflicts, so that is looked for first, which
 * is quick. */
static void search_layout(struct search *search)
{
    int64_t words = search->shape->length * search->shape->columns;
    take_sample(&search->sample, &search->write);
    take_sample(&search->sample, &search->read);
    search->exact = (words & (words - 1)) == 0;
    search->free_only = search->exact;
    try_all(search);
    if (!search->exact || search->found) return;
    search->free_only = false;
    try_all(search);
}

bool block_choose_layouts(struct block_shape *shape, int simd_width, int element_words,
                          int64_t capacity, int64_t *conflicts)
{
    int banks = BANKS / element_words, group = banks < simd_width ? banks : simd_width;
    *conflicts = 0;
    shape->shared_count = 0;
    for (int s = 0; s < shape->steps; s++) {
        if (!block_exchanges(shape, s)) continue;
        struct search search = {.shape = shape, .step = s, .banks = banks, .capacity = capacity,
                                .write = {shape, s, true, group},
                                .read = {shape, s + 1, false, group}};
        search_layout(&search);
        if (!search.found) return false;
        *conflicts += search.conflicts;
        shape->layout[s] = search.best;
        if (search.best.size > shape->shared_count) shape->shared_count = search.best.size;
    }
    return true;
}

/* ---- the code ---- */

static ir_value shared_index(struct block *k, const struct block_layout *layout, ir_value column,
                             ir_value element)
{
    struct ir_builder *b = k->b;
    ir_value packed = ir_int_add(b, ir_int_mul(b, element, ir_int(b, layout->element_stride)),
                                 ir_int_mul(b, column, ir_int(b, layout->column_stride)));
    ir_value index = packed;
    for (int i = 0; i < BLOCK_PADDINGS && layout->pad[i]; i++) {
        ir_value pads = ir_int_div(b, packed, ir_int(b, layout->every[i]));
        index = ir_int_add(b, index, ir_int_mul(b, pads, ir_int(b, layout->pad[i])));
    }
    return index;
}

/* Where a permutation moves an element to. Its range is told only where it must be known, since the
 * kernels of other devices were measured as they are. */
static ir_value permuted(struct block *k, int table, ir_value element)
{
    if (!k->narrow) return ir_load_int(k->b, table, element);
    return ir_load_int_below(k->b, table, element, k->pass->length);
}

/* parts: bit 0 the real, bit 1 the imaginary parts. Rader's permutations are those of the exchanges
 * after the move that gathers and before the one that scatters: shared memory takes any order,
 * where global memory wants neighbours. */
static void write_slot(struct block *k, int step, int slot, const struct ir_complex *x, int parts)
{
    struct block_spot spot = block_spot(k, step, slot);
    bool permutes = k->pass->body == PASS_RADER && step == k->shape.steps - 2;
    ir_if(k->b, spot.valid);
    for (int j = 0; j < k->shape.step[step].radix; j++) {
        ir_value element = block_result_element(k, step, spot.index, j);
        if (permutes) element = permuted(k, k->scatter, element);
        ir_value index = shared_index(k, &k->shape.layout[step], spot.column, element);
        if (parts & 1) ir_store(k->b, k->shared[0], index, x[j].re);
        if (parts & 2) ir_store(k->b, k->shared[1], index, x[j].im);
    }
    ir_end(k->b);
}

static void read_slot(struct block *k, int step, int slot, struct ir_complex *x, int parts)
{
    struct block_spot spot = block_spot(k, step + 1, slot);
    bool permutes = k->pass->body == PASS_RADER && step == 0;
    for (int j = 0; j < k->shape.step[step + 1].radix; j++) {
        ir_value element = block_input_element(k, step + 1, spot.index, j);
        if (permutes) element = permuted(k, k->gather, element);
        ir_value index = shared_index(k, &k->shape.layout[step], spot.column, element);
        if (parts & 1) x[j].re = ir_load(k->b, k->shared[0], index);
        if (parts & 2) x[j].im = ir_load(k->b, k->shared[1], index);
    }
}

static void exchange_parts(struct block *k, int step, const struct ir_complex *from,
                           struct ir_complex *to, int parts)
{
    if (k->shared_used) ir_barrier(k->b);
    k->shared_used = true;
    for (int slot = 0; slot < block_slots(&k->shape, step); slot++) {
        write_slot(k, step, slot, from + slot * k->shape.step[step].radix, parts);
    }
    ir_barrier(k->b);
    for (int slot = 0; slot < block_slots(&k->shape, step + 1); slot++) {
        read_slot(k, step, slot, to + slot * k->shape.step[step + 1].radix, parts);
    }
}

void block_exchange(struct block *k, int step, const struct ir_complex *from,
                    struct ir_complex *to)
{
    if (k->shape.apart) {
        exchange_parts(k, step, from, to, 1);
        exchange_parts(k, step, from, to, 2);
    } else {
        exchange_parts(k, step, from, to, 3);
    }
}
