#include "lines.h"

#include "base/arena.h"
#include "base/error.h"
#include "exchange.h"
#include "kernel/codelet.h"
#include "print/c_line.h"
#include "print/c_pair.h"
#include "print/c_pairs_line.h"

/* Vectors of four singles are mostly shuffled by instructions that know the lanes. */
static bool turns_lines(const struct options *o, int width)
{
    return o->isa->turns && (width > 4 || options_precision(o) == WEFT_F64);
}

int lines_own_kind(const struct options *o, const struct line *line, int kind)
{
    const bool turns = turns_lines(o, line->width) || line->form == LINE_PAIRS;
    return kind == LINE_INVERSE && turns ? LINE_FORWARD : kind;
}

static bool print_line(struct text *t, const struct c_vector_target *target,
                       const struct line *line, enum line_kind kind)
{
    arena *a = arena_create();
    const weft_precision precision = target->single ? WEFT_F32 : WEFT_F64;
    const struct ir *kernel = a ? line_build(a, line, kind, precision) : NULL;
    if (kernel) (line->width == 1 ? c_pair_print : c_line_print)(t, target, kernel);
    const bool done = kernel && !t->failed;
    arena_destroy(&a);
    return done ? true : options_fail("a line codelet", error_last());
}

bool lines_print(struct text *t, struct options *o)
{
    struct c_vector_target target = options_target(o);
    const int lanes = target.lanes;
    struct c_exchange *exchange = turns_lines(o, o->lines) ? &o->exchange[o->lines] : NULL;
    target.exchange = exchange;
    target.lanes = o->lines;
    (o->lines == 1 ? c_pair_prologue : c_vector_prologue)(t, &target);
    for (int n = 2; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_find(lanes, options_precision(o), n);
        if (!line || line->form == LINE_PAIRS || line->width != o->lines) continue;
        for (int kind = 0; kind < LINE_KINDS; kind++) {
            if (kind != lines_own_kind(o, line, kind)) continue;
            target.exchange = kind == LINE_FORWARD ? exchange : NULL;
            if (!print_line(t, &target, line, kind)) return false;
        }
    }
    return true;
}

static bool print_line_of_pairs(struct text *t, const struct c_vector_target *target,
                                const struct line *line)
{
    arena *a = arena_create();
    const weft_precision precision = target->single ? WEFT_F32 : WEFT_F64;
    struct c_pairs_line pairs = {.radix = {line->radix[0], line->radix[1]}};
    if (a) {
        pairs.name = arena_printf(a, "%s_%d", line_name(LINE_FORWARD), line->n);
        pairs.step[0] = codelet_build(a, CODELET_PAIRS_OPEN, line->radix[0], precision);
        pairs.step[1] = codelet_build(a, CODELET_PAIRS_LEAVE, line->radix[1], precision);
    }
    const bool built = pairs.name && pairs.step[0] && pairs.step[1];
    if (built) c_pairs_line_print(t, target, &pairs);
    arena_destroy(&a);
    return built && !t->failed ? true : options_fail("a line of pairs", error_last());
}

bool lines_print_pairs(struct text *t, struct options *o)
{
    struct c_vector_target target = options_target(o);
    const int lanes = target.lanes;
    target.lanes = o->lines;
    c_pairs_line_prologue(t, &target);
    for (int n = 2; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_find(lanes, options_precision(o), n);
        if (!line || line->form != LINE_PAIRS || line->width != o->lines) continue;
        if (!print_line_of_pairs(t, &target, line)) return false;
    }
    return true;
}
