#include "kernel/codelet.h"

#include "kernel/butterfly.h"
#include "spec/limits.h"

const struct codelet_shape_of_kind codelet_kinds[CODELET_KIND_COUNT] = {
    [CODELET_STEP_PLAIN] = {.name = "step_plain",
                            .in = CODELET_PLANAR,
                            .out = CODELET_PLANAR,
                            .seldom = true},
    [CODELET_STEP] = {.name = "step",
                      .in = CODELET_PLANAR,
                      .out = CODELET_PLANAR,
                      .twiddle = CODELET_TWIDDLE_ROW,
                      .in_turn = true},
    [CODELET_STEP_SPLIT] = {.name = "step_split",
                            .in = CODELET_PLANAR,
                            .out = CODELET_PLANAR,
                            .twiddle = CODELET_TWIDDLE_SPLIT,
                            .seldom = true,
                            .onward = true},
    [CODELET_TRANSPOSE] = {.name = "transpose",
                           .in = CODELET_PLANAR,
                           .out = CODELET_TRANSPOSED,
                           .identity = true,
                           .fetches = true},
    [CODELET_OPEN_PLANAR] = {.name = "open_planar",
                             .in = CODELET_PLANAR,
                             .out = CODELET_TRANSPOSED,
                             .twiddle = CODELET_TWIDDLE_LANE},
    [CODELET_OPEN] = {.name = "open",
                      .in = CODELET_INTERLEAVED,
                      .out = CODELET_TRANSPOSED,
                      .twiddle = CODELET_TWIDDLE_LANE,
                      .narrow = true,
                      .woven = true},
    [CODELET_ENTER] = {.name = "enter",
                       .in = CODELET_INTERLEAVED,
                       .out = CODELET_PLANAR,
                       .twiddle = CODELET_TWIDDLE_ROW,
                       .fetches = true},
    [CODELET_REFLECT] = {.name = "reflect",
                         .in = CODELET_REFLECTED,
                         .out = CODELET_PLANAR,
                         .twiddle = CODELET_TWIDDLE_ROW},
    [CODELET_OPEN_PARTED] = {.name = "open_parted",
                             .in = CODELET_PARTED,
                             .out = CODELET_TRANSPOSED,
                             .twiddle = CODELET_TWIDDLE_LANE},
    [CODELET_ENTER_PARTED] = {.name = "enter_parted",
                              .in = CODELET_PARTED,
                              .out = CODELET_PLANAR,
                              .twiddle = CODELET_TWIDDLE_ROW},
    [CODELET_LEAVE] = {.name = "leave",
                       .in = CODELET_PLANAR,
                       .out = CODELET_INTERLEAVED,
                       .narrow = true},
    [CODELET_STREAM] = {.name = "stream",
                        .in = CODELET_PLANAR,
                        .out = CODELET_INTERLEAVED,
                        .streams = true,
                        .onward = true},
    [CODELET_STREAM_SPLIT] = {.name = "stream_split",
                              .in = CODELET_PLANAR,
                              .out = CODELET_PLANAR,
                              .twiddle = CODELET_TWIDDLE_SPLIT,
                              .streams = true,
                              .onward = true},
    [CODELET_WHOLE] = {.name = "whole",
                       .in = CODELET_INTERLEAVED,
                       .out = CODELET_INTERLEAVED,
                       .seldom = true},
    [CODELET_PAIRS] = {.name = "pairs", .in = CODELET_INTERLEAVED, .out = CODELET_INTERLEAVED},
    [CODELET_PAIRS_OPEN] = {.name = "pairs_open",
                            .in = CODELET_INTERLEAVED,
                            .out = CODELET_PACKED},
    [CODELET_PAIRS_PARTED] = {.name = "pairs_parted",
                              .in = CODELET_PARTED,
                              .out = CODELET_PACKED},
    [CODELET_PAIRS_LEAVE] = {.name = "pairs_leave",
                             .in = CODELET_INTERLEAVED,
                             .out = CODELET_INTERLEAVED,
                             .twiddle = CODELET_TWIDDLE_PAIR},
    [CODELET_PACK] = {.name = "pack", .in = CODELET_PACKED, .out = CODELET_PACKED},
    [CODELET_PACK_INVERSE] = {.name = "pack_inverse",
                              .in = CODELET_PACKED,
                              .out = CODELET_PACKED,
                              .inverse = true},
};

bool codelet_takes_pairs(enum codelet_kind kind)
{
    return kind == CODELET_PAIRS || kind == CODELET_PAIRS_OPEN || kind == CODELET_PAIRS_PARTED ||
           kind == CODELET_PAIRS_LEAVE;
}

static bool is_one_of(int radix, const int *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == radix) return true;
    }
    return false;
}

#define ONE_OF(radix, list) is_one_of(radix, list, sizeof(list) / sizeof(list)[0])

/* The large primes have what is made around their cores. */
static bool surrounds_core(enum codelet_kind kind)
{
    const struct codelet_shape_of_kind *k = &codelet_kinds[kind];
    return k->in <= CODELET_INTERLEAVED && k->out <= CODELET_INTERLEAVED;
}

static bool can_stream(enum codelet_kind kind, int radix)
{
    static const int radices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16};
    static const int split[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 16};
    return kind == CODELET_STREAM ? ONE_OF(radix, radices) : ONE_OF(radix, split);
}

bool codelet_exists(enum codelet_kind kind, int radix)
{
    static const int primes[] = {17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61,
                                 67, 71, 73, 79, 83, 89, 97};
    static const int long_steps[] = {15, 16, 25};
    static const int transposes[] = {4, 8, 16, 32}, reflected[] = {6, 8, 10, 12, 16};
    static const int parted[] = {8, 16}, parted_pairs[] = {6, 8, 10, 12, 16, 20};
    static const int pairs[] = {14, 15, 16, 18, 20, 24, 25};
    static const int beside[] = {18, 20, 24, 25, 27, 28, 30, 32, 36, 40};
    if (kind == CODELET_PAIRS) return (radix >= 2 && radix <= 13) || ONE_OF(radix, pairs);
    if (kind == CODELET_PAIRS_PARTED) return ONE_OF(radix, parted_pairs);
    if (kind == CODELET_PAIRS_LEAVE && radix < LIMITS_LEAST_PAIR_STEP) return radix >= 2;
    if (codelet_takes_pairs(kind))
        return (radix >= LIMITS_LEAST_PAIR_STEP && radix <= 16) || ONE_OF(radix, beside);
    if (kind == CODELET_TRANSPOSE) return ONE_OF(radix, transposes);
    if (kind == CODELET_REFLECT) return ONE_OF(radix, reflected);
    if (codelet_kinds[kind].in == CODELET_PARTED) return ONE_OF(radix, parted);
    if (codelet_kinds[kind].streams) return can_stream(kind, radix);
    if (ONE_OF(radix, primes)) return surrounds_core(kind);
    if (codelet_kinds[kind].in == CODELET_PACKED && radix > 13) return radix == 16;
    return (radix >= 2 && radix <= 13) || ONE_OF(radix, long_steps);
}

/* (Experiment "lines in pairs" in docs/experiments.) */
bool codelet_packs(weft_precision precision, int radix)
{
    static const int packed[] = {2, 3, 4, 6, 8, 12};
    return precision == WEFT_F32 && ONE_OF(radix, packed);
}

bool codelet_is_optional(enum codelet_kind kind)
{
    const enum codelet_end in = codelet_kinds[kind].in;
    if (codelet_takes_pairs(kind)) return true;
    return codelet_kinds[kind].streams || in == CODELET_REFLECTED || in == CODELET_PARTED;
}

/* A codelet while it is built. */
struct codelet {
    struct ir_builder *builder;
    const struct codelet_shape_of_kind *kind;
    int radix;
    weft_precision precision;
    ir_value param[CODELET_PARAM_COUNT];
    int buffer[CODELET_BUFFER_COUNT];
};

/* One of the two ends: which buffers and strides it has. */
struct end {
    enum codelet_end layout;
    int re, im;
    ir_value row, leg, turn;
};

/* Where one leg's real and imaginary part lie. */
struct place {
    int buffer[2];
    ir_value index;
    int64_t lane_stride, offset[2];
};

static ir_value row_part(struct ir_builder *b, ir_value stride, int scale)
{
    return ir_int_mul(b, ir_int_mul(b, ir_block(b), stride), ir_int(b, scale));
}

static ir_value leg_part(struct ir_builder *b, ir_value stride, int leg, int scale)
{
    return ir_int_mul(b, stride, ir_int(b, (int64_t)leg * scale));
}

/* The part of an address that changes from row to row is kept in one sum: printers hoist it. */
static ir_value row_and_leg(struct ir_builder *b, ir_value row_stride, ir_value leg_stride, int leg,
                            int scale)
{
    return ir_int_add(b, row_part(b, row_stride, scale), leg_part(b, leg_stride, leg, scale));
}

/* The index of a leg's pair, in reals. */
static ir_value turned(struct ir_builder *b, const struct end *end, int leg)
{
    const ir_value index = row_and_leg(b, end->row, end->leg, leg, 2);
    if (leg == 0) return index;
    return ir_int_add(b, index, ir_int_mul(b, end->turn, ir_int(b, 2)));
}

/* Legs of the second half, which lie backwards from the last one on. */
static struct place mirrored_place(const struct codelet *c, const struct end *end, int leg)
{
    struct ir_builder *b = c->builder;
    const ir_value place = ir_int_add(b, end->turn, leg_part(b, end->leg, c->radix - 1 - leg, 1));
    return (struct place){
        {end->im, end->re}, ir_int_add(b, row_part(b, end->row, -1), place), 1, {0, 0}};
}

static struct place parted_place(const struct codelet *c, const struct end *end, int leg)
{
    struct ir_builder *b = c->builder;
    if (2 * leg < c->radix) {
        const ir_value index = row_and_leg(b, end->row, end->leg, leg, CODELET_PARTED_REALS);
        return (struct place){{end->re, end->re}, index, CODELET_PARTED_REALS, {0, 2}};
    }
    const int from_last = c->radix - 1 - leg;
    const ir_value index = ir_int_add(b, row_part(b, end->row, -CODELET_PARTED_REALS),
                                      leg_part(b, end->leg, from_last, CODELET_PARTED_REALS));
    return (struct place){{end->im, end->im}, index, -CODELET_PARTED_REALS, {3, 1}};
}

static struct place place_of(const struct codelet *c, const struct end *end, int leg)
{
    struct ir_builder *b = c->builder;
    switch (end->layout) {
    case CODELET_REFLECTED:
        if (leg >= c->radix / 2) return mirrored_place(c, end, leg);
        /* fallthrough */
    case CODELET_PLANAR:
        return (struct place){
            {end->re, end->im}, row_and_leg(b, end->row, end->leg, leg, 1), 1, {0, 0}};
    case CODELET_INTERLEAVED:
        return (struct place){{end->re, end->re}, turned(b, end, leg), 2, {0, 1}};
    case CODELET_TRANSPOSED:
        return (struct place){
            {end->re, end->im}, ir_int_mul(b, ir_block(b), end->row), c->radix, {leg, leg}};
    case CODELET_PARTED:
        return parted_place(c, end, leg);
    case CODELET_PACKED:
        break;
    }
    return (struct place){
        {end->re, end->re}, ir_int(b, 0), 2 * (int64_t)c->radix, {2 * leg, 2 * leg + 1}};
}

/* An inverse codelet takes re for im at both ends. */
static struct place place_in_direction(const struct codelet *c, const struct end *end, int leg)
{
    struct place place = place_of(c, end, leg);
    if (c->kind->inverse) {
        int64_t re = place.offset[0];
        place.offset[0] = place.offset[1];
        place.offset[1] = re;
    }
    return place;
}

static struct ir_complex load_leg(const struct codelet *c, const struct end *end, int leg)
{
    struct place place = place_in_direction(c, end, leg);
    return (struct ir_complex){
        ir_load_lane(c->builder, place.buffer[0], place.index, place.lane_stride, place.offset[0]),
        ir_load_lane(c->builder, place.buffer[1], place.index, place.lane_stride, place.offset[1]),
    };
}

static void store_leg(const struct codelet *c, const struct end *end, int leg, struct ir_complex y)
{
    struct place place = place_in_direction(c, end, leg);
    ir_store_lane(c->builder, place.buffer[0], place.index, place.lane_stride, place.offset[0],
                  y.re);
    ir_store_lane(c->builder, place.buffer[1], place.index, place.lane_stride, place.offset[1],
                  y.im);
}

/* Where a complex factor lies in its table, the two planes `plane` apart. */
struct factor_place {
    enum codelet_buffer buffer;
    ir_value row, column, plane;
    int64_t lane_stride, offset;
};

static struct ir_complex load_factor(const struct codelet *c, struct factor_place place)
{
    struct ir_builder *b = c->builder;
    ir_value re = ir_int_add(b, place.row, place.column);
    ir_value im = ir_int_add(b, place.row, ir_int_add(b, place.column, place.plane));
    const int buffer = c->buffer[place.buffer];
    return (struct ir_complex){ir_load_lane(b, buffer, re, place.lane_stride, place.offset),
                               ir_load_lane(b, buffer, im, place.lane_stride, place.offset)};
}

static struct ir_complex load_twiddle(const struct codelet *c, int leg)
{
    struct ir_builder *b = c->builder;
    const ir_value *param = c->param;
    struct factor_place place = {
        CODELET_TWIDDLES, ir_int(b, 0), ir_int(b, 0), param[CODELET_TWIDDLE_PLANE], 0, 0};
    if (c->kind->twiddle == CODELET_TWIDDLE_ROW) {
        place.row = row_part(b, param[CODELET_TWIDDLE_ROW_STRIDE], 1);
        place.offset = leg - 1;
    } else {
        place.column = leg_part(b, param[CODELET_TWIDDLE_LEG], leg - 1, 1);
        place.lane_stride = 1;
    }
    return load_factor(c, place);
}

/* What the twiddles of a split have in common in a row; of others nothing. */
static struct ir_complex load_row_factor(const struct codelet *c)
{
    struct ir_builder *b = c->builder;
    const ir_value *param = c->param;
    if (c->kind->twiddle != CODELET_TWIDDLE_SPLIT)
        return (struct ir_complex){IR_NONE, IR_NONE};
    const struct factor_place place = {CODELET_TWIDDLES,
                                       row_part(b, param[CODELET_TWIDDLE_ROW_STRIDE], 1),
                                       ir_int(b, 0),
                                       param[CODELET_TWIDDLE_PLANE],
                                       1,
                                       0};
    return load_factor(c, place);
}

static struct ir_complex load_leg_factor(const struct codelet *c, int leg)
{
    struct ir_builder *b = c->builder;
    const ir_value *param = c->param;
    const struct factor_place place = {CODELET_FINE_TWIDDLES,
                                       ir_int(b, 0),
                                       leg_part(b, param[CODELET_FINE_LEG], leg, 1),
                                       param[CODELET_FINE_PLANE],
                                       1,
                                       0};
    return load_factor(c, place);
}

static struct ir_complex twiddled(const struct codelet *c, int leg, struct ir_complex y,
                                  struct ir_complex of_row)
{
    struct ir_builder *b = c->builder;
    switch (c->kind->twiddle) {
    case CODELET_TWIDDLE_NONE:
    case CODELET_TWIDDLE_PAIR:
        break;
    case CODELET_TWIDDLE_SPLIT:
        return ir_complex_mul(b, y, ir_complex_mul(b, of_row, load_leg_factor(c, leg)));
    case CODELET_TWIDDLE_ROW:
    case CODELET_TWIDDLE_LANE:
        if (leg > 0) return ir_complex_mul(b, y, load_twiddle(c, leg));
    }
    return y;
}

void codelet_declare(struct ir_builder *b, ir_value param[CODELET_PARAM_COUNT],
                     int buffer[CODELET_BUFFER_COUNT])
{
    static const char *const param_names[CODELET_PARAM_COUNT] = {
        "in_row",      "in_leg",        "out_row",  "out_leg",  "turn",      "twiddle_row",
        "twiddle_leg", "twiddle_plane", "fine_leg", "fine_plane"};
    static const char *const buffer_names[CODELET_BUFFER_COUNT] = {"in_re",  "in_im",    "out_re",
                                                                   "out_im", "twiddles", "fine"};
    for (int i = 0; i < CODELET_PARAM_COUNT; i++) {
        param[i] = ir_param(b, param_names[i]);
    }
    for (int i = 0; i < CODELET_BUFFER_COUNT; i++) {
        bool writable = i == CODELET_OUT_RE || i == CODELET_OUT_IM;
        buffer[i] = ir_buffer(b, buffer_names[i], IR_GLOBAL, writable, 0);
    }
}

/* The sign of what is mirrored becomes a part of the butterfly's first sums. */
static struct ir_complex load_mirrored(const struct codelet *c, const struct end *end, int leg)
{
    struct ir_builder *b = c->builder;
    const struct ir_complex x = load_leg(c, end, leg);
    const ir_value sign = ir_load_lane(b, c->buffer[CODELET_FINE_TWIDDLES], ir_int(b, 0), 0, 0);
    return (struct ir_complex){ir_mul(b, x.re, sign), ir_mul(b, x.im, sign)};
}

/* A factor's parts are there for both parts of a number, with their signs. */
static ir_value load_pair_factor(const struct codelet *c, int leg, int part)
{
    struct ir_builder *b = c->builder;
    return ir_load_lane(b, c->buffer[CODELET_TWIDDLES], ir_int(b, 0), 0,
                        CODELET_PAIR_REALS * (leg - 1) + part);
}

static struct ir_complex turned_pair(const struct codelet *c, int leg, struct ir_complex x)
{
    struct ir_builder *b = c->builder;
    const ir_value re = ir_mul(b, load_pair_factor(c, leg, 2), x.im);
    const ir_value im = ir_mul(b, load_pair_factor(c, leg, 3), x.re);
    return (struct ir_complex){ir_add(b, ir_mul(b, load_pair_factor(c, leg, 0), x.re), re),
                               ir_add(b, ir_mul(b, load_pair_factor(c, leg, 1), x.im), im)};
}

/* Where the pairs of a parted line lie is known to their printer (print/c_pairs_beside.c). */
static enum codelet_end layout_in(const struct codelet_shape_of_kind *kind)
{
    const bool pairs = kind->in == CODELET_PARTED && kind->out == CODELET_PACKED;
    return pairs ? CODELET_INTERLEAVED : kind->in;
}

/* All loads of data come before the first store: in-place calls rely on it. */
static void build_body(const struct codelet *c)
{
    const enum codelet_end layout = layout_in(c->kind);
    const bool reflects = layout == CODELET_REFLECTED || layout == CODELET_PARTED;
    const bool turns_in = layout == CODELET_INTERLEAVED || reflects;
    struct end in = {layout,
                     c->buffer[CODELET_IN_RE],
                     c->buffer[CODELET_IN_IM],
                     c->param[CODELET_IN_ROW],
                     c->param[CODELET_IN_LEG],
                     c->param[CODELET_TURN]};
    struct end out = {c->kind->out,
                      c->buffer[CODELET_OUT_RE],
                      c->buffer[CODELET_OUT_IM],
                      c->param[CODELET_OUT_ROW],
                      c->param[CODELET_OUT_LEG],
                      turns_in ? ir_int(c->builder, 0) : c->param[CODELET_TURN]};
    struct ir_complex x[LIMITS_MAX_RADIX];
    for (int leg = 0; leg < c->radix; leg++) {
        const bool mirrored = reflects && 2 * leg >= c->radix;
        x[leg] = mirrored ? load_mirrored(c, &in, leg) : load_leg(c, &in, leg);
    }
    for (int leg = 1; leg < c->radix && c->kind->twiddle == CODELET_TWIDDLE_PAIR; leg++)
        x[leg] = turned_pair(c, leg, x[leg]);
    if (!c->kind->identity) butterfly(c->builder, c->precision, c->radix, x);
    const struct ir_complex of_row = load_row_factor(c);
    for (int leg = 0; leg < c->radix; leg++)
        store_leg(c, &out, leg, twiddled(c, leg, x[leg], of_row));
}

/* Steps of lines of pairs (kernel/line.h) are of more radices than are codelets by themselves. */
#define LONGEST_STEP_OF_LINE 20

const struct ir *codelet_build(arena *a, enum codelet_kind kind, int radix,
                               weft_precision precision)
{
    const bool step = kind == CODELET_PAIRS_OPEN || kind == CODELET_PAIRS_LEAVE;
    if (!(step && radix >= 2 && radix <= LONGEST_STEP_OF_LINE) && !codelet_exists(kind, radix))
        return NULL;
    struct codelet c = {.kind = &codelet_kinds[kind], .radix = radix, .precision = precision};
    const char *name = arena_printf(a, "%s_%d", c.kind->name, radix);
    if (!name) return NULL;
    c.builder = ir_begin(a, name, 0);
    if (!c.builder) return NULL;
    codelet_declare(c.builder, c.param, c.buffer);
    build_body(&c);
    return ir_finish(c.builder);
}
