/* Kernels on vectors of pairs: the same leg of several lanes beside each other. */
#include "base/arena.h"
#include "print/c_pair.h"
#include "print/c_pair_turn.h"
#include "print/c_pairs_access.h"

enum { MOST_LEGS = 40 };

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

/* Where the lanes of a vector begin at the end that is written. */
static void print_lanes_out(struct c_pairs_printer *p, bool transposed)
{
    if (transposed) {
        text_append(p->text, "char *const out0 = out + 2 * BYTES * %lld * lane;\n",
                    (long long)c_pairs_count(p, IR_STORE, false));
        return;
    }
    text_append(p->text, "char *const out_first0 = out + 2 * BYTES * lane;\n"
                         "char *out0 = out_first0;\n");
}

/* The last vector of a row overlaps the one before. */
static void print_body(struct c_pairs_printer *p, bool transposed)
{
    text_append(p->text, "const int64_t turn = 2 * BYTES * shape->turn;\n"
                         "const int64_t last = shape->lanes - ROWS;\n");
    c_pairs_print_distances(p, 0);
    if (!transposed) c_pairs_print_distances(p, 1);
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "for (int64_t row = 0; row < shape->rows; row++) {\n"
                         "const real *turns = (const real *)twiddles + shape->twiddle_plane;\n"
                         "(void)turns;\n"
                         "for (int64_t begin = 0; begin < shape->lanes; begin += ROWS) {\n"
                         "const int64_t lane = begin < last ? begin : last;\n"
                         "const char *const in_first0 = in + 2 * BYTES * lane;\n"
                         "const char *in0 = in_first0 + turn;\n");
    print_lanes_out(p, transposed);
    c_pairs_print_loads(p);
    (transposed ? print_transposed : c_pairs_print_stores)(p);
    text_append(p->text, "turns += 2 * ROWS * %lld;\n}\n"
                "in += 2 * BYTES * shape->in_row;\nout += 2 * BYTES * shape->out_row;\n}\n}\n",
                (long long)c_pairs_count(p, IR_LOAD, true));
}

void c_pairs_beside_prologue(struct text *t, const struct c_vector_target *target)
{
    c_pair_turn_prologue(t, target);
    text_append(t,
                "#define ROWS %d\n"
                "#define LOAD_PAIR(x, at) LOAD(x##0 + (at))\n"
                "#define STORE_PAIR(x, at, v) STORE(x##0 + (at), v)\n"
                "#define MOVE_ON(x) x##0 += 8 * x##_by1; __asm__(\"\" : \"+r\"(x##0));\n",
                target->lanes / 2);
}

void c_pairs_beside_print(struct text *t, const struct c_vector_target *target,
                          const struct ir *kernel, bool transposed)
{
    arena *a = arena_create();
    struct c_pairs_printer p = {
        .pairs = {.text = t, .target = target}, .text = t, .rows = target->lanes / 2};
    if (a && c_pair_begin(&p.pairs, a, kernel)) {
        c_vector_print_head(t, target, p.pairs.kernel);
        print_body(&p, transposed);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
