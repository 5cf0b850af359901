#include "print/c_pairs_line.h"

#include <string.h>

#include "base/arena.h"
#include "print/c_pair_form.h"

/* Of a step the lanes are what the other's legs are. */
struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct c_pairs_line *line;
    struct c_pair_printer of[2];
    int pairs; /* of a vector */
};

/* ---- places ---- */

static int groups_of(const struct printer *p, int lanes)
{
    return (lanes + p->pairs - 1) / p->pairs;
}

/* The last vector of lanes, or legs, overlaps the one before. */
static int start_of(const struct printer *p, int lanes, int group)
{
    const int start = group * p->pairs, last = lanes - p->pairs;
    return start < last ? start : last;
}

/* Where a leg's lanes are from `start` on, in reals. */
static int place_outside(const struct printer *p, int step, int leg, int start)
{
    return 2 * (leg * p->line->radix[1 - step] + start);
}

/* ---- steps ---- */

static const struct ir_node *node_of(const struct printer *p, int step, ir_value n)
{
    return &p->of[step].kernel->node[n];
}

/* Whether it is the access of this kind to the first of two neighbours. */
static bool is_first(const struct printer *p, int step, ir_value n, enum ir_op op)
{
    return node_of(p, step, n)->op == op && c_pair_address(&p->of[step], n) % 2 == 0;
}

static bool is_factor(const struct printer *p, int step, ir_value access)
{
    const struct ir *kernel = p->of[step].kernel;
    return strcmp(kernel->buffer[node_of(p, step, access)->buffer].name, "twiddles") == 0;
}

static void print_load(struct printer *p, int step, ir_value n, int group)
{
    const int radix = p->line->radix[1], place = (int)c_pair_address(&p->of[step], n);
    const int start = start_of(p, p->line->radix[1 - step], group);
    text_append(p->text, "const vec v%d = ", (int)n);
    if (is_factor(p, step, n))
        text_append(p->text, "LOAD(turns + %d);\n",
                    p->pairs * (2 + 4 * (radix - 1) * group + place));
    else if (step == 0)
        text_append(p->text, "LOAD(in + %d);\n", place_outside(p, step, place / 2, start));
    else
        text_append(p->text, "inner%d_%d;\n", place / 2, group);
    p->of[step].partner[n] = c_pair_neighbour(&p->of[step], n);
}

static void print_store(struct printer *p, int step, ir_value n, int group)
{
    const int leg = (int)c_pair_address(&p->of[step], n) / 2;
    const int start = start_of(p, p->line->radix[1 - step], group);
    const ir_value other = c_pair_neighbour(&p->of[step], n);
    if (other == IR_NONE) {
        c_pair_refuse(&p->of[step]);
        return;
    }
    const struct c_pair x = {{node_of(p, step, n)->a, node_of(p, step, other)->a}};
    c_pair_define(&p->of[step], x);
    if (step == 0)
        text_append(p->text, "outer%d_%d = ", leg, group);
    else
        text_append(p->text, "STORE(out + %d, ", place_outside(p, step, leg, start));
    c_pair_print_name(&p->of[step], x);
    text_append(p->text, step == 0 ? ";\n" : ");\n");
}

/* The butterflies of a vector's lanes. */
static void print_group(struct printer *p, arena *a, int step, int group)
{
    if (!c_pair_begin(&p->of[step], a, p->line->step[step])) {
        p->text->failed = true;
        return;
    }
    const ir_value count = p->of[step].kernel->count;
    text_append(p->text, "{\n");
    for (ir_value n = 0; n < count; n++) {
        if (is_first(p, step, n, IR_LOAD)) print_load(p, step, n, group);
    }
    for (ir_value n = 0; n < count && !p->text->failed; n++) {
        if (is_first(p, step, n, IR_STORE)) print_store(p, step, n, group);
    }
    text_append(p->text, "}\n");
}

static void print_step(struct printer *p, arena *a, int step)
{
    const int groups = groups_of(p, p->line->radix[1 - step]);
    for (int group = 0; group < groups && !p->text->failed; group++)
        print_group(p, a, step, group);
}

/* ---- between them ---- */

static void declare(struct printer *p, const char *name, int legs, int lanes)
{
    for (int leg = 0; leg < legs; leg++) {
        for (int group = 0; group < groups_of(p, lanes); group++)
            text_append(p->text, "vec %s%d_%d;\n", name, leg, group);
    }
}

/* As many legs as a vector has pairs: the first step's become the second one's lanes. */
static void print_turn(struct printer *p, int legs, int lanes)
{
    const int *radix = p->line->radix;
    const int leg = start_of(p, radix[0], legs), lane = start_of(p, radix[1], lanes);
    text_append(p->text, "TURN(");
    for (int i = 0; i < p->pairs; i++)
        text_append(p->text, "outer%d_%d, ", leg + i, lanes);
    for (int i = 0; i < p->pairs; i++)
        text_append(p->text, "inner%d_%d%s", lane + i, legs, i + 1 < p->pairs ? ", " : ");\n");
}

static void print_turns(struct printer *p)
{
    const int *radix = p->line->radix;
    for (int legs = 0; legs < groups_of(p, radix[0]); legs++) {
        for (int lanes = 0; lanes < groups_of(p, radix[1]); lanes++)
            print_turn(p, legs, lanes);
    }
}

/* ---- functions ---- */

/* A lone row is what matters: strides of rows are asked for after it. */
static void print_body(struct printer *p, arena *a)
{
    const int *radix = p->line->radix;
    text_append(p->text, "const real *in = (const real *)in_re;\n"
                         "real *out = (real *)out_re;\n"
                         "const real *const turns = "
                         "(const real *)twiddles + shape->twiddle_plane;\n"
                         "const vec sign = LOAD(turns);\n"
                         "int64_t rows = shape->rows;\n"
                         "if (__builtin_expect(rows <= 0, 0)) return;\n"
                         "for (;;) {\n");
    declare(p, "outer", radix[0], radix[1]);
    declare(p, "inner", radix[1], radix[0]);
    print_step(p, a, 0);
    print_turns(p);
    print_step(p, a, 1);
    text_append(p->text, "if (__builtin_expect(--rows == 0, 1)) return;\n"
                         "in += 2 * shape->in_row;\n"
                         "out += 2 * shape->out_row;\n"
                         "}\n}\n");
}

static int pairs_of(const struct c_vector_target *target)
{
    return target->lanes / 2;
}

static const char turn_of_two[] =
    "#define SWAP(v) _mm256_permute_pd(v, 5)\n"
    "#define TURN(a, b, p, q) do { \\\n"
    "    p = _mm256_permute2f128_pd(a, b, 0x20); \\\n"
    "    q = _mm256_permute2f128_pd(a, b, 0x31); } while (0)\n";

static const char turn_of_four_doubles[] =
    "#define SWAP(v) _mm512_permute_pd(v, 0x55)\n"
    "#define PIECES(a, b, pieces) _mm512_shuffle_f64x2(a, b, pieces)\n"
    "#define TURN(a, b, c, d, p, q, r, s) do { \\\n"
    "    const vec low = PIECES(a, b, 0x44), high = PIECES(a, b, 0xee); \\\n"
    "    const vec low2 = PIECES(c, d, 0x44), high2 = PIECES(c, d, 0xee); \\\n"
    "    p = PIECES(low, low2, 0x88), q = PIECES(low, low2, 0xdd); \\\n"
    "    r = PIECES(high, high2, 0x88), s = PIECES(high, high2, 0xdd); } while (0)\n";

/* Pairs of singles are moved as doubles. */
static const char turn_of_four_singles[] =
    "#define SWAP(v) _mm256_permute_ps(v, 0xb1)\n"
    "#define WIDE(v) _mm256_castps_pd(v)\n"
    "#define HALVES(a, b, halves) _mm256_castpd_ps(_mm256_permute2f128_pd(a, b, halves))\n"
    "#define TURN(a, b, c, d, p, q, r, s) do { \\\n"
    "    const __m256d even = _mm256_unpacklo_pd(WIDE(a), WIDE(b)); \\\n"
    "    const __m256d odd = _mm256_unpackhi_pd(WIDE(a), WIDE(b)); \\\n"
    "    const __m256d even2 = _mm256_unpacklo_pd(WIDE(c), WIDE(d)); \\\n"
    "    const __m256d odd2 = _mm256_unpackhi_pd(WIDE(c), WIDE(d)); \\\n"
    "    p = HALVES(even, even2, 0x20), q = HALVES(odd, odd2, 0x20); \\\n"
    "    r = HALVES(even, even2, 0x31), s = HALVES(odd, odd2, 0x31); } while (0)\n";

static const char turn_of_eight[] =
    "#define SWAP(v) _mm512_permute_ps(v, 0xb1)\n"
    "#define WIDE(v) _mm512_castps_pd(v)\n"
    "#define EVEN(a, b) _mm512_unpacklo_pd(WIDE(a), WIDE(b))\n"
    "#define ODD(a, b) _mm512_unpackhi_pd(WIDE(a), WIDE(b))\n"
    "#define PIECES(a, b, pieces) _mm512_shuffle_f64x2(a, b, pieces)\n"
    "#define NARROW(a, b, pieces) _mm512_castpd_ps(PIECES(a, b, pieces))\n"
    "#define TURN_PIECES(a, b, c, d, p, q, r, s) do { \\\n"
    "    const __m512d low = PIECES(a, b, 0x44), high = PIECES(a, b, 0xee); \\\n"
    "    const __m512d low2 = PIECES(c, d, 0x44), high2 = PIECES(c, d, 0xee); \\\n"
    "    p = NARROW(low, low2, 0x88), q = NARROW(low, low2, 0xdd); \\\n"
    "    r = NARROW(high, high2, 0x88), s = NARROW(high, high2, 0xdd); } while (0)\n"
    "#define TURN(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w) do { \\\n"
    "    TURN_PIECES(EVEN(a, b), EVEN(c, d), EVEN(e, f), EVEN(g, h), p, r, t, v); \\\n"
    "    TURN_PIECES(ODD(a, b), ODD(c, d), ODD(e, f), ODD(g, h), q, s, u, w); } while (0)\n";

void c_pairs_line_prologue(struct text *t, const struct c_vector_target *target)
{
    const int pairs = pairs_of(target);
    c_vector_prologue(t, target);
    text_append(t, "%s#define PAIR(x, y) ((vec){x, y",
                pairs == 2       ? turn_of_two
                : pairs == 8     ? turn_of_eight
                : target->single ? turn_of_four_singles
                                 : turn_of_four_doubles);
    for (int i = 1; i < pairs; i++)
        text_append(t, ", x, y");
    text_append(t, "})\n#define SIGNED(x) (SPLAT(x) * sign)\n");
}

void c_pairs_line_print(struct text *t, const struct c_vector_target *target,
                        const struct c_pairs_line *line)
{
    arena *a = arena_create();
    const struct c_pair_printer pair = {.text = t, .target = target, .signs = true};
    struct printer p = {t, target, line, {pair, pair}, pairs_of(target)};
    struct ir named = *line->step[0];
    named.name = line->name;
    c_vector_print_head(t, target, &named);
    if (a) print_body(&p, a);
    else t->failed = true;
    arena_destroy(&a);
}
