#include "print/c_pairs_line.h"

#include <string.h>

#include "base/arena.h"
#include "print/c_pair_form.h"
#include "print/c_pair_turn.h"

/* Of a step the lanes are what the other's legs are. */
struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct c_pairs_line *line;
    struct c_pair_printer of[2];
    int pairs; /* of a vector */
};

/* A step's vectors of lanes, that of `start` on. In a loop, which knows its own, all are as the
 * first one. */
struct group {
    int step, index, start;
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

static struct group group_of(const struct printer *p, int step, int index)
{
    return (struct group){step, index, start_of(p, p->line->radix[1 - step], index)};
}

/* Reals of a vector. */
static int reals_of(const struct printer *p)
{
    return 2 * p->pairs;
}

/* Where a leg's lanes are from `start` on, in reals. */
static int place_outside(const struct printer *p, int step, int leg, int start)
{
    return 2 * (leg * p->line->radix[1 - step] + start);
}

/* Of the second step's leg the lanes' vector, between the steps. */
static int place_between(const struct printer *p, int leg, int group)
{
    return reals_of(p) * (leg * groups_of(p, p->line->radix[0]) + group);
}

#define REGISTERS 32

/* Steps are loops where what lies between them is more than registers hold. */
static bool is_looped(const struct printer *p)
{
    return p->line->radix[1] * groups_of(p, p->line->radix[0]) > REGISTERS;
}

/* ---- between the steps ---- */

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

static void declare(struct printer *p, const char *name, int legs, int lanes)
{
    for (int leg = 0; leg < legs; leg++) {
        for (int group = 0; group < groups_of(p, lanes); group++)
            text_append(p->text, "vec %s%d_%d;\n", name, leg, group);
    }
}

/* Of a group of a loop, whose results come to lie as the second step reads them. */
static void print_turned_group(struct printer *p)
{
    declare(p, "inner", p->pairs, p->line->radix[0]);
    for (int legs = 0; legs < groups_of(p, p->line->radix[0]); legs++) {
        print_turn(p, legs, 0);
        for (int i = 0; i < p->pairs; i++)
            text_append(p->text, "STORE(between + %d * start + %d, inner%d_%d);\n",
                        place_between(p, 1, 0), place_between(p, i, legs), i, legs);
    }
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

static int factors_of(const struct printer *p, int group)
{
    return reals_of(p) * (1 + 2 * (p->line->radix[1] - 1) * group);
}

static void print_load(struct printer *p, struct group g, ir_value n)
{
    const int place = (int)c_pair_address(&p->of[g.step], n);
    text_append(p->text, "const vec v%d = ", (int)n);
    if (is_factor(p, g.step, n))
        text_append(p->text, "LOAD(factors + %d);\n", p->pairs * place);
    else if (g.step == 0)
        text_append(p->text, "LOAD(from + %d);\n", place_outside(p, 0, place / 2, 0));
    else if (is_looped(p))
        text_append(p->text, "LOAD(inner + %d);\n", place_between(p, place / 2, 0));
    else
        text_append(p->text, "inner%d_%d;\n", place / 2, g.index);
    p->of[g.step].partner[n] = c_pair_neighbour(&p->of[g.step], n);
}

static void print_store(struct printer *p, struct group g, ir_value n)
{
    struct c_pair_printer *const pairs = &p->of[g.step];
    const int leg = (int)c_pair_address(pairs, n) / 2;
    const ir_value other = c_pair_neighbour(pairs, n);
    if (other == IR_NONE) {
        c_pair_refuse(pairs);
        return;
    }
    const struct c_pair x = {{node_of(p, g.step, n)->a, node_of(p, g.step, other)->a}};
    c_pair_define(pairs, x);
    if (g.step == 0)
        text_append(p->text, "outer%d_%d = ", leg, g.index);
    else
        text_append(p->text, "STORE(to + %d, ", place_outside(p, 1, leg, 0));
    c_pair_print_name(pairs, x);
    text_append(p->text, g.step == 0 ? ";\n" : ");\n");
}

static void print_butterflies(struct printer *p, arena *a, struct group g)
{
    if (!c_pair_begin(&p->of[g.step], a, p->line->step[g.step])) {
        p->text->failed = true;
        return;
    }
    const ir_value count = p->of[g.step].kernel->count;
    for (ir_value n = 0; n < count; n++) {
        if (is_first(p, g.step, n, IR_LOAD)) print_load(p, g, n);
    }
    for (ir_value n = 0; n < count && !p->text->failed; n++) {
        if (is_first(p, g.step, n, IR_STORE)) print_store(p, g, n);
    }
}

/* The butterflies of a vector's lanes, all at constant places. */
static void print_group(struct printer *p, arena *a, struct group g)
{
    if (g.step == 0)
        text_append(p->text, "{\nconst real *const from = in + %d;\n", 2 * g.start);
    else
        text_append(p->text,
                    "{\nreal *const to = out + %d;\n"
                    "const real *const factors = turns + %d;\n",
                    2 * g.start, factors_of(p, g.index));
    print_butterflies(p, a, g);
    text_append(p->text, "}\n");
}

/* The same as the body of a loop. */
static void print_loop(struct printer *p, arena *a, int step)
{
    const int lanes = p->line->radix[1 - step];
    text_append(p->text,
                "for (int64_t group = 0; group < %d; group++) {\n"
                "const int64_t start = START(group, %d);\n",
                groups_of(p, lanes), lanes - p->pairs);
    if (step == 0) {
        text_append(p->text, "const real *const from = in + 2 * start;\n");
        declare(p, "outer", p->line->radix[0], p->pairs);
    } else {
        text_append(p->text,
                    "real *const to = out + 2 * start;\n"
                    "const real *const inner = between + %d * group;\n"
                    "const real *const factors = turns + %d + %d * group;\n",
                    reals_of(p), factors_of(p, 0), factors_of(p, 1) - factors_of(p, 0));
    }
    print_butterflies(p, a, group_of(p, step, 0));
    if (step == 0) print_turned_group(p);
    text_append(p->text, "}\n");
}

static void print_step(struct printer *p, arena *a, int step)
{
    const int groups = groups_of(p, p->line->radix[1 - step]);
    for (int group = 0; group < groups && !p->text->failed; group++)
        print_group(p, a, group_of(p, step, group));
}

static void print_straight_steps(struct printer *p, arena *a)
{
    declare(p, "outer", p->line->radix[0], p->line->radix[1]);
    declare(p, "inner", p->line->radix[1], p->line->radix[0]);
    print_step(p, a, 0);
    print_turns(p);
    print_step(p, a, 1);
}

/* The second step leaves its results where it reads, if vectors do not overlap: what lies between
 * the steps needs room of its own only in place. */
static void print_looped_steps(struct printer *p, arena *a)
{
    const bool overlaps = p->line->radix[0] % p->pairs != 0;
    text_append(p->text, "real room[%d];\nreal *const between = %s;\n",
                place_between(p, p->line->radix[1], 0),
                overlaps ? "room" : "in == out ? room : out");
    print_loop(p, a, 0);
    print_loop(p, a, 1);
}

/* ---- functions ---- */

/* A lone row is what matters: strides of rows are asked for after it. */
static void print_body(struct printer *p, arena *a)
{
    text_append(p->text, "const real *in = (const real *)in_re;\n"
                         "real *out = (real *)out_re;\n"
                         "const real *const turns = "
                         "(const real *)twiddles + shape->twiddle_plane;\n"
                         "const vec sign = LOAD(turns);\n"
                         "int64_t rows = shape->rows;\n"
                         "if (__builtin_expect(rows <= 0, 0)) return;\n"
                         "for (;;) {\n");
    (is_looped(p) ? print_looped_steps : print_straight_steps)(p, a);
    text_append(p->text, "if (__builtin_expect(--rows == 0, 1)) return;\n"
                         "in += 2 * shape->in_row;\n"
                         "out += 2 * shape->out_row;\n"
                         "}\n}\n");
}

static int pairs_of(const struct c_vector_target *target)
{
    return target->lanes / 2;
}

void c_pairs_line_prologue(struct text *t, const struct c_vector_target *target)
{
    const int pairs = pairs_of(target);
    c_pair_turn_prologue(t, target);
    text_append(t,
                "#define SIGNED(x) (SPLAT(x) * sign)\n"
                "#define START(group, last) (%d * (group) < (last) ? %d * (group) : (last))\n",
                pairs, pairs);
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
