#include "kernel/codelet.h"

#include "kernel/butterfly.h"

#define MAX_RADIX 64

const struct codelet_shape_of_kind codelet_kinds[CODELET_KIND_COUNT] = {
    [CODELET_STEP_PLAIN] = {"step_plain", CODELET_PLANAR, CODELET_PLANAR, CODELET_TWIDDLE_NONE,
                            false},
    [CODELET_STEP] = {"step", CODELET_PLANAR, CODELET_PLANAR, CODELET_TWIDDLE_ROW, false},
    [CODELET_STEP_FULL] = {"step_full", CODELET_PLANAR, CODELET_PLANAR, CODELET_TWIDDLE_FULL,
                           false},
    [CODELET_OPEN_PLANAR] = {"open_planar", CODELET_PLANAR, CODELET_TRANSPOSED,
                             CODELET_TWIDDLE_LANE, false},
    [CODELET_OPEN] = {"open", CODELET_INTERLEAVED, CODELET_TRANSPOSED, CODELET_TWIDDLE_LANE,
                      false},
    [CODELET_OPEN_INVERSE] = {"open_inverse", CODELET_INTERLEAVED, CODELET_TRANSPOSED,
                              CODELET_TWIDDLE_LANE, true},
    [CODELET_ENTER] = {"enter", CODELET_INTERLEAVED, CODELET_PLANAR, CODELET_TWIDDLE_ROW, false},
    [CODELET_ENTER_INVERSE] = {"enter_inverse", CODELET_INTERLEAVED, CODELET_PLANAR,
                               CODELET_TWIDDLE_ROW, true},
    [CODELET_ENTER_FULL] = {"enter_full", CODELET_INTERLEAVED, CODELET_PLANAR,
                            CODELET_TWIDDLE_FULL, false},
    [CODELET_ENTER_FULL_INVERSE] = {"enter_full_inverse", CODELET_INTERLEAVED, CODELET_PLANAR,
                                    CODELET_TWIDDLE_FULL, true},
    [CODELET_LEAVE] = {"leave", CODELET_PLANAR, CODELET_INTERLEAVED, CODELET_TWIDDLE_NONE, false},
    [CODELET_LEAVE_INVERSE] = {"leave_inverse", CODELET_PLANAR, CODELET_INTERLEAVED,
                               CODELET_TWIDDLE_NONE, true},
    [CODELET_WHOLE] = {"whole", CODELET_INTERLEAVED, CODELET_INTERLEAVED, CODELET_TWIDDLE_NONE,
                       false},
    [CODELET_WHOLE_INVERSE] = {"whole_inverse", CODELET_INTERLEAVED, CODELET_INTERLEAVED,
                               CODELET_TWIDDLE_NONE, true},
    [CODELET_PACK] = {"pack", CODELET_PACKED, CODELET_PACKED, CODELET_TWIDDLE_NONE, false},
    [CODELET_PACK_INVERSE] = {"pack_inverse", CODELET_PACKED, CODELET_PACKED, CODELET_TWIDDLE_NONE,
                              true},
};

static bool is_whole(enum codelet_kind kind)
{
    return kind == CODELET_WHOLE || kind == CODELET_WHOLE_INVERSE;
}

bool codelet_exists(enum codelet_kind kind, int radix)
{
    static const int large[] = {17, 19, 20, 23, 25, 29, 31, 32};
    if (radix >= 2 && radix <= 16) return true;
    if (radix == 64) return is_whole(kind);
    if (codelet_kinds[kind].in == CODELET_PACKED) return false;
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        if (large[i] == radix) return true;
    }
    return false;
}

/* A codelet while it is built. */
struct codelet {
    struct ir_builder *builder;
    const struct codelet_shape_of_kind *kind;
    int radix;
    ir_value param[CODELET_PARAM_COUNT];
    int buffer[CODELET_BUFFER_COUNT];
};

/* One of the two ends: which buffers and strides it has. */
struct end {
    enum codelet_end layout;
    int re, im;
    ir_value row, leg;
};

/* Where one leg's real and imaginary part lie. */
struct place {
    int buffer[2];
    ir_value index;
    int64_t lane_stride, offset[2];
};

/* The part of an address that changes from row to row is kept in one sum: printers hoist it. */
static ir_value row_and_leg(struct ir_builder *b, ir_value row_stride, ir_value leg_stride, int leg,
                            int scale)
{
    ir_value row = ir_int_mul(b, ir_int_mul(b, ir_block(b), row_stride), ir_int(b, scale));
    ir_value column = ir_int_mul(b, leg_stride, ir_int(b, (int64_t)leg * scale));
    return ir_int_add(b, row, column);
}

static struct place place_of(const struct codelet *c, const struct end *end, int leg)
{
    struct ir_builder *b = c->builder;
    switch (end->layout) {
    case CODELET_PLANAR:
        return (struct place){{end->re, end->im}, row_and_leg(b, end->row, end->leg, leg, 1), 1, {0, 0}};
    case CODELET_INTERLEAVED:
        return (struct place){{end->re, end->re}, row_and_leg(b, end->row, end->leg, leg, 2), 2, {0, 1}};
    case CODELET_TRANSPOSED:
        return (struct place){{end->re, end->im},
                              ir_int_mul(b, ir_block(b), end->row),
                              c->radix,
                              {leg, leg}};
    case CODELET_PACKED:
        break;
    }
    return (struct place){
        {end->re, end->re}, ir_int(b, 0), 2 * (int64_t)c->radix, {2 * leg, 2 * leg + 1}};
}

/* An inverse codelet takes re for im at its interleaved ends. */
static struct place place_in_direction(const struct codelet *c, const struct end *end, int leg)
{
    struct place place = place_of(c, end, leg);
    bool interleaved = end->layout == CODELET_INTERLEAVED || end->layout == CODELET_PACKED;
    if (c->kind->inverse && interleaved) {
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

static struct ir_complex load_twiddle(const struct codelet *c, int leg)
{
    struct ir_builder *b = c->builder;
    ir_value row_stride = c->param[CODELET_TWIDDLE_ROW_STRIDE];
    ir_value leg_stride = c->param[CODELET_TWIDDLE_LEG];
    ir_value plane = c->param[CODELET_TWIDDLE_PLANE];
    ir_value row = ir_int_mul(b, ir_block(b), row_stride);
    ir_value zero = ir_int(b, 0);
    ir_value column = zero;
    int64_t lane_stride = 1, offset = 0;
    if (c->kind->twiddle == CODELET_TWIDDLE_ROW) {
        lane_stride = 0;
        offset = leg - 1;
    } else if (c->kind->twiddle == CODELET_TWIDDLE_LANE) {
        row = zero;
        column = ir_int_mul(b, leg_stride, ir_int(b, leg - 1));
    } else {
        column = ir_int_mul(b, leg_stride, ir_int(b, leg));
    }
    int buffer = c->buffer[CODELET_TWIDDLES];
    ir_value re = ir_int_add(b, row, column);
    ir_value im = ir_int_add(b, row, ir_int_add(b, column, plane));
    return (struct ir_complex){ir_load_lane(b, buffer, re, lane_stride, offset),
                               ir_load_lane(b, buffer, im, lane_stride, offset)};
}

static struct ir_complex twiddled(const struct codelet *c, int leg, struct ir_complex y)
{
    enum codelet_twiddle twiddle = c->kind->twiddle;
    if (twiddle == CODELET_TWIDDLE_NONE) return y;
    if (twiddle != CODELET_TWIDDLE_FULL && leg == 0) return y;
    return ir_complex_mul(c->builder, y, load_twiddle(c, leg));
}

static void declare(struct codelet *c)
{
    static const char *const param_names[CODELET_PARAM_COUNT] = {
        "in_row", "in_leg", "out_row", "out_leg", "twiddle_row", "twiddle_leg", "twiddle_plane"};
    static const char *const buffer_names[CODELET_BUFFER_COUNT] = {"in_re", "in_im", "out_re",
                                                                   "out_im", "twiddles"};
    for (int i = 0; i < CODELET_PARAM_COUNT; i++) {
        c->param[i] = ir_param(c->builder, param_names[i]);
    }
    for (int i = 0; i < CODELET_BUFFER_COUNT; i++) {
        bool writable = i == CODELET_OUT_RE || i == CODELET_OUT_IM;
        c->buffer[i] = ir_buffer(c->builder, buffer_names[i], IR_GLOBAL, writable, 0);
    }
}

/* All loads of data come before the first store: in-place calls rely on it. */
static void build_body(const struct codelet *c)
{
    struct end in = {c->kind->in, c->buffer[CODELET_IN_RE], c->buffer[CODELET_IN_IM],
                     c->param[CODELET_IN_ROW], c->param[CODELET_IN_LEG]};
    struct end out = {c->kind->out, c->buffer[CODELET_OUT_RE], c->buffer[CODELET_OUT_IM],
                      c->param[CODELET_OUT_ROW], c->param[CODELET_OUT_LEG]};
    struct ir_complex x[MAX_RADIX];
    for (int leg = 0; leg < c->radix; leg++) x[leg] = load_leg(c, &in, leg);
    butterfly(c->builder, c->radix, x);
    for (int leg = 0; leg < c->radix; leg++) store_leg(c, &out, leg, twiddled(c, leg, x[leg]));
}

const struct ir *codelet_build(arena *a, enum codelet_kind kind, int radix)
{
    if (!codelet_exists(kind, radix)) return NULL;
    struct codelet c = {.kind = &codelet_kinds[kind], .radix = radix};
    const char *name = arena_printf(a, "%s_%d", c.kind->name, radix);
    if (!name) return NULL;
    c.builder = ir_begin(a, name, 0);
    if (!c.builder) return NULL;
    declare(&c);
    build_body(&c);
    return ir_finish(c.builder);
}
