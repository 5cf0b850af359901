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

static int reals_of(const struct c_pairs_printer *p)
{
    return p->parted ? C_PAIRS_PARTED_REALS : 2;
}

/* The other half of a parted line goes down from its last number. */
static void print_far(struct c_pairs_printer *p, const char *format)
{
    if (p->parted) text_append(p->text, format, C_PAIRS_PARTED_REALS, (long long)p->parted);
}

/* The last vector of a row overlaps the one before. */
static void print_rows(struct c_pairs_printer *p, bool transposed)
{
    const int64_t numbers = transposed ? c_pairs_count(p, IR_STORE, false) : 1;
    text_append(p->text, "const real *turns = (const real *)twiddles + shape->twiddle_plane;\n"
                         "(void)turns;\n"
                         "const char *in_lanes = in;\n"
                         "char *out_lanes = out;\n");
    print_far(p, "const char *far_lanes =\n"
                 "in + %d * BYTES * (%lld * shape->in_leg + shape->turn - ROWS);\n");
    text_append(p->text, "for (int64_t left = shape->lanes;;) {\n"
                         "const char *const in_first0 = in_lanes;\n"
                         "const char *in0 = in_first0%s;\n"
                         "char *const out_first0 = out_lanes;\n"
                         "char *out0 = out_first0;\n"
                         "(void)out_first0;\n",
                p->parted ? "" : " + turn");
    print_far(p, "const char *const far_first0 = far_lanes, *far0 = far_first0;\n");
    c_pairs_print_loads(p);
    (transposed ? print_transposed : c_pairs_print_stores)(p);
    text_append(p->text,
                "left -= ROWS;\nif (left <= 0) break;\n"
                "in_lanes += %d * BYTES * ROWS;\n"
                "out_lanes += 2 * BYTES * %lld * ROWS;\n"
                "turns += 2 * ROWS * %lld;\n"
                "__asm__(\"\" : \"+r\"(in_lanes), \"+r\"(out_lanes));\n",
                reals_of(p), (long long)numbers, (long long)c_pairs_count(p, IR_LOAD, true));
    print_far(p, "far_lanes -= %d * BYTES * ROWS;\n");
    text_append(p->text,
                "if (__builtin_expect(left < ROWS, 0)) {\n"
                "const int64_t twice = ROWS - left;\n"
                "in_lanes -= %d * BYTES * twice;\n"
                "out_lanes -= 2 * BYTES * %lld * twice;\n",
                reals_of(p), (long long)numbers);
    print_far(p, "far_lanes += %d * BYTES * twice;\n");
    text_append(p->text, "}\n}\n");
}

/* A parted line's rows are counted in reals, of which there may be an odd number between. */
static void print_body(struct c_pairs_printer *p, bool transposed)
{
    if (!p->parted) text_append(p->text, "const int64_t turn = 2 * BYTES * shape->turn;\n");
    c_pairs_print_distances(p, C_PAIRS_IN);
    if (p->parted) {
        c_pairs_print_distances(p, C_PAIRS_FAR);
        text_append(p->text, "const vec sign = SPLAT(*(const real *)fine);\n");
    }
    if (!transposed) c_pairs_print_distances(p, C_PAIRS_OUT);
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "for (int64_t row = 0; row < shape->rows; row++) {\n");
    print_rows(p, transposed);
    text_append(p->text,
                "in += %d * BYTES * shape->in_row;\nout += 2 * BYTES * shape->out_row;\n}\n}\n",
                p->parted ? 1 : 2);
}

/* Halves of vectors go to their places as they are read (experiment "halves of vectors" in
 * docs/experiments). Places are hidden from the compiler, which would keep a distance for each
 * half otherwise. */
static const char parted_head[] =
    "static inline __attribute__((unused, always_inline)) vec %s(const char *p)\n"
    "{\n__asm__(\"\" : \"+r\"(p));\nreturn %s;\n}\n";
static const char part_of_doubles[] =
    "_mm256_unpacklo_pd(JOINED(LOAD(p), LOAD(p + 2 * BYTES)),\n"
    "    JOINED(LOAD(p + 2 * BYTES), LOAD(p + 4 * BYTES)))";
static const char back_of_doubles[] =
    "_mm256_unpackhi_pd(JOINED(TWICE(p + 6 * BYTES), LOAD(p)),\n"
    "    JOINED(LOAD(p + 4 * BYTES), TWICE(p)))";
static const char part_of_singles[] =
    "_mm256_shuffle_ps(JOINED(LOAD(p), LOAD(p + 4 * BYTES)),\n"
    "    JOINED(LOAD(p + 4 * BYTES), LOAD(p + 8 * BYTES)), 0x88)";
static const char back_of_singles[] =
    "_mm256_shuffle_ps(JOINED(TWICE(p + 12 * BYTES), LOAD(p)),\n"
    "    JOINED(LOAD(p + 8 * BYTES), TWICE(p)), 0x77)";

static void print_parted(struct text *t, bool single)
{
    text_append(t, "#define TWICE(p) %s *)(const void *)(p))\n"
                   "#define JOINED(v, w) %s)\n",
                single ? "_mm256_broadcast_ps((const __m128" : "_mm256_broadcast_pd((const __m128d",
                single ? "_mm256_blend_ps(v, w, 0xf0" : "_mm256_blend_pd(v, w, 0xc");
    text_append(t, "#define LOAD_PARTED(x, at) part(x##0 + (at))\n"
                   "#define LOAD_BACK(x, at) back(x##0 + (at))\n");
    text_append(t, parted_head, "part", single ? part_of_singles : part_of_doubles);
    text_append(t, parted_head, "back", single ? back_of_singles : back_of_doubles);
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
    if (target->lanes == (target->single ? 8 : 4)) print_parted(t, target->single);
}

void c_pairs_beside_print(struct text *t, const struct c_vector_target *target,
                          const struct ir *kernel, enum c_pairs_step step)
{
    arena *a = arena_create();
    struct c_pairs_printer p = {.pairs = {.text = t, .target = target},
                                .text = t,
                                .rows = target->lanes / 2,
                                .reach = REACH};
    if (a && c_pair_begin(&p.pairs, a, kernel)) {
        c_vector_print_head(t, target, p.pairs.kernel);
        if (step == C_PAIRS_PARTED) p.parted = c_pairs_count(&p, IR_LOAD, false) / 2;
        print_body(&p, step != C_PAIRS_LEAVE);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
