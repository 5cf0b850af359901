/* The exchange between two steps through shared memory, and how it avoids bank conflicts.
 *
 * Every exchange has a layout of its own: lines or columns one after the other, with a pad every so
 * many words (Govindaraju et al. 2008, IV.A). It is found by trying paddings on a sample of the
 * accesses that the threads will make. Steps of powers of two find one free of conflicts. */
#include "kernel/block_state.h"

#define BANKS 32
#define SAMPLE_GROUPS 4

/* ---- a trial: the accesses of SIMD groups, counted ---- */

struct trial {
    const struct block_shape *shape;
    const struct block_layout *layout;
    int step;
    bool writes; /* the step's results, or its inputs */
    int group;   /* threads served at once */
    int banks;   /* they may use, each as wide as an element */
};

static int64_t place_in(const struct block_layout *layout, int64_t column, int64_t element)
{
    int64_t packed = column * layout->column_stride + element * layout->element_stride;
    int64_t place = packed;
    for (int i = 0; i < BLOCK_PADDINGS && layout->pad[i]; i++) {
        place += packed / layout->every[i] * layout->pad[i];
    }
    return place;
}

static int64_t place_of_thread(const struct trial *trial, int64_t butterfly, int j)
{
    const struct block_shape *shape = trial->shape;
    const struct block_step *step = &shape->step[trial->step];
    int64_t count = shape->length / step->radix;
    int64_t column = step->columns_first ? butterfly % shape->columns : butterfly / count;
    int64_t index = step->columns_first ? butterfly / shape->columns : butterfly % count;
    int64_t element = trial->writes ? block_result_place(step, index, j)
                                    : block_input_place(step, index, j);
    return place_in(trial->layout, column, element);
}

/* Of threads `first` and up of a slot, at the j-th input or result. */
static int64_t group_conflicts(const struct trial *trial, int slot, int first, int j)
{
    int used[BANKS] = {0}, most = 1;
    int64_t start = (int64_t)slot * trial->shape->threads;
    int64_t end = block_tile_butterflies(trial->shape, trial->step);
    if (end > start + trial->shape->threads) end = start + trial->shape->threads;
    if (end > start + first + trial->group) end = start + first + trial->group;
    for (int64_t t = start + first; t < end; t++) {
        /* Threads of a step never share an element, so equal banks are conflicts. */
        int bank = (int)(place_of_thread(trial, t, j) % trial->banks);
        if (++used[bank] > most) most = used[bank];
    }
    return most - 1;
}

/* Counts until there are `enough`. */
static int64_t sampled_conflicts(const struct trial *trial, int64_t enough)
{
    int radix = trial->shape->step[trial->step].radix;
    const int sample[4] = {0, 1, radix / 2, radix - 1};
    int64_t conflicts = 0;
    for (int i = 0; i < 4; i++) {
        if (sample[i] >= radix) continue;
        for (int group = 0; group < SAMPLE_GROUPS && conflicts < enough; group++) {
            conflicts += group_conflicts(trial, 0, group * trial->group, sample[i]);
        }
    }
    return conflicts;
}

static int64_t all_conflicts(const struct trial *trial, int64_t enough)
{
    int slots = block_slots(trial->shape, trial->step);
    int64_t conflicts = 0;
    for (int slot = 0; slot < slots; slot++) {
        for (int first = 0; first < trial->shape->threads; first += trial->group) {
            for (int j = 0; j < trial->shape->step[trial->step].radix; j++) {
                conflicts += group_conflicts(trial, slot, first, j);
                if (conflicts >= enough) return conflicts;
            }
        }
    }
    return conflicts;
}

/* ---- the search ---- */

struct search {
    const struct block_shape *shape;
    int step, group, banks;
    int64_t capacity;
    bool exact; /* all accesses are counted: powers of two can do without any conflict */
    bool found;
    int64_t conflicts;
    struct block_layout best;
};

static void try_layout(struct search *search, struct block_layout layout)
{
    const struct block_shape *shape = search->shape;
    if (search->found && search->conflicts == 0) return;
    layout.size = place_in(&layout, shape->columns - 1, shape->length - 1) + 1;
    if (layout.size > search->capacity) return;
    struct trial write = {shape, &layout, search->step, true, search->group, search->banks};
    struct trial read = {shape, &layout, search->step + 1, false, search->group, search->banks};
    int64_t enough = search->found ? search->conflicts : INT64_MAX;
    int64_t conflicts = sampled_conflicts(&write, enough);
    conflicts += sampled_conflicts(&read, enough - conflicts);
    if (conflicts >= enough) return;
    if (search->exact) {
        conflicts = all_conflicts(&write, enough);
        conflicts += all_conflicts(&read, enough - conflicts);
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

static struct search search_layout(const struct block_shape *shape, int step, int group,
                                   int banks, int64_t capacity)
{
    struct search search = {
        .shape = shape, .step = step, .group = group, .banks = banks, .capacity = capacity};
    int64_t span = shape->step[step].before * shape->step[step].radix * shape->step[step].inner;
    int64_t words = shape->length * shape->columns;
    search.exact = (words & (words - 1)) == 0;
    try_padding(&search, words, 0);
    for (int64_t pad = 1; pad < banks; pad *= 2) {
        try_padding(&search, span, pad);
        for (int64_t every = 4; every < words; every *= 2) try_padding(&search, every, pad);
    }
    if (search.exact && !(search.found && search.conflicts == 0)) try_paddings(&search);
    return search;
}

bool block_choose_layouts(struct block_shape *shape, int simd_width, int element_words,
                          int64_t capacity, int64_t *conflicts)
{
    int banks = BANKS / element_words, group = banks < simd_width ? banks : simd_width;
    *conflicts = 0;
    shape->shared_count = 0;
    for (int s = 0; s < shape->steps; s++) {
        if (!block_exchanges(shape, s)) continue;
        struct search search = search_layout(shape, s, group, banks, capacity);
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
        if (permutes) element = ir_load_int(k->b, k->scatter, element);
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
        if (permutes) element = ir_load_int(k->b, k->gather, element);
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
