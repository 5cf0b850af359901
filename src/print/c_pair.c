/* Two scalars that are computed alike become the lanes of one vector, from the stores down to the
 * loads (S. Larsen, S. Amarasinghe, "Exploiting superword level parallelism", 2000). Which pairs
 * there can be follows from which numbers are neighbours in memory. */
#include "print/c_pair.h"

#include <stddef.h>
#include <string.h>

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
    int64_t rows;      /* of a vector; 1: of lone rows, whose numbers follow one another */
    int64_t base[2];   /* rows: the leg that the pointers of either end are at */
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

static bool is_leg(const char *param)
{
    return strcmp(param, "in_leg") == 0 || strcmp(param, "out_leg") == 0;
}

/* Of the first row, as if legs were neighbours. */
static int64_t value_at(const struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_INT_CONSTANT) return node->integer;
    if (node->op == IR_PARAM) return is_leg(p->kernel->param_name[node->integer]);
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

static const char *const end_name[2] = {"in", "out"};

/* Legs that are reached from one that has pointers, by one of four distances, scaled. */
#define LEGS_OF_BASE 8

/* Moves the pointers of an end on if those are too far back for the leg. */
static void print_base(struct printer *p, int end, int64_t leg)
{
    while (p->rows > 1 && leg > p->base[end] + LEGS_OF_BASE) {
        p->base[end] += LEGS_OF_BASE;
        text_append(p->text, "MOVE_ON(%s)\n", end_name[end]);
    }
}

/* How far behind it a leg lies. */
static void print_distance(struct printer *p, int end, int64_t leg)
{
    int64_t odd = leg - p->base[end], scale = 1;
    for (; odd % 2 == 0; odd /= 2)
        scale *= 2;
    text_append(p->text, "%lld * %s_by%lld", (long long)scale, end_name[end], (long long)odd);
}

static void print_place(struct printer *p, int end, ir_value access)
{
    const int64_t leg = address(p, access) / 2;
    if (p->rows == 1)
        text_append(p->text, "%s + %lld", end_name[end], (long long)(2 * leg));
    else if (leg == 0)
        text_append(p->text, "%s_first, 0", end_name[end]);
    else {
        text_append(p->text, "%s, ", end_name[end]);
        print_distance(p, end, leg);
    }
}

static void print_loads(struct printer *p)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        if (node_of(p, n)->op != IR_LOAD || address(p, n) % 2) continue;
        print_base(p, 0, address(p, n) / 2);
        text_append(p->text, "const vec v%d = LOAD_PAIR(", (int)n);
        print_place(p, 0, n);
        text_append(p->text, ");\n");
        p->partner[n] = neighbour(p, n);
    }
}

static void print_store(struct printer *p, ir_value n)
{
    const ir_value other = neighbour(p, n);
    if (other == IR_NONE) {
        refuse(p);
        return;
    }
    const struct pair x = {{node_of(p, n)->a, node_of(p, other)->a}};
    define(p, x);
    print_base(p, 1, address(p, n) / 2);
    text_append(p->text, "STORE_PAIR(");
    print_place(p, 1, n);
    text_append(p->text, ", ");
    print_pair(p, x);
    text_append(p->text, ");\n");
}

static void print_stores(struct printer *p)
{
    for (ir_value n = 0; n < p->kernel->count && !p->text->failed; n++) {
        if (node_of(p, n)->op == IR_STORE && address(p, n) % 2 == 0) print_store(p, n);
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

/* Rows that are missing are the last one again. Strides are hidden from the compiler, which would
 * keep each leg's distance otherwise (print/c_vector_address.c). */
static void print_rows(struct printer *p, int end, const char *type, const char *turn)
{
    const char *name = end_name[end];
    text_append(p->text, "%s%s_first0 = %s;\n%s%s0 = %s%s;\n", type, name, name, type, name, name,
                turn);
    for (int64_t row = 1; row < p->rows; row++) {
        text_append(p->text, "%s%s_first%lld = %s_first%lld + (rows > %lld ? %s_row : 0);\n", type,
                    name, (long long)row, name, (long long)row - 1, (long long)row, name);
        text_append(p->text, "%s%s%lld = %s_first%lld%s;\n", type, name, (long long)row, name,
                    (long long)row, turn);
    }
    text_append(p->text, "int64_t %s_by1 = %s_leg;\n__asm__(\"\" : \"+r\"(%s_by1));\n", name, name,
                name);
    for (int odd = 3; odd < LEGS_OF_BASE; odd += 2)
        text_append(p->text, "const int64_t %s_by%d = %d * %s_by1;\n(void)%s_by%d;\n", name, odd,
                    odd, name, name, odd);
}

/* The turn is that of the end which is read. */
static void print_body_of_rows(struct printer *p)
{
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "const int64_t turn = 2 * BYTES * shape->turn;\n");
    for (int end = 0; end < 2; end++) {
        const char *name = end_name[end];
        text_append(p->text,
                    "const int64_t %s_row = 2 * BYTES * shape->%s_row;\n"
                    "const int64_t %s_leg = 2 * BYTES * shape->%s_leg;\n",
                    name, name, name, name);
    }
    text_append(p->text, "for (int64_t rows = shape->rows; rows > 0; rows -= ROWS) {\n");
    print_rows(p, 0, "const char *", " + turn");
    print_rows(p, 1, "char *", "");
    print_loads(p);
    print_stores(p);
    text_append(p->text, "in += ROWS * in_row;\nout += ROWS * out_row;\n}\n}\n");
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

/* Pairs that fill a vector. */
static int64_t rows_of(const struct c_vector_target *target)
{
    return target->single ? 4 : 2;
}

static const char rows_of_doubles[] =
    "#define ROWS 2\n"
    "#define PAIR(x, y) ((vec){x, y, x, y})\n"
    "#define SWAP(v) _mm256_permute_pd(v, 5)\n"
    "#define LOAD_PAIR(x, at) _mm256_insertf128_pd(_mm256_castpd128_pd256( \\\n"
    "    _mm_loadu_pd((const real *)(x##0 + (at)))), _mm_loadu_pd((const real *)(x##1 + (at))), "
    "1)\n"
    "#define STORE_PAIR(x, at, v) do { const vec stored = v; \\\n"
    "    _mm_storeu_pd((real *)(x##0 + (at)), _mm256_castpd256_pd128(stored)); \\\n"
    "    _mm_storeu_pd((real *)(x##1 + (at)), _mm256_extractf128_pd(stored, 1)); } while (0)\n"
    "#define MOVE_ON(x) x##0 += 8 * x##_by1; x##1 += 8 * x##_by1; \\\n"
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1));\n";

static const char rows_of_singles[] =
    "#define ROWS 4\n"
    "#define PAIR(x, y) ((vec){x, y, x, y, x, y, x, y})\n"
    "#define SWAP(v) _mm256_permute_ps(v, 0xb1)\n"
    "#define TWO(p, q) _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64( \\\n"
    "    (const __m128i *)(const void *)(p))), (const __m64 *)(const void *)(q))\n"
    "#define LOAD_PAIR(x, at) _mm256_insertf128_ps(_mm256_castps128_ps256( \\\n"
    "    TWO(x##0 + (at), x##1 + (at))), TWO(x##2 + (at), x##3 + (at)), 1)\n"
    "#define STORE_PAIR(x, at, v) do { const vec stored = v; \\\n"
    "    const __m128 low = _mm256_castps256_ps128(stored); \\\n"
    "    const __m128 high = _mm256_extractf128_ps(stored, 1); \\\n"
    "    _mm_storel_pi((__m64 *)(void *)(x##0 + (at)), low); \\\n"
    "    _mm_storeh_pi((__m64 *)(void *)(x##1 + (at)), low); \\\n"
    "    _mm_storel_pi((__m64 *)(void *)(x##2 + (at)), high); \\\n"
    "    _mm_storeh_pi((__m64 *)(void *)(x##3 + (at)), high); } while (0)\n"
    "#define MOVE_ON(x) x##0 += 8 * x##_by1; x##1 += 8 * x##_by1; \\\n"
    "    x##2 += 8 * x##_by1; x##3 += 8 * x##_by1; \\\n"
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1), \"+r\"(x##2), \"+r\"(x##3));\n";

void c_pairs_prologue(struct text *t, const struct c_vector_target *target)
{
    struct c_vector_target vector = *target;
    vector.lanes = 2 * (int)rows_of(target);
    c_vector_prologue(t, &vector);
    text_append(t, "%s", target->single ? rows_of_singles : rows_of_doubles);
}

static void print(struct text *t, const struct c_vector_target *target, const struct ir *kernel,
                  int64_t rows)
{
    arena *a = arena_create();
    const struct ir *fused = a ? ir_form_fma(a, kernel) : NULL;
    struct printer p = {.text = t, .target = target, .kernel = fused, .rows = rows};
    if (fused) p.partner = arena_array(a, (size_t)fused->count + 1, sizeof *p.partner);
    if (p.partner) {
        for (ir_value n = 0; n < fused->count; n++)
            p.partner[n] = IR_NONE;
        c_vector_print_head(t, target, fused);
        (rows == 1 ? print_body : print_body_of_rows)(&p);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}

void c_pair_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    print(t, target, kernel, 1);
}

void c_pairs_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    print(t, target, kernel, rows_of(target));
}
