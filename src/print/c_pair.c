/* Two scalars that are computed alike become the lanes of one vector, from the stores down to the
 * loads (S. Larsen, S. Amarasinghe, "Exploiting superword level parallelism", 2000). Which pairs
 * there can be follows from which numbers are neighbours in memory. */
#include "print/c_pair.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Two reals as the lanes of a vector. */
struct pair {
    ir_value lane[2];
};

enum { MOST_OPERANDS = 3 };

/* An operation on pairs: that of its lanes, but for the signs of the first factor and of what is
 * added. */
struct form {
    enum ir_op op; /* IR_ADD, IR_MUL, IR_FMA */
    struct pair operand[MOST_OPERANDS];
    double sign[MOST_OPERANDS][2];
};

struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct ir *kernel;
    ir_value *partner; /* of the first lane of a pair that has a name; IR_NONE */
};

/* Operations that differ by signs, and which operands have them. */
struct kin {
    enum ir_op op;
    double sign[MOST_OPERANDS];
    int operands;
};

static const struct kin kin[IR_OP_COUNT] = {
    [IR_ADD] = {IR_ADD, {1, 1}, 2},     [IR_SUB] = {IR_ADD, {1, -1}, 2},
    [IR_MUL] = {IR_MUL, {1, 1}, 2},     [IR_FMA] = {IR_FMA, {1, 1, 1}, 3},
    [IR_FMS] = {IR_FMA, {1, 1, -1}, 3}, [IR_FNMA] = {IR_FMA, {-1, 1, 1}, 3},
};

static const struct ir_node *node_of(const struct printer *p, ir_value n)
{
    return &p->kernel->node[n];
}

static bool is_constant(const struct printer *p, struct pair x)
{
    return node_of(p, x.lane[0])->op == IR_REAL_CONSTANT &&
           node_of(p, x.lane[1])->op == IR_REAL_CONSTANT;
}

/* ---- addresses ---- */

/* Of the first row. */
static int64_t value_at(const struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_INT_CONSTANT) return node->integer;
    if (node->op == IR_INT_ADD) return value_at(p, node->a) + value_at(p, node->b);
    if (node->op == IR_INT_MUL) return value_at(p, node->a) * value_at(p, node->b);
    return 0;
}

static int64_t address(const struct printer *p, ir_value access)
{
    return value_at(p, node_of(p, access)->b) + node_of(p, access)->offset;
}

static bool are_neighbours(const struct printer *p, ir_value a, ir_value b)
{
    return node_of(p, a)->buffer == node_of(p, b)->buffer && (address(p, a) ^ address(p, b)) == 1;
}

/* ---- pairing ---- */

static bool find_form(const struct printer *p, struct pair x, struct form *form);

static bool can_pair(const struct printer *p, struct pair x)
{
    const enum ir_op a = node_of(p, x.lane[0])->op, b = node_of(p, x.lane[1])->op;
    struct form form;
    if (a == IR_LOAD && b == IR_LOAD) return are_neighbours(p, x.lane[0], x.lane[1]);
    return is_constant(p, x) || find_form(p, x, &form);
}

static bool can_pair_all(const struct printer *p, const struct form *form, int operands)
{
    for (int i = 0; i < operands; i++) {
        if (!can_pair(p, form->operand[i])) return false;
    }
    return true;
}

/* The first two operands of a lane in the other order. */
static void exchange(struct form *form, int lane)
{
    const ir_value first = form->operand[0].lane[lane];
    form->operand[0].lane[lane] = form->operand[1].lane[lane];
    form->operand[1].lane[lane] = first;
}

/* Commutative operands stand in any order: which goes with which is what leads to neighbours. */
static bool find_form(const struct printer *p, struct pair x, struct form *form)
{
    const struct ir_node *const lane[2] = {node_of(p, x.lane[0]), node_of(p, x.lane[1])};
    const struct kin *const of[2] = {&kin[lane[0]->op], &kin[lane[1]->op]};
    const int operands = of[0]->operands;
    if (!operands || of[0]->op != of[1]->op) return false;
    form->op = of[0]->op;
    for (int i = 0; i < 2; i++) {
        const ir_value operand[MOST_OPERANDS] = {lane[i]->a, lane[i]->b, lane[i]->c};
        for (int k = 0; k < operands; k++) {
            form->operand[k].lane[i] = operand[k];
            form->sign[k][i] = of[i]->sign[k];
        }
    }
    if (can_pair_all(p, form, operands)) return true;
    const int ordered = lane[0]->op == IR_SUB;
    if (lane[ordered]->op == IR_SUB) return false;
    exchange(form, ordered);
    return can_pair_all(p, form, operands);
}

/* ---- printing ---- */

static void print_constant(struct printer *p, double value)
{
    text_append(p->text, "(real)");
    text_real(p->text, p->target->single ? (double)(float)value : value);
}

static void print_two(struct printer *p, double first, double second)
{
    text_append(p->text, "PAIR(");
    print_constant(p, first);
    text_append(p->text, ", ");
    print_constant(p, second);
    text_append(p->text, ")");
}

/* A pair that has a name, or is constant. */
static void print_pair(struct printer *p, struct pair x)
{
    const ir_value a = x.lane[0], b = x.lane[1];
    if (is_constant(p, x))
        print_two(p, node_of(p, a)->hi, node_of(p, b)->hi);
    else if (p->partner[a] == b)
        text_append(p->text, "v%d", (int)a);
    else
        text_append(p->text, "SWAP(v%d)", (int)b);
}

static void print_signed(struct printer *p, struct pair x, const double sign[2])
{
    if (is_constant(p, x)) {
        print_two(p, sign[0] * node_of(p, x.lane[0])->hi, sign[1] * node_of(p, x.lane[1])->hi);
        return;
    }
    print_pair(p, x);
    if (sign[0] > 0 && sign[1] > 0) return;
    text_append(p->text, " * ");
    print_two(p, sign[0], sign[1]);
}

static void print_sum(struct printer *p, const struct form *form)
{
    const double *sign = form->sign[1];
    if (sign[0] == sign[1]) {
        print_pair(p, form->operand[0]);
        text_append(p->text, sign[0] > 0 ? " + " : " - ");
        print_pair(p, form->operand[1]);
        return;
    }
    text_append(p->text, "FMA(");
    print_two(p, sign[0], sign[1]);
    text_append(p->text, ", ");
    print_pair(p, form->operand[1]);
    text_append(p->text, ", ");
    print_pair(p, form->operand[0]);
    text_append(p->text, ")");
}

/* Signs go to the factor that is constant. */
static void print_fused(struct printer *p, const struct form *form)
{
    const int constant = is_constant(p, form->operand[1]) ? 1 : 0;
    const bool subtracts = form->sign[2][0] < 0 && form->sign[2][1] < 0;
    text_append(p->text, subtracts ? "FMS(" : "FMA(");
    print_signed(p, form->operand[constant], form->sign[0]);
    text_append(p->text, ", ");
    print_pair(p, form->operand[1 - constant]);
    text_append(p->text, ", ");
    if (subtracts)
        print_pair(p, form->operand[2]);
    else
        print_signed(p, form->operand[2], form->sign[2]);
    text_append(p->text, ")");
}

static void print_form(struct printer *p, const struct form *form)
{
    if (form->op == IR_ADD) {
        print_sum(p, form);
    } else if (form->op == IR_FMA) {
        print_fused(p, form);
    } else {
        print_pair(p, form->operand[0]);
        text_append(p->text, " * ");
        print_pair(p, form->operand[1]);
    }
}

static void refuse(struct printer *p)
{
    error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: its reals are no pairs", p->kernel->name);
    p->text->failed = true;
}

/* Whether what is loaded for it first stands the other way round in memory. */
static bool is_turned(const struct printer *p, struct pair x)
{
    struct form form;
    while (find_form(p, x, &form))
        x = form.operand[is_constant(p, form.operand[0])];
    return address(p, x.lane[0]) % 2 != 0;
}

/* Gives the pair a name, and before that those that it is made of. One that is turned throughout is
 * made of pairs as they lie. */
static void define(struct printer *p, struct pair x)
{
    const ir_value a = x.lane[0], b = x.lane[1];
    struct form form;
    if (is_constant(p, x) || p->partner[a] == b || p->partner[b] == a) return;
    if (p->partner[a] != IR_NONE || !find_form(p, x, &form)) {
        refuse(p);
        return;
    }
    if (is_turned(p, x)) {
        define(p, (struct pair){{b, a}});
        return;
    }
    for (int i = 0; i < kin[node_of(p, a)->op].operands; i++)
        define(p, form.operand[i]);
    text_append(p->text, "const vec v%d = ", (int)a);
    print_form(p, &form);
    text_append(p->text, ";\n");
    p->partner[a] = b;
}

/* ---- functions ---- */

/* The access to the odd element beside that of an even one. */
static ir_value neighbour(const struct printer *p, ir_value access)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        if (node_of(p, n)->op == node_of(p, access)->op && are_neighbours(p, n, access)) return n;
    }
    return IR_NONE;
}

static void print_loads(struct printer *p)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        if (node_of(p, n)->op != IR_LOAD || address(p, n) % 2) continue;
        text_append(p->text, "const vec v%d = LOAD_PAIR(in + %lld);\n", (int)n,
                    (long long)address(p, n));
        p->partner[n] = neighbour(p, n);
    }
}

static void print_stores(struct printer *p)
{
    for (ir_value n = 0; n < p->kernel->count && !p->text->failed; n++) {
        if (node_of(p, n)->op != IR_STORE || address(p, n) % 2) continue;
        const ir_value other = neighbour(p, n);
        if (other == IR_NONE) {
            refuse(p);
            return;
        }
        const struct pair x = {{node_of(p, n)->a, node_of(p, other)->a}};
        define(p, x);
        text_append(p->text, "STORE_PAIR(out + %lld, ", (long long)address(p, n));
        print_pair(p, x);
        text_append(p->text, ");\n");
    }
}

/* A lone row is what matters: strides are asked for after it. In place a row's loads come before
 * its stores since all that is stored depends on all that is loaded. */
static void print_body(struct printer *p)
{
    text_append(p->text, "const real *in = (const real *)in_re;\n"
                         "real *out = (real *)out_re;\n"
                         "int64_t rows = shape->rows;\n"
                         "if (__builtin_expect(rows <= 0, 0)) return;\n"
                         "for (;;) {\n");
    print_loads(p);
    print_stores(p);
    text_append(p->text, "if (__builtin_expect(--rows == 0, 1)) return;\n"
                         "in += 2 * shape->in_row;\n"
                         "out += 2 * shape->out_row;\n"
                         "}\n}\n");
}

void c_pair_prologue(struct text *t, const struct c_vector_target *target)
{
    struct c_vector_target vector = *target;
    vector.lanes = target->single ? 4 : 2;
    c_vector_prologue(t, &vector);
    text_append(t, target->single
                       ? "#define LOAD_PAIR(p) "
                         "_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p)))\n"
                         "#define STORE_PAIR(p, v) _mm_storel_pi((__m64 *)(void *)(p), v)\n"
                         "#define SWAP(v) _mm_permute_ps(v, 0xb1)\n"
                       : "#define LOAD_PAIR(p) LOAD(p)\n"
                         "#define STORE_PAIR(p, v) STORE(p, v)\n"
                         "#define SWAP(v) _mm_permute_pd(v, 1)\n");
    text_append(t, "#define PAIR(x, y) ((vec){x, y})\n");
}

void c_pair_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    const struct ir *fused = a ? ir_form_fma(a, kernel) : NULL;
    struct printer p = {.text = t, .target = target, .kernel = fused};
    if (fused) p.partner = arena_array(a, (size_t)fused->count + 1, sizeof *p.partner);
    if (p.partner) {
        for (ir_value n = 0; n < fused->count; n++)
            p.partner[n] = IR_NONE;
        c_vector_print_head(t, target, fused);
        print_body(&p);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
