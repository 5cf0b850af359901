#include "print/c_pairs_access.h"

#include <string.h>

static const struct ir_node *node_of(const struct c_pairs_printer *p, ir_value n)
{
    return &p->pairs.kernel->node[n];
}

static bool is_factor(const struct c_pairs_printer *p, ir_value access)
{
    return strcmp(p->pairs.kernel->buffer[node_of(p, access)->buffer].name, "twiddles") == 0;
}

/* ---- places ---- */

static const struct {
    const char *name, *leg;
} ends[C_PAIRS_ENDS] = {{"in", "in"}, {"out", "out"}, {"far", "in"}};

/* From a leg to the next, of one in the shape. */
static int reals_of(const struct c_pairs_printer *p, enum c_pairs_end end)
{
    if (end == C_PAIRS_OUT || !p->parted) return 2;
    return end == C_PAIRS_FAR ? -C_PAIRS_PARTED_REALS : C_PAIRS_PARTED_REALS;
}

/* Moves the pointers of an end on if those are too far back for the leg. */
static void print_base(struct c_pairs_printer *p, enum c_pairs_end end, int64_t leg)
{
    while (leg > p->base[end] + p->reach) {
        p->base[end] += p->reach;
        text_append(p->text, "MOVE_ON(%s)\n", ends[end].name);
    }
}

/* How far behind it a leg lies. */
static void print_distance(struct c_pairs_printer *p, enum c_pairs_end end, int64_t leg)
{
    int64_t odd = leg - p->base[end], scale = 1;
    for (; odd % 2 == 0; odd /= 2)
        scale *= 2;
    text_append(p->text, "%lld * %s_by%lld", (long long)scale, ends[end].name, (long long)odd);
}

static void print_place(struct c_pairs_printer *p, enum c_pairs_end end, int64_t leg)
{
    if (leg == 0) {
        text_append(p->text, "%s_first, 0", ends[end].name);
    } else {
        text_append(p->text, "%s, ", ends[end].name);
        print_distance(p, end, leg);
    }
}

/* Distances are hidden from the compiler, which would keep each leg's otherwise
 * (print/c_vector_address.c), or take one more step from each leg to the next. */
void c_pairs_print_distances(struct c_pairs_printer *p, enum c_pairs_end end)
{
    const char *name = ends[end].name;
    text_append(p->text,
                "int64_t %s_by1 = %d * BYTES * shape->%s_leg;\n"
                "__asm__(\"\" : \"+r\"(%s_by1));\n",
                name, reals_of(p, end), ends[end].leg, name);
    for (int odd = 3; odd < p->reach; odd += 2)
        text_append(p->text, "int64_t %s_by%d = %d * %s_by1;\n__asm__(\"\" : \"+r\"(%s_by%d));\n",
                    name, odd, odd, name, name, odd);
}

/* ---- accesses ---- */

bool c_pairs_is_first(const struct c_pairs_printer *p, ir_value n, enum ir_op op)
{
    return node_of(p, n)->op == op && c_pair_address(&p->pairs, n) % 2 == 0;
}

static void print_leg(struct c_pairs_printer *p, int64_t leg, ir_value n)
{
    const bool far = p->parted && leg >= p->parted;
    const enum c_pairs_end end = far ? C_PAIRS_FAR : C_PAIRS_IN;
    if (far) leg -= p->parted;
    print_base(p, end, leg);
    text_append(p->text, "const vec v%d = %s(", (int)n,
                far ? "sign * LOAD_BACK" : p->parted ? "LOAD_PARTED" : "LOAD_PAIR");
    print_place(p, end, leg);
    text_append(p->text, ");\n");
}

static void print_load(struct c_pairs_printer *p, ir_value n)
{
    const int64_t place = c_pair_address(&p->pairs, n);
    if (is_factor(p, n))
        text_append(p->text, "const vec v%d = LOAD(turns + %lld);\n", (int)n,
                    (long long)(p->rows * place));
    else
        print_leg(p, place / 2, n);
    p->pairs.partner[n] = c_pair_neighbour(&p->pairs, n);
}

void c_pairs_print_loads(struct c_pairs_printer *p)
{
    for (ir_value n = 0; n < p->pairs.kernel->count; n++) {
        if (c_pairs_is_first(p, n, IR_LOAD)) print_load(p, n);
    }
}

struct c_pair c_pairs_stored(struct c_pairs_printer *p, ir_value n)
{
    const ir_value other = c_pair_neighbour(&p->pairs, n);
    if (other == IR_NONE) {
        c_pair_refuse(&p->pairs);
        return (struct c_pair){{IR_NONE, IR_NONE}};
    }
    const struct c_pair x = {{node_of(p, n)->a, node_of(p, other)->a}};
    c_pair_define(&p->pairs, x);
    return x;
}

void c_pairs_print_stores(struct c_pairs_printer *p)
{
    for (ir_value n = 0; n < p->pairs.kernel->count && !p->text->failed; n++) {
        if (!c_pairs_is_first(p, n, IR_STORE)) continue;
        const struct c_pair x = c_pairs_stored(p, n);
        if (p->text->failed) return;
        const int64_t leg = c_pair_address(&p->pairs, n) / 2;
        print_base(p, C_PAIRS_OUT, leg);
        text_append(p->text, "STORE_PAIR(");
        print_place(p, C_PAIRS_OUT, leg);
        text_append(p->text, ", ");
        c_pair_print_name(&p->pairs, x);
        text_append(p->text, ");\n");
    }
}

int64_t c_pairs_count(const struct c_pairs_printer *p, enum ir_op op, bool factors)
{
    int64_t pairs = 0;
    for (ir_value n = 0; n < p->pairs.kernel->count; n++)
        pairs += c_pairs_is_first(p, n, op) && is_factor(p, n) == factors;
    return pairs;
}
