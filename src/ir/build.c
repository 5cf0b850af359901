/* The builder: arguments, leaves, and the table that shares equal values. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "ir/builder.h"

#define FIRST_CAPACITY 256

ir_value ir_fail(struct ir_builder *b, const char *what)
{
    if (!b->failed && !arena_failed(b->arena)) {
        error_set(WEFT_ERROR_ARGUMENT, "kernel %s is malformed: %s", b->kernel.name, what);
    }
    b->failed = true;
    return IR_NONE;
}

/* ---- growing ---- */

static void *grown(struct ir_builder *b, const void *old, size_t size)
{
    char *array = arena_array(b->arena, (size_t)b->capacity * 2, size);
    if (array && b->count > 0) memcpy(array, old, (size_t)b->count * size);
    return array;
}

static uint64_t hash_node(const struct ir_node *n)
{
    int64_t number[6] = {n->op, n->type, n->a, n->b, n->c, n->integer};
    uint64_t hash = hash_bytes(HASH_START, number, sizeof number);
    double real[2] = {n->hi, n->lo};
    return n->op == IR_REAL_CONSTANT ? hash_bytes(hash, real, sizeof real) : hash;
}

static bool equal_nodes(const struct ir_node *x, const struct ir_node *y)
{
    return x->op == y->op && x->type == y->type && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->integer == y->integer && x->hi == y->hi && x->lo == y->lo;
}

/* The slot that holds an equal node or, if there is none, the empty one where it belongs. */
static int32_t *find_slot(struct ir_builder *b, const struct ir_node *node)
{
    uint32_t mask = (uint32_t)b->slots - 1;
    uint32_t place = (uint32_t)hash_node(node) & mask;
    while (b->slot[place] != IR_NONE && !equal_nodes(&b->node[b->slot[place]], node)) {
        place = (place + 1) & mask;
    }
    return &b->slot[place];
}

static bool is_pure(enum ir_op op)
{
    return op < IR_LOAD;
}

static bool rebuild_table(struct ir_builder *b)
{
    b->slots = b->capacity * 2;
    b->slot = arena_array(b->arena, (size_t)b->slots, sizeof *b->slot);
    if (!b->slot) return false;
    for (int32_t i = 0; i < b->slots; i++) b->slot[i] = IR_NONE;
    for (ir_value v = 0; v < b->count; v++) {
        /* Of equal nodes the last one counts: those before it are out of scope. */
        if (is_pure(b->node[v].op)) *find_slot(b, &b->node[v]) = v;
    }
    return true;
}

static bool grow(struct ir_builder *b)
{
    struct ir_node *node = grown(b, b->node, sizeof *node);
    struct ir_range *range = grown(b, b->range, sizeof *range);
    bool *open = grown(b, b->open, sizeof *open);
    if (!node || !range || !open) return false;
    b->node = node;
    b->range = range;
    b->open = open;
    b->capacity *= 2;
    return rebuild_table(b);
}

ir_value ir_append(struct ir_builder *b, const struct ir_node *node, struct ir_range range)
{
    if (b->failed) return IR_NONE;
    if (b->count == b->capacity && !grow(b)) return ir_fail(b, "no memory");
    ir_value value = b->count++;
    b->node[value] = *node;
    b->node[value].scope = b->scope;
    b->range[value] = range;
    return value;
}

static bool is_visible(const struct ir_builder *b, ir_value value)
{
    ir_value scope = b->node[value].scope;
    return scope == IR_NONE || b->open[scope];
}

ir_value ir_share(struct ir_builder *b, const struct ir_node *node, struct ir_range range)
{
    if (b->failed) return IR_NONE;
    int32_t *slot = find_slot(b, node);
    if (*slot != IR_NONE && is_visible(b, *slot)) return *slot;
    ir_value value = ir_append(b, node, range);
    /* Appending may have moved the table. A twin from a scope that has ended gives way. */
    if (value != IR_NONE) *find_slot(b, node) = value;
    return value;
}

bool ir_expect(struct ir_builder *b, enum ir_type type, ir_value x, ir_value y)
{
    if (b->failed) return false;
    bool exist = x >= 0 && x < b->count && y >= 0 && y < b->count;
    if (exist && b->node[x].type == type && b->node[y].type == type) return true;
    ir_fail(b, "an operand is missing or of the wrong type");
    return false;
}

/* ---- kernels and their arguments ---- */

struct ir_builder *ir_begin(arena *a, const char *name, int threads)
{
    struct ir_builder *b = arena_alloc(a, sizeof *b);
    if (!b) return NULL;
    b->arena = a;
    b->kernel.name = arena_printf(a, "%s", name);
    b->kernel.threads = threads;
    b->kernel.cluster = 1;
    b->scope = IR_NONE;
    b->capacity = FIRST_CAPACITY / 2;
    return b->kernel.name && grow(b) ? b : NULL;
}

void ir_set_cluster(struct ir_builder *b, int blocks, int resident)
{
    if (!b) return;
    b->kernel.cluster = blocks;
    b->kernel.resident = resident;
}

static int add_buffer(struct ir_builder *b, struct ir_buffer buffer)
{
    if (!b || b->failed) return IR_NONE;
    if (b->kernel.buffer_count == IR_MAX_BUFFERS) return ir_fail(b, "too many buffers");
    buffer.name = arena_printf(b->arena, "%s", buffer.name);
    buffer.base = IR_NONE;
    if (!buffer.name) return ir_fail(b, "no memory");
    b->kernel.buffer[b->kernel.buffer_count] = buffer;
    return b->kernel.buffer_count++;
}

int ir_buffer(struct ir_builder *b, const char *name, enum ir_buffer_kind kind, bool writable,
              int64_t count)
{
    return add_buffer(b, (struct ir_buffer){.name = name, .kind = kind, .writable = writable,
                                            .count = count});
}

int ir_pair_buffer(struct ir_builder *b, const char *name, enum ir_buffer_kind kind, bool writable,
                   int64_t count)
{
    return add_buffer(b, (struct ir_buffer){.name = name, .kind = kind, .writable = writable,
                                            .count = count, .pairs = true});
}

ir_value ir_param(struct ir_builder *b, const char *name)
{
    return ir_param_within(b, name, INT64_MIN, INT64_MAX);
}

ir_value ir_param_within(struct ir_builder *b, const char *name, int64_t low, int64_t high)
{
    if (!b || b->failed) return IR_NONE;
    if (b->kernel.param_count == IR_MAX_PARAMS) return ir_fail(b, "too many parameters");
    const char *copy = arena_printf(b->arena, "%s", name);
    if (!copy) return ir_fail(b, "no memory");
    struct ir_node node = ir_leaf(IR_PARAM, IR_INT);
    node.integer = b->kernel.param_count;
    b->kernel.param_name[b->kernel.param_count++] = copy;
    return ir_share(b, &node, (struct ir_range){low, high});
}

/* ---- leaves ---- */

ir_value ir_real(struct ir_builder *b, double hi, double lo)
{
    if (!b) return IR_NONE;
    struct ir_node node = ir_leaf(IR_REAL_CONSTANT, IR_REAL);
    node.hi = hi == 0 ? 0 : hi; /* one zero, so that equal nodes have equal hashes */
    node.lo = lo == 0 ? 0 : lo;
    return ir_share(b, &node, ir_unknown_range);
}

ir_value ir_int(struct ir_builder *b, int64_t value)
{
    if (!b) return IR_NONE;
    struct ir_node node = ir_leaf(IR_INT_CONSTANT, IR_INT);
    node.integer = value;
    return ir_share(b, &node, (struct ir_range){value, value});
}

ir_value ir_bool(struct ir_builder *b, bool value)
{
    struct ir_node node = ir_leaf(IR_INT_CONSTANT, IR_BOOL);
    node.integer = value;
    return ir_share(b, &node, (struct ir_range){value, value});
}

static struct ir_range thread_range(const struct ir_builder *b)
{
    const int threads = b->kernel.threads;
    return (struct ir_range){0, threads ? threads - 1 : INT64_MAX};
}

ir_value ir_thread(struct ir_builder *b)
{
    if (!b) return IR_NONE;
    struct ir_node node = ir_leaf(IR_THREAD, IR_INT);
    return ir_share(b, &node, thread_range(b));
}

ir_value ir_thread_anew(struct ir_builder *b)
{
    if (!b) return IR_NONE;
    struct ir_node node = ir_leaf(IR_THREAD, IR_INT);
    node.integer = IR_ANEW;
    return ir_append(b, &node, thread_range(b));
}

ir_value ir_block(struct ir_builder *b)
{
    return ir_block_below(b, INT64_MAX);
}

ir_value ir_block_below(struct ir_builder *b, int64_t count)
{
    if (!b) return IR_NONE;
    struct ir_node node = ir_leaf(IR_BLOCK, IR_INT);
    return ir_share(b, &node, (struct ir_range){0, count - 1});
}

int32_t ir_size(const struct ir_builder *b)
{
    return b ? b->count : 0;
}

bool ir_is_number(const struct ir_builder *b, ir_value x, double *number)
{
    if (!b || x < 0 || x >= b->count || b->node[x].op != IR_REAL_CONSTANT) return false;
    *number = b->node[x].hi;
    return true;
}
