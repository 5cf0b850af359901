/* Where exchanges hold their elements in shared memory, so that accesses are free of bank conflicts
 * and their addresses cheap.
 *
 * Every exchange has a layout of its own: lines or columns one after the other, with a pad every so
 * many elements (Govindaraju et al. 2008, IV.A). It is found by trying paddings on a sample of the
 * accesses that the threads will make. Steps of powers of two find one free of conflicts. */
#include "kernel/block_cluster.h"

#define BANKS 32
#define SAMPLE_GROUPS 4

/* What stands in the way of an exchange, in instructions of a warp. Shared memory serves one access
 * a cycle, while instructions of so many warps are issued: */
#define CONFLICT_INSTRUCTIONS 4
/* An address that is not another one's and a constant: its paddings' quotient, product and sum. */
#define ADDRESS_INSTRUCTIONS 3
/* A layout twice as large as what it holds costs as much as if one of so many accesses had a
 * conflict: fewer blocks fit. */
#define GAP_PART 2

/* ---- the accesses of SIMD groups, counted ---- */

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

/* A pair of a cluster's columns, or rows, with their mirrors. */
static int64_t cluster_mirrored(const struct block_access *access, int64_t pair, bool other)
{
    const struct block_step *step = &access->shape->step[access->step];
    const int64_t first = block_first_of_pair(step, access->rank, pair);
    return other ? block_other_of_pair(step, access->rank, first) : first;
}

static int64_t paired_butterfly(const struct block_access *access, int64_t pair, bool other)
{
    const struct block_step *step = &access->shape->step[access->step];
    if (step->mirrors) return cluster_mirrored(access, pair, other);
    return other ? block_paired_butterfly(step, pair) : pair;
}

static struct spot spot_of(const struct block_access *access, int64_t butterfly, int j)
{
    const struct block_shape *shape = access->shape;
    const struct block_step *step = &shape->step[access->step];
    int64_t count = block_line_butterflies(shape, step);
    const int64_t slot = butterfly / shape->threads;
    if (step->paired) {
        butterfly -= (slot + 1) / 2 * shape->threads;
        count /= 2;
    }
    int64_t column = step->columns_first ? butterfly % shape->columns : butterfly / count;
    int64_t index = step->columns_first ? butterfly / shape->columns : butterfly % count;
    if (step->paired) index = paired_butterfly(access, index, slot % 2 != 0);
    int64_t element = access->writes ? block_result_place(step, index, j)
                                     : block_input_place(step, index, j);
    if (step->mirrored && step->mirrors) element = cluster_mirrored(access, index, j > 0);
    if (block_sends(access)) element = block_sent_place(shape, access->rank, element);
    if (block_receives(access)) element = block_received_place(shape, element);
    return (struct spot){(uint32_t)column, (uint32_t)element};
}

/* Of threads `first` and up of a slot, at the j-th input or result. */
static struct group group_of(const struct block_access *access, int slot, int first, int j)
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

/* What is sent begins anew with every block, and with mirrors in another order of butterflies. */
static void move_sent(struct group *group, const struct block_shape *shape, int j)
{
    const int64_t length = shape->length / shape->run[1], from = block_sent_row(shape, j - 1);
    const int64_t distance = (block_sent_row(shape, j) - from) * length;
    const bool turns = block_sends_mirror(shape, j) && !block_sends_mirror(shape, j - 1);
    for (int t = 0; t < group->threads; t++) {
        const int64_t i = group->element[t] / length - from;
        const int64_t further = turns ? block_sent_further(shape, i, j) - i : 0;
        group->element[t] += (uint32_t)(distance + further * length);
    }
}

/* From the (j-1)-th input or result to the j-th. */
static void move_group(struct group *group, const struct block_access *access, int j)
{
    const struct block_step *step = &access->shape->step[access->step];
    if (step->mirrored) {
        const int bits = (j - 1) ^ j;
        for (int t = 0; t < group->threads; t++) {
            const int64_t place = group->element[t];
            group->element[t] =
                (uint32_t)(step->mirrors ? block_other_of_pair(step, access->rank, place)
                                         : block_mirrored_place(step, place, bits));
        }
        return;
    }
    if (block_sends(access)) {
        if (j < step->radix) move_sent(group, access->shape, j);
        return;
    }
    int64_t count = access->writes ? step->before : step->n / step->radix;
    int64_t distance = block_receives(access) ? count : count * step->inner;
    for (int t = 0; t < group->threads; t++)
        group->element[t] += (uint32_t)distance;
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
    struct group write, read; /* first elements of threads far and wide, to judge addresses by */
};

static void take_groups(struct sample *sample, const struct block_access *access)
{
    int radix = access->shape->step[access->step].radix;
    const int j[SAMPLE_ELEMENTS] = {0, 1, radix / 2, radix - 1};
    for (int i = 0; i < SAMPLE_ELEMENTS; i++) {
        if (j[i] >= radix) continue;
        for (int group = 0; group < SAMPLE_GROUPS; group++)
            sample->group[sample->groups++] = group_of(access, 0, group * access->group, j[i]);
    }
}

static void add_thread(struct group *group, const struct block_access *access, int64_t butterfly)
{
    const struct spot spot = spot_of(access, butterfly, 0);
    group->column[group->threads] = spot.column;
    group->element[group->threads++] = spot.element;
}

static void take_threads(struct group *group, const struct block_access *access)
{
    int64_t threads = access->shape->threads, apart = threads / BANKS;
    apart += apart % 2 == 0; /* no power of two, so that carries are met */
    for (int64_t t = 0; t < threads && group->threads < BANKS; t += apart)
        add_thread(group, access, t);
}

/* True if all threads' elements lie equally far, *distance, behind their first ones. */
static bool keeps_distance(const struct group *group, const struct block_layout *layout,
                           const uint32_t first[BANKS], uint32_t *distance)
{
    uint32_t place[BANKS], differing = 0;
    find_places(layout, group, place);
    *distance = place[0] - first[0];
    for (int t = 0; t < group->threads; t++)
        differing |= (place[t] - first[t]) ^ *distance;
    return differing == 0;
}

/* Addresses beyond the first that are not the first one's and a constant. */
static int count_addresses(struct group group, const struct block_access *access,
                           const struct block_layout *layout)
{
    uint32_t first[BANKS], distance;
    int count = 0;
    find_places(layout, &group, first);
    for (int j = 1; j < access->shape->step[access->step].radix; j++) {
        move_group(&group, access, j);
        count += !keeps_distance(&group, layout, first, &distance);
    }
    return count;
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

static int64_t all_conflicts(const struct block_access *access, const struct block_layout *layout,
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
                move_group(&group, access, j + 1);
            }
        }
    }
    return conflicts;
}

/* ---- the search ---- */

struct search {
    const struct block_shape *shape;
    int step, banks; /* a power of two of banks, each as wide as an element */
    struct block_access write, read;
    struct sample sample;
    int64_t capacity;
    bool exact; /* all accesses are counted: powers of two can do without any conflict */
    bool free_only; /* layouts with conflicts are given up at the first */
    bool found;
    int64_t conflicts;
    int64_t score; /* what the best layout's conflicts and addresses come to */
    struct block_layout best;
};

/* A conflict of the sample stands for as many as the accesses are more than it has. */
static int64_t conflict_weight(const struct search *search)
{
    const struct block_step *write = &search->shape->step[search->step];
    int64_t accesses = write[0].radix + write[1].radix;
    int64_t parts = BANKS / search->write.group; /* in which a warp is served */
    return CONFLICT_INSTRUCTIONS * accesses * parts;
}

static int64_t address_weight(const struct search *search)
{
    return (int64_t)ADDRESS_INSTRUCTIONS * search->sample.groups;
}

static int64_t gap_weight(const struct search *search, const struct block_layout *layout)
{
    int64_t words = search->shape->length * search->shape->columns;
    int64_t all = conflict_weight(search) * search->sample.groups;
    return all / GAP_PART * (layout->size - words) / words;
}

/* False if the layout is no better than the best. */
static bool judge(const struct search *search, const struct block_layout *layout, int64_t *score,
                  int64_t *conflicts)
{
    int64_t weight = conflict_weight(search);
    int64_t enough = search->found ? search->score / weight + 1 : INT64_MAX;
    if (search->free_only) enough = 1;
    *conflicts = sampled_conflicts(&search->sample, layout, search->banks, enough);
    if (*conflicts >= enough) return false;
    int64_t addresses = count_addresses(search->sample.write, &search->write, layout);
    addresses += count_addresses(search->sample.read, &search->read, layout);
    *score = *conflicts * weight + addresses * address_weight(search);
    *score += gap_weight(search, layout);
    return !search->found || *score < search->score;
}

/* The same for powers of two: all conflicts, and nothing else. */
static bool judge_exactly(const struct search *search, const struct block_layout *layout,
                          int64_t *conflicts)
{
    int64_t enough = search->free_only ? 1 : search->found ? search->conflicts : INT64_MAX;
    *conflicts = sampled_conflicts(&search->sample, layout, search->banks, enough);
    if (*conflicts >= enough) return false;
    *conflicts = all_conflicts(&search->write, layout, search->banks, enough);
    *conflicts += all_conflicts(&search->read, layout, search->banks, enough - *conflicts);
    return *conflicts < enough;
}

static void try_layout(struct search *search, struct block_layout layout)
{
    const struct block_shape *shape = search->shape;
    const struct group last = {
        1, {(uint32_t)shape->columns - 1}, {(uint32_t)shape->length - 1}};
    uint32_t place[BANKS];
    int64_t conflicts, score = 0;
    if (search->found && search->conflicts == 0 && search->score == 0) return;
    find_places(&layout, &last, place);
    layout.size = (int64_t)place[0] + 1;
    if (layout.size > search->capacity) return;
    bool better = search->exact ? judge_exactly(search, &layout, &conflicts)
                                : judge(search, &layout, &score, &conflicts);
    if (!better) return;
    search->found = true;
    search->conflicts = conflicts;
    search->score = score;
    search->best = layout;
}

/* Lines one after the other, or columns side by side, with a gap after each. A padding follows
 * every so many words, or elements of a line where columns are side by side. */
static void try_padding(struct search *search, int64_t every, int64_t pad, bool elements)
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
        if (elements) layout.every[0] *= layout.element_stride;
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

/* Paddings in whose steps a thread's elements lie leave their addresses a constant apart; 0: the
 * tile has fewer elements than a butterfly has corners. */
static void try_natural(struct search *search, int64_t step)
{
    for (int64_t every = step; every > 0 && every < search->shape->length; every *= 2) {
        for (int64_t pad = 1; pad < search->banks; pad *= 2)
            try_padding(search, every, pad, true);
    }
}

static void try_all(struct search *search)
{
    const struct block_step *write = &search->shape->step[search->step], *read = write + 1;
    int64_t words = search->shape->length * search->shape->columns;
    try_padding(search, words, 0, false);
    try_natural(search, write->before * write->radix * write->inner);
    if (!search->exact) try_natural(search, read->n / read->radix * read->inner);
    for (int64_t every = 4; every < words; every *= 2) {
        for (int64_t pad = 1; pad < search->banks; pad *= 2)
            try_padding(search, every, pad, false);
    }
    if (search->exact && !(search->found && search->conflicts == 0)) try_paddings(search);
}

/* Powers of two nearly always find a layout free of conflicts, so that is looked for first, which
 * is quick. */
static void search_layout(struct search *search)
{
    int64_t words = search->shape->length * search->shape->columns;
    take_groups(&search->sample, &search->write);
    take_groups(&search->sample, &search->read);
    take_threads(&search->sample.write, &search->write);
    take_threads(&search->sample.read, &search->read);
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
                                .write = {shape, s, true, group, 0},
                                /* The first block's ends of pairs are not all mirrors. */
                                .read = {shape, s + 1, false, group, shape->cluster - 1}};
        search_layout(&search);
        if (!search.found) return false;
        *conflicts += search.conflicts;
        shape->layout[s] = search.best;
        if (search.best.size > shape->shared_count) shape->shared_count = search.best.size;
    }
    return true;
}

/* ---- what the code may rely on ---- */

/* First elements of threads `begin` and up of a slot. Those without a butterfly take the 0-th. */
static struct group threads_of(const struct block_access *access, int slot, int begin)
{
    struct group group = {0};
    int64_t first = (int64_t)slot * access->shape->threads;
    int64_t butterflies = block_tile_butterflies(access->shape, access->step);
    for (int t = begin; t < access->shape->threads && group.threads < BANKS; t++)
        add_thread(&group, access, first + t < butterflies ? first + t : 0);
    return group;
}

/* Of one block; `begun`: the distances hold for others already. */
static void keep_distances(const struct block_layout *layout, const struct block_access *access,
                           int slot, bool begun, struct block_distance distance[LIMITS_MAX_RADIX])
{
    int radix = access->shape->step[access->step].radix;
    for (int begin = 0; begin < access->shape->threads; begin += BANKS) {
        struct group group = threads_of(access, slot, begin);
        uint32_t first[BANKS], number;
        find_places(layout, &group, first);
        for (int j = 0; j < radix; j++) {
            bool same = keeps_distance(&group, layout, first, &number);
            if (!begun) distance[j] = (struct block_distance){same, (int32_t)number};
            else distance[j].same &= same && distance[j].number == (int32_t)number;
            move_group(&group, access, j + 1);
        }
        begun = true;
    }
}

void block_layout_distances(const struct block_layout *layout, const struct block_access *access,
                            int slot, struct block_distance distance[LIMITS_MAX_RADIX])
{
    struct block_access own = *access;
    const bool differ = block_sends(access) || access->shape->step[access->step].mirrors > 0;
    int blocks = differ ? access->shape->cluster : 1;
    for (own.rank = 0; own.rank < blocks; own.rank++)
        keep_distances(layout, &own, slot, own.rank > 0, distance);
}
