/* Kernels on vectors of pairs: the same leg of several lanes beside each other. */
#include "base/arena.h"
#include "print/c_pair.h"
#include "print/c_pair_turn.h"
#include "print/c_pairs_access.h"

enum { MOST_LEGS = 40 };

/* Registers hold no more distances of two ends. */
#define REACH 4

/* Of as many legs as a vector has lanes: the lanes' numbers beside each other, of each so many. */
static void print_turned(struct c_pairs_printer *p, const struct c_pair *x, int64_t first,
                         int64_t legs)
{
    text_append(p->text, "{\nvec turned0");
    for (int64_t lane = 1; lane < p->rows; lane++)
        text_append(p->text, ", turned%lld", (long long)lane);
    text_append(p->text, ";\nTURN(");
    for (int64_t leg = first; leg < first + p->rows; leg++) {
        c_pair_print_name(&p->pairs, x[leg]);
        text_append(p->text, ", ");
    }
    for (int64_t lane = 0; lane < p->rows; lane++)
        text_append(p->text, "turned%lld%s", (long long)lane, lane + 1 < p->rows ? ", " : ");\n");
    for (int64_t lane = 0; lane < p->rows; lane++)
        text_append(p->text, "STORE(out0 + %lld * BYTES, turned%lld);\n",
                    (long long)(2 * (first + lane * legs)), (long long)lane);
    text_append(p->text, "}\n");
}

/* The last vector overlaps the one before, as that which reads it does. */
static void print_transposed(struct c_pairs_printer *p)
{
    struct c_pair x[MOST_LEGS];
    const int64_t all = c_pairs_count(p, IR_STORE, false);
    int64_t legs = 0;
    if (all > MOST_LEGS) p->text->failed = true;
    for (ir_value n = 0; n < p->pairs.kernel->count && !p->text->failed; n++) {
        if (!c_pairs_is_first(p, n, IR_STORE)) continue;
        x[legs++] = c_pairs_stored(p, n);
        if (p->text->failed) return;
        if (legs % p->rows == 0) print_turned(p, x, legs - p->rows, all);
    }
    if (legs % p->rows != 0) print_turned(p, x, legs - p->rows, all);
}

/* The last vector of a row overlaps the one before. */
static void print_rows(struct c_pairs_printer *p, bool transposed)
{
    const int64_t numbers = transposed ? c_pairs_count(p, IR_STORE, false) : 1;
    text_append(p->text, "const real *turns = (const real *)twiddles + shape->twiddle_plane;\n"
                         "(void)turns;\n"
                         "const char *in_lanes = in;\n"
                         "char *out_lanes = out;\n"
                         "for (int64_t left = shape->lanes;;) {\n"
                         "const char *const in_first0 = in_lanes;\n"
                         "const char *in0 = in_first0 + turn;\n"
                         "char *const out_first0 = out_lanes;\n"
                         "char *out0 = out_first0;\n"
                         "(void)out_first0;\n");
    c_pairs_print_loads(p);
    (transposed ? print_transposed : c_pairs_print_stores)(p);
    text_append(p->text,
                "left -= ROWS;\nif (left <= 0) break;\n"
                "const int64_t lanes = left < ROWS ? left : ROWS;\n"
                "in_lanes += 2 * BYTES * lanes;\n"
                "out_lanes += 2 * BYTES * %lld * lanes;\n"
                "turns += 2 * ROWS * %lld;\n}\n",
                (long long)numbers, (long long)c_pairs_count(p, IR_LOAD, true));
}

static void print_body(struct c_pairs_printer *p, bool transposed)
{
    text_append(p->text, "const int64_t turn = 2 * BYTES * shape->turn;\n");
    c_pairs_print_distances(p, 0);
    if (!transposed) c_pairs_print_distances(p, 1);
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "for (int64_t row = 0; row < shape->rows; row++) {\n");
    print_rows(p, transposed);
    text_append(p->text,
                "in += 2 * BYTES * shape->in_row;\nout += 2 * BYTES * shape->out_row;\n}\n}\n");
}

void c_pairs_beside_prologue(struct text *t, const struct c_vector_target *target)
{
    c_pair_turn_prologue(t, target);
    text_append(t,
                "#define ROWS %d\n"
                "#define LOAD_PAIR(x, at) LOAD(x##0 + (at))\n"
                "#define STORE_PAIR(x, at, v) STORE(x##0 + (at), v)\n"
                "#define MOVE_ON(x) x##0 += %d * x##_by1; __asm__(\"\" : \"+r\"(x##0));\n",
                target->lanes / 2, REACH);
}

void c_pairs_beside_print(struct text *t, const struct c_vector_target *target,
                          const struct ir *kernel, bool transposed)
{
    arena *a = arena_create();
    struct c_pairs_printer p = {.pairs = {.text = t, .target = target},
                                .text = t,
                                .rows = target->lanes / 2,
                                .reach = REACH};
    if (a && c_pair_begin(&p.pairs, a, kernel)) {
        c_vector_print_head(t, target, p.pairs.kernel);
        print_body(&p, transposed);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
