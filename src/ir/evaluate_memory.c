/* The evaluator's memory: who touched which word, bank conflicts, transactions. */
#include <math.h>

#include "ir/evaluate.h"

#define BANK_BYTES 4
#define MAX_BANKS 64
#define MAX_GROUP 64
/* Strides may spread a few elements over more words than there is memory for notes on them. */
#define MOST_WATCHED_WORDS (INT64_C(1) << 24)

/* ---- setting up ---- */

/* The addresses that overlapping buffers cover together. */
struct region {
    char *begin, *end;
    int unit;     /* bytes of a word: of the smallest part of an element */
    bool written; /* by a buffer that is writable */
    struct ir_word *word;
};

static bool overlaps(const struct region *x, const struct region *y)
{
    return x->begin < y->end && y->begin < x->end;
}

static bool widen(struct region *x, const struct region *y)
{
    struct region old = *x;
    if (y->begin < x->begin) x->begin = y->begin;
    if (y->end > x->end) x->end = y->end;
    if (y->unit < x->unit) x->unit = y->unit;
    x->written |= y->written;
    return x->begin != old.begin || x->end != old.end || x->unit != old.unit ||
           x->written != old.written;
}

/* Widens the region of every buffer until those that overlap are equal. */
static void merge(struct region *region, int count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                if (!overlaps(&region[i], &region[j])) continue;
                changed |= widen(&region[i], &region[j]);
            }
        }
    }
}

static bool init_shared(struct ir_memory *memory, const struct ir_buffer *buffer, int blocks,
                        arena *a, int64_t *bank_offset)
{
    size_t reals = (size_t)buffer->count * (size_t)(memory->parts * blocks);
    memory->shared = true;
    memory->count = buffer->count;
    memory->data = arena_array(a, reals, sizeof(double));
    memory->word = arena_array(a, reals, sizeof *memory->word);
    memory->bank_offset = *bank_offset;
    *bank_offset += buffer->count * memory->bytes;
    return memory->data && memory->word;
}

static bool init_own(struct ir_memory *memory, const struct ir_buffer *buffer, int threads,
                     arena *a)
{
    memory->own = true;
    memory->count = buffer->count;
    memory->data = arena_array(a, (size_t)(buffer->count * memory->parts * threads),
                               sizeof(double));
    return memory->data;
}

/* Gives the buffers that may be written, and those that overlap them, their words. */
static bool init_words(struct ir_run *run, struct region *region, arena *a)
{
    int buffers = run->kernel->buffer_count;
    merge(region, buffers);
    for (int i = 0; i < buffers; i++) {
        struct ir_memory *memory = &run->memory[i];
        if (memory->shared || memory->own || !region[i].written || !memory->data) continue;
        for (int j = 0; j < i && !region[i].word; j++) {
            if (overlaps(&region[i], &region[j])) region[i].word = region[j].word;
        }
        int64_t words = (region[i].end - region[i].begin) / region[i].unit;
        if (words > MOST_WATCHED_WORDS) continue;
        if (!region[i].word) region[i].word = arena_array(a, (size_t)words, sizeof(struct ir_word));
        if (!region[i].word) return false;
        memory->word = region[i].word + (memory->data - region[i].begin) / region[i].unit;
        memory->words = memory->bytes / memory->parts / region[i].unit;
    }
    return true;
}

bool ir_memory_init(struct ir_run *run, arena *a)
{
    const struct ir_launch *launch = run->launch;
    struct region region[IR_MAX_BUFFERS] = {{0}};
    int64_t bank_offset = 0;
    for (int i = 0; i < run->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &run->kernel->buffer[i];
        struct ir_memory *memory = &run->memory[i];
        memory->parts = buffer->pairs ? 2 : 1;
        memory->words = 1;
        memory->storage = buffer->storage;
        if (!memory->storage)
            memory->storage = launch->single ? WEFT_STORED_F32 : WEFT_STORED_F64;
        memory->bytes = memory->parts * storage_bytes(memory->storage);
        if (buffer->base >= 0) memory->base = launch->params[buffer->base];
        if (buffer->kind == IR_SHARED) {
            int blocks = run->kernel->cluster;
            if (!init_shared(memory, buffer, blocks, a, &bank_offset)) return false;
            continue;
        }
        if (buffer->kind == IR_PRIVATE) {
            if (!init_own(memory, buffer, run->threads, a)) return false;
            continue;
        }
        if (buffer->kind == IR_TABLE) memory->bytes = (int)sizeof(int32_t);
        memory->data = launch->buffer[i];
        memory->count = memory->data ? launch->buffer_count[i] : 0;
        region[i].written = buffer->writable;
        region[i].unit = memory->bytes / memory->parts;
        region[i].begin = memory->data;
        region[i].end = memory->data ? memory->data + memory->count * memory->bytes : NULL;
    }
    return init_words(run, region, a);
}

void ir_memory_begin_block(struct ir_run *run)
{
    for (int i = 0; i < run->kernel->buffer_count; i++) {
        const struct ir_memory *memory = &run->memory[i];
        if (!memory->shared && !memory->own) continue;
        double *data = (double *)(void *)memory->data;
        const int64_t holders = memory->own ? run->threads : run->kernel->cluster;
        const int64_t reals = memory->count * memory->parts * holders;
        for (int64_t j = 0; j < reals; j++) data[j] = NAN;
    }
}

/* ---- races ---- */

/* True if what was done in `epoch` by `who` is not ordered before what `thread` does now. Clusters
 * run in any order, but each has shared memory of its own. */
static bool is_unordered(const struct ir_run *run, bool shared, int64_t epoch, int32_t who,
                         int thread)
{
    if (epoch == 0) return false;
    if (epoch < run->block_epoch) return !shared;
    if (who != IR_MANY_READERS && ir_rank(run, who) != ir_rank(run, thread))
        return epoch >= run->cluster_epoch;
    return epoch == run->epoch && who != thread;
}

static void note_read(const struct ir_run *run, struct ir_word *word, int thread)
{
    if (!word->first_read_epoch) word->first_read_epoch = run->epoch;
    bool alone = word->read_epoch != run->epoch || word->reader == thread;
    word->reader = alone ? thread : IR_MANY_READERS;
    word->read_epoch = run->epoch;
}

/* Shared memory is read by its own block alone, whichever of its threads that were. */
static int32_t reader_of(const struct ir_run *run, const struct ir_memory *memory,
                         const struct ir_word *word, int thread)
{
    int64_t block = memory->shared ? (word - memory->word) / (memory->count * memory->parts) : 0;
    bool own = !memory->shared || block == ir_rank(run, thread);
    return own ? word->reader : (int32_t)(block * run->in_block);
}

static void check_race(struct ir_run *run, ir_value v, const struct ir_memory *memory,
                       struct ir_word *word, int thread)
{
    bool store = ir_is_store(run->kernel->node[v].op);
    bool race = is_unordered(run, memory->shared, word->write_epoch, word->writer, thread);
    if (store && !race) {
        race = is_unordered(run, memory->shared, word->read_epoch,
                            reader_of(run, memory, word, thread), thread) ||
               (!memory->shared && word->first_read_epoch &&
                word->first_read_epoch < run->block_epoch);
    }
    if (race) {
        run->report->races++;
        ir_report_defect(run, v, thread, store ? "writes what another thread touched"
                                               : "reads what another thread wrote");
    }
    if (store) {
        word->write_epoch = run->epoch;
        word->writer = thread;
    } else {
        note_read(run, word, thread);
    }
}

static void check_races(struct ir_run *run, ir_value v, const struct ir_memory *memory, int thread)
{
    const int words = memory->parts * memory->words;
    struct ir_word *word = &memory->word[run->address[thread] * words];
    for (int i = 0; i < words; i++) check_race(run, v, memory, word + i, thread);
}

/* ---- counting ---- */

/* Cycles beyond the first that threads [first, first + count) need: words of one bank, unless they
 * are the same word, come one after the other. */
static int64_t count_conflicts(struct ir_run *run, const struct ir_memory *memory, int first,
                               int count, int banks)
{
    int32_t newest[MAX_BANKS], distinct[MAX_BANKS];
    for (int i = 0; i < banks; i++) newest[i] = distinct[i] = 0;
    int32_t most = 1;
    for (int t = first; t < first + count; t++) {
        int64_t address = run->address[t];
        if (address == IR_NO_ADDRESS) continue;
        int64_t own = address % memory->count;
        int bank = (int)((own + memory->bank_offset / memory->bytes) % banks);
        int32_t other = newest[bank]; /* thread + 1, so that 0 ends a chain */
        while (other && run->address[other - 1] != address) other = run->chain[other - 1];
        if (other) continue;
        run->chain[t] = newest[bank];
        newest[bank] = t + 1;
        if (++distinct[bank] > most) most = distinct[bank];
    }
    return most - 1;
}

/* A wide group, or one of wide elements, is served in parts of which each could use every bank
 * once. */
static void count_shared(struct ir_run *run, const struct ir_memory *memory, int first, int count)
{
    int banks = run->launch->banks / (memory->bytes / BANK_BYTES);
    if (banks > MAX_BANKS) banks = MAX_BANKS;
    run->report->shared_accesses++;
    for (int part = 0; part < count; part += banks) {
        int size = count - part < banks ? count - part : banks;
        run->report->bank_conflicts += count_conflicts(run, memory, first + part, size, banks);
    }
}

static void count_global(struct ir_run *run, const struct ir_memory *memory, int first, int count)
{
    int64_t segment[MAX_GROUP];
    int segments = 0, accesses = 0;
    for (int t = first; t < first + count; t++) {
        if (run->address[t] == IR_NO_ADDRESS) continue;
        accesses++;
        int64_t touched = run->address[t] * memory->bytes / run->launch->coalescing_bytes;
        int i = segments - 1;
        while (i >= 0 && segment[i] != touched) i--;
        if (i < 0) segment[segments++] = touched;
    }
    int width = run->launch->coalescing_bytes;
    run->report->transactions += segments;
    run->report->ideal_transactions += (accesses * memory->bytes + width - 1) / width;
}

static void count_group(struct ir_run *run, const struct ir_memory *memory, int first, int count)
{
    bool any = false;
    for (int t = first; t < first + count; t++) any |= run->address[t] != IR_NO_ADDRESS;
    if (!any) return;
    if (memory->shared) count_shared(run, memory, first, count);
    else count_global(run, memory, first, count);
}

/* ---- accesses ---- */

static void find_addresses(struct ir_run *run, ir_value v, const struct ir_memory *memory,
                           const bool *active)
{
    const struct ir_node *node = &run->kernel->node[v];
    const union ir_slot *index = run->value + (int64_t)node->b * run->threads;
    for (int t = 0; t < run->threads; t++) {
        run->address[t] = IR_NO_ADDRESS;
        if (!active[t]) continue;
        int64_t address = memory->base + index[t].integer + node->lane_stride * t + node->offset;
        if (address >= 0 && address < memory->count) {
            int block = node->peer > 0 ? node->peer - 1 : ir_rank(run, t);
            int64_t holder = memory->own ? t : memory->shared ? block : 0;
            run->address[t] = address + holder * memory->count;
            continue;
        }
        run->report->out_of_bounds++;
        ir_report_defect(run, v, t, "touches a place outside the buffer");
    }
}

/* Shared and private memory hold doubles, which have the numbers of any precision. */
static weft_storage held(const struct ir_memory *memory)
{
    return memory->shared || memory->own ? WEFT_STORED_F64 : memory->storage;
}

static void store(const struct ir_run *run, const struct ir_node *node,
                  const struct ir_memory *memory, int thread)
{
    const ir_value part[2] = {node->a, node->c};
    for (int i = 0; i < memory->parts; i++) {
        const union ir_slot *stored = run->value + (int64_t)part[i] * run->threads;
        storage_write(held(memory), memory->data, run->address[thread] * memory->parts + i,
                      stored[thread].real);
    }
}

static void load(const struct ir_run *run, const struct ir_memory *memory, int thread,
                 union ir_slot *result)
{
    int64_t address = run->address[thread];
    for (int i = 0; i < memory->parts; i++) {
        bool exists = address != IR_NO_ADDRESS;
        const int64_t place = address * memory->parts + i;
        const double stored = exists ? storage_read(held(memory), memory->data, place) : 0;
        result->pair[i] = run->launch->single ? (double)(float)stored : stored;
    }
}

static void move(struct ir_run *run, ir_value v, const struct ir_memory *memory, int thread)
{
    const struct ir_node *node = &run->kernel->node[v];
    union ir_slot *result = run->value + (int64_t)v * run->threads + thread;
    int64_t address = run->address[thread];
    bool exists = address != IR_NO_ADDRESS;
    if (ir_is_store(node->op)) {
        if (exists) store(run, node, memory, thread);
    } else if (node->op == IR_LOAD_INT) {
        result->integer = exists ? ((const int32_t *)(const void *)memory->data)[address] : 0;
    } else {
        load(run, memory, thread, result);
    }
}

void ir_memory_access(struct ir_run *run, ir_value v, const bool *active)
{
    const struct ir_memory *memory = &run->memory[run->kernel->node[v].buffer];
    find_addresses(run, v, memory, active);
    for (int t = 0; t < run->threads; t++) {
        if (memory->word && run->address[t] != IR_NO_ADDRESS) check_races(run, v, memory, t);
        move(run, v, memory, t);
    }
    if (memory->own) return;
    int width = run->launch->simd_width < MAX_GROUP ? run->launch->simd_width : MAX_GROUP;
    for (int first = 0, count; first < run->threads; first += count) {
        int left = run->in_block - first % run->in_block;
        count = left < width ? left : width;
        count_group(run, memory, first, count);
    }
}
