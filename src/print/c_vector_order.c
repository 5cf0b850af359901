#include "print/c_vector_order.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* Stores a value may reach and still be the tail of one leg: its real and imaginary part. */
#define TAIL_STORES 2
#define STORE_BITS  128

/* Who uses a node: users[first[n]] .. users[first[n + 1] - 1]. */
struct uses {
    int32_t *first;
    ir_value *users;
};

struct scheduler {
    struct c_vector_order *order;
    struct uses uses;
    bool *placed;
    bool *tail;
    int32_t *waiting; /* of a group: stores whose value is not placed yet */
    ir_value first_store;
    bool stored;
    bool in_turn;
    ir_value turn; /* the stores before it are done */
};

static bool is_real_operand(const struct ir_node *node, ir_value value)
{
    return value != IR_NONE && node[value].type == IR_REAL && node[value].op != IR_REAL_CONSTANT;
}

static int real_operands(const struct ir_node *node, ir_value of, ir_value operand[3])
{
    int count = 0;
    const ir_value candidate[3] = {node[of].a, node[of].b, node[of].c};
    for (int i = 0; i < 3; i++) {
        if (is_real_operand(node, candidate[i])) operand[count++] = candidate[i];
    }
    return count;
}

static bool uses_make(arena *a, struct uses *uses, const struct ir_node *node, int32_t count)
{
    ir_value operand[3];
    uses->first = arena_array(a, (size_t)count + 2, sizeof *uses->first);
    uses->users = arena_array(a, 3 * (size_t)count, sizeof *uses->users);
    if (!uses->first || !uses->users) return false;
    for (ir_value n = 0; n < count; n++) {
        int operands = real_operands(node, n, operand);
        for (int i = 0; i < operands; i++)
            uses->first[operand[i] + 2]++;
    }
    for (ir_value n = 0; n < count; n++)
        uses->first[n + 2] += uses->first[n + 1];
    for (ir_value n = 0; n < count; n++) {
        int operands = real_operands(node, n, operand);
        for (int i = 0; i < operands; i++)
            uses->users[uses->first[operand[i] + 1]++] = n;
    }
    return true;
}

/* ---- fma ---- */

static bool feeds_additions_only(const struct ir_node *node, const struct uses *uses, ir_value n)
{
    for (int32_t i = uses->first[n]; i < uses->first[n + 1]; i++) {
        const struct ir_node *user = &node[uses->users[i]];
        if (user->op != IR_ADD && user->op != IR_SUB) return false;
        if (user->a == user->b) return false;
    }
    return uses->first[n] < uses->first[n + 1];
}

static void merge_product(struct ir_node *user, ir_value n, const struct ir_node *product)
{
    bool left = user->a == n;
    ir_value other = left ? user->b : user->a;
    if (user->op == IR_ADD) {
        user->op = IR_FMA;
    } else {
        user->op = left ? IR_FMS : IR_FNMA;
    }
    user->a = product->a;
    user->b = product->b;
    user->c = other;
}

/* A product is merged into all its users or into none: otherwise it would be computed anyway. */
static void form_fmas(struct ir_node *node, int32_t count, const struct uses *uses)
{
    for (ir_value n = 0; n < count; n++) {
        if (node[n].op != IR_MUL || !feeds_additions_only(node, uses, n)) continue;
        for (int32_t i = uses->first[n]; i < uses->first[n + 1]; i++) {
            merge_product(&node[uses->users[i]], n, &node[n]);
        }
        node[n].type = IR_VOID; /* nothing is left to print */
    }
}

bool c_vector_order_merged(const struct ir_node *node)
{
    return node->op == IR_MUL && node->type == IR_VOID;
}

/* ---- groups ---- */

static bool same_group(const struct ir_node *x, const struct ir_node *y)
{
    return x->op == y->op && x->buffer == y->buffer && x->b == y->b &&
           x->lane_stride == y->lane_stride;
}

static int32_t group_find(struct c_vector_order *o, const struct ir_node *node)
{
    for (int32_t g = 0; g < o->group_count; g++) {
        const struct c_vector_group *group = &o->group[g];
        for (int i = 0; i < group->size; i++) {
            if (group->member[i] == IR_NONE) continue;
            if (same_group(&o->node[group->member[i]], node)) return g;
            break;
        }
    }
    struct c_vector_group *group = &o->group[o->group_count];
    group->back = node->lane_stride < 0;
    group->leader = IR_NONE;
    group->size = (int)imaxabs(node->lane_stride);
    for (int i = 0; i < C_VECTOR_MAX_GROUP; i++)
        group->member[i] = IR_NONE;
    return o->group_count++;
}

static bool group_join(struct c_vector_order *o, ir_value n)
{
    const struct ir_node *node = &o->node[n];
    const int64_t size = imaxabs(node->lane_stride);
    bool fits = size <= C_VECTOR_MAX_GROUP && node->offset >= 0 && node->offset < size &&
                (node->lane_stride > 0 || node->op == IR_LOAD);
    if (fits) {
        int32_t g = group_find(o, node);
        struct c_vector_group *group = &o->group[g];
        fits = group->member[node->offset] == IR_NONE;
        group->member[node->offset] = n;
        if (group->leader == IR_NONE || node->offset < o->node[group->leader].offset)
            group->leader = n;
        group->members++;
        o->group_of[n] = g;
    }
    if (!fits) {
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet: offset %lld does not fit lane stride %lld",
                  (long long)node->offset, (long long)node->lane_stride);
    }
    return fits;
}

static bool groups_make(struct c_vector_order *o)
{
    for (ir_value n = 0; n < o->count; n++) {
        const struct ir_node *node = &o->node[n];
        o->group_of[n] = -1;
        bool memory = node->op == IR_LOAD || node->op == IR_STORE;
        const bool apart = node->lane_stride < 0 || node->lane_stride > 1;
        if (memory && apart && !group_join(o, n)) return false;
    }
    for (int32_t g = 0; g < o->group_count; g++) {
        const bool loads = o->node[o->group[g].leader].op == IR_LOAD;
        if (loads || o->group[g].members == o->group[g].size) continue;
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet: a group of %d has %d members", o->group[g].size,
                  o->group[g].members);
        return false;
    }
    return true;
}

/* ---- order ---- */

static ir_value leader(const struct c_vector_order *o, ir_value n)
{
    return o->group_of[n] < 0 ? n : o->group[o->group_of[n]].leader;
}

static void place(struct scheduler *s, ir_value n);

static bool ready(const struct scheduler *s, ir_value n)
{
    const struct ir_node *node = s->order->node;
    ir_value operand[3];
    int operands = real_operands(node, n, operand);
    for (int i = 0; i < operands; i++) {
        if (!s->placed[operand[i]] && node[operand[i]].op != IR_LOAD) return false;
    }
    return true;
}

static void place_load(struct scheduler *s, ir_value n)
{
    struct c_vector_order *o = s->order;
    int32_t g = o->group_of[n];
    if (s->placed[n]) return;
    s->placed[n] = true;
    for (int i = 0; g >= 0 && i < o->group[g].size; i++) {
        if (o->group[g].member[i] != IR_NONE) s->placed[o->group[g].member[i]] = true;
    }
    o->step[o->length++] = leader(o, n);
}

static void add_store(struct scheduler *s, ir_value n)
{
    struct c_vector_order *o = s->order;
    for (ir_value load = 0; !s->stored && load < s->first_store; load++) {
        if (o->node[load].op == IR_LOAD) place_load(s, load);
    }
    s->stored = true;
    o->step[o->length++] = leader(o, n);
}

/* In turn, a store waits for those before it, and those behind it wait for it. */
static void place_store(struct scheduler *s, ir_value n)
{
    const struct c_vector_order *o = s->order;
    const int32_t g = o->group_of[n];
    s->placed[n] = true;
    if (g >= 0 && --s->waiting[g] > 0) return;
    if (!s->in_turn) add_store(s, n);
    for (; s->in_turn && s->turn < o->count; s->turn++) {
        if (o->node[s->turn].op != IR_STORE) continue;
        if (!s->placed[s->turn]) return;
        add_store(s, s->turn);
    }
}

static void place_arithmetic(struct scheduler *s, ir_value n)
{
    struct c_vector_order *o = s->order;
    s->placed[n] = true;
    o->step[o->length++] = n;
    for (int32_t i = s->uses.first[n]; i < s->uses.first[n + 1]; i++) {
        ir_value user = s->uses.users[i];
        if (s->tail[user] && !s->placed[user] && ready(s, user)) place(s, user);
    }
}

static void place(struct scheduler *s, ir_value n)
{
    const struct ir_node *node = s->order->node;
    ir_value operand[3];
    int operands = real_operands(node, n, operand);
    for (int i = 0; i < operands; i++) {
        if (node[operand[i]].op == IR_LOAD) place_load(s, operand[i]);
    }
    if (node[n].op == IR_STORE) {
        place_store(s, n);
    } else {
        place_arithmetic(s, n);
    }
}

struct reach {
    uint64_t bits[STORE_BITS / 64];
};

/* A node is a tail if the stores it reaches are those of one leg. */
static bool find_tails(arena *a, struct scheduler *s)
{
    int32_t count = s->order->count, stores = 0;
    struct reach *reach = arena_array(a, (size_t)count + 1, sizeof *reach);
    if (!reach) return false;
    for (ir_value n = count - 1; n >= 0; n--) {
        if (s->order->node[n].op == IR_STORE) {
            reach[n].bits[stores / 64 % 2] |= (uint64_t)1 << stores % 64;
            stores++;
            s->first_store = n;
        }
        int distinct = 0;
        for (int32_t i = s->uses.first[n]; i < s->uses.first[n + 1]; i++) {
            reach[n].bits[0] |= reach[s->uses.users[i]].bits[0];
            reach[n].bits[1] |= reach[s->uses.users[i]].bits[1];
        }
        for (int i = 0; i < STORE_BITS / 64; i++)
            distinct += __builtin_popcountll(reach[n].bits[i]);
        s->tail[n] = distinct > 0 && distinct <= TAIL_STORES;
    }
    return true;
}

static bool is_printed(const struct scheduler *s, ir_value n)
{
    const struct ir_node *node = &s->order->node[n];
    if (node->op == IR_STORE) return true;
    if (node->type != IR_REAL || node->op == IR_REAL_CONSTANT || node->op == IR_LOAD) return false;
    return s->uses.first[n] < s->uses.first[n + 1];
}

static bool schedule(arena *a, struct c_vector_order *o, bool in_turn)
{
    struct scheduler s = {.order = o, .first_store = o->count, .in_turn = in_turn};
    size_t count = (size_t)o->count + 1;
    s.placed = arena_array(a, count, sizeof *s.placed);
    s.tail = arena_array(a, count, sizeof *s.tail);
    s.waiting = arena_array(a, (size_t)o->group_count + 1, sizeof *s.waiting);
    if (!s.placed || !s.tail || !s.waiting) return false;
    if (!uses_make(a, &s.uses, o->node, o->count) || !find_tails(a, &s)) return false;
    for (int32_t g = 0; g < o->group_count; g++)
        s.waiting[g] = o->group[g].size;
    for (ir_value n = 0; n < o->count; n++) {
        if (is_printed(&s, n) && !s.placed[n]) place(&s, n);
    }
    return true;
}

/* ---- core ---- */

static bool is_arithmetic(const struct ir_node *node)
{
    return node->type == IR_REAL && node->op != IR_LOAD && node->op != IR_REAL_CONSTANT;
}

static void find_core(struct c_vector_order *o)
{
    o->first_arithmetic = 0;
    while (o->first_arithmetic < o->count && !is_arithmetic(&o->node[o->first_arithmetic])) {
        o->first_arithmetic++;
    }
    for (ir_value n = o->first_arithmetic; n < o->count; n++) {
        ir_value operand[3];
        int operands = real_operands(o->node, n, operand);
        o->core[n] = is_arithmetic(&o->node[n]);
        for (int i = 0; i < operands; i++) {
            bool early = operand[i] < o->first_arithmetic;
            o->core[n] = o->core[n] && (early || o->core[operand[i]]);
        }
        bool fused = o->node[n].op >= IR_FMA && o->node[n].op <= IR_FNMA;
        o->core_operations += o->core[n] ? 1 + fused : 0;
        for (int i = 0; i < operands; i++) {
            if (!o->core[n] && !c_vector_order_merged(&o->node[n]) && o->core[operand[i]])
                o->output[operand[i]] = true;
        }
    }
}

struct c_vector_order *c_vector_order_make(arena *a, const struct ir *kernel,
                                           struct c_vector_wish wish)
{
    size_t count = (size_t)kernel->count + 1;
    struct c_vector_order *o = arena_alloc(a, sizeof *o);
    if (!o) return NULL;
    o->count = kernel->count;
    o->node = arena_array(a, count, sizeof *o->node);
    o->step = arena_array(a, count, sizeof *o->step);
    o->group_of = arena_array(a, count, sizeof *o->group_of);
    o->group = arena_array(a, count, sizeof *o->group);
    o->core = arena_array(a, count, sizeof *o->core);
    o->output = arena_array(a, count, sizeof *o->output);
    if (arena_failed(a)) return NULL;
    memcpy(o->node, kernel->node, (size_t)kernel->count * sizeof *o->node);
    if (wish.fma) {
        struct uses uses;
        if (!uses_make(a, &uses, o->node, o->count)) return NULL;
        form_fmas(o->node, o->count, &uses);
    }
    find_core(o);
    return groups_make(o) && schedule(a, o, wish.in_turn) ? o : NULL;
}
