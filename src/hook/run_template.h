/* The interpreter for one precision: included with REAL, BITS (an integer as wide) and the names of
 * the functions defined. */
#include <math.h>

#include "hook/program.h"

/* Bools are 0 or 1 in integers as wide as reals, which vectors select by without conversions. */
union slot {
    REAL real[HOOK_RUN];
    BITS truth[HOOK_RUN];
    int64_t integer[HOOK_RUN];
};

static union slot *slot_at(void *workspace, int slot)
{
    return (union slot *)(void *)((char *)workspace + (size_t)slot * HOOK_SLOT_BYTES);
}

void HOOK_BEGIN(const struct hook_program *program, void *workspace, bool inverse)
{
    for (int o = 0; o < program->constants; o++) {
        const struct hook_operation *op = &program->constant[o];
        const int64_t integer = op->op == IR_PARAM ? inverse : op->integer;
        union slot *to = slot_at(workspace, op->to);
        for (int i = 0; i < HOOK_RUN; i++) {
            if (op->type == IR_REAL) to->real[i] = (REAL)op->real;
            else if (op->type == IR_BOOL) to->truth[i] = (BITS)integer;
            else to->integer[i] = integer;
        }
    }
}

/* floor() that compilers make vectors of. From 2^(bits of the mantissa) on all numbers are
 * whole. */
static inline REAL round_down(REAL x)
{
    const REAL far = COPY_SIGN(WHOLE_FROM, x), whole = x + far - far;
    const REAL down = whole - (REAL)(whole > x ? 1 : 0);
    return x < WHOLE_FROM && x > -WHOLE_FROM ? down : x;
}

/* Of whole runs, always: compilers make vectors of loops whose lengths they know. */
#define EACH(member, expression)                                                                   \
    for (int i = 0; i < HOOK_RUN; i++) to->member[i] = (expression)

static void compute_real(const struct hook_operation *op, union slot *restrict to,
                         const union slot *a, const union slot *b, const union slot *c)
{
    switch (op->op) {
    case IR_ADD: EACH(real, a->real[i] + b->real[i]); break;
    case IR_SUB: EACH(real, a->real[i] - b->real[i]); break;
    case IR_MUL: EACH(real, a->real[i] * b->real[i]); break;
    case IR_DIV: EACH(real, a->real[i] / b->real[i]); break;
    case IR_NEG: EACH(real, -a->real[i]); break;
    case IR_SQRT: EACH(real, SQRT(a->real[i])); break;
    case IR_FLOOR: EACH(real, round_down(a->real[i])); break;
    case IR_TO_REAL: EACH(real, (REAL)a->integer[i]); break;
    default: EACH(real, a->truth[i] ? b->real[i] : c->real[i]); break;
    }
}

static void compute_truth(const struct hook_operation *op, union slot *restrict to,
                          const union slot *a, const union slot *b)
{
    switch (op->op) {
    case IR_REAL_LESS: EACH(truth, a->real[i] < b->real[i]); break;
    case IR_REAL_EQUAL: EACH(truth, a->real[i] == b->real[i]); break;
    case IR_LESS: EACH(truth, a->integer[i] < b->integer[i]); break;
    case IR_EQUAL: EACH(truth, a->integer[i] == b->integer[i]); break;
    case IR_AND: EACH(truth, a->truth[i] & b->truth[i]); break;
    case IR_OR: EACH(truth, a->truth[i] | b->truth[i]); break;
    default: EACH(truth, !a->truth[i]); break;
    }
}

/* x / y for positions, which are below 2^50: half a unit is more than what is rounded off. */
static inline int64_t quotient(int64_t x, double one_over_y)
{
    return (int64_t)(((double)x + 0.5) * one_over_y);
}

static void compute_integer(const struct hook_operation *op, union slot *restrict to,
                            const union slot *a, const union slot *b, const union slot *c)
{
    const int64_t y = b->integer[0]; /* divisors are constants */
    const double one_over_y = 1.0 / (double)y;
    switch (op->op) {
    case IR_INT_ADD: EACH(integer, a->integer[i] + b->integer[i]); break;
    case IR_INT_SUB: EACH(integer, a->integer[i] - b->integer[i]); break;
    case IR_INT_MUL: EACH(integer, a->integer[i] * b->integer[i]); break;
    case IR_INT_DIV: EACH(integer, quotient(a->integer[i], one_over_y)); break;
    case IR_INT_MOD:
        EACH(integer, a->integer[i] - quotient(a->integer[i], one_over_y) * y);
        break;
    default: EACH(integer, a->truth[i] ? b->integer[i] : c->integer[i]); break;
    }
}

static void compute(const struct hook_operation *op, void *workspace)
{
    union slot *to = slot_at(workspace, op->to);
    const union slot *a = slot_at(workspace, op->a), *b = slot_at(workspace, op->b);
    const union slot *c = slot_at(workspace, op->c);
    if (op->type == IR_REAL) compute_real(op, to, a, b, c);
    else if (op->type == IR_BOOL) compute_truth(op, to, a, b);
    else compute_integer(op, to, a, b, c);
}

void HOOK_RUN_NAME(const struct hook_program *program, void *workspace, int count,
                   const int64_t *position, REAL *re, REAL *im)
{
    for (int o = 0; o < program->operations; o++) {
        const struct hook_operation *op = &program->operation[o];
        REAL *part = op->b % 2 ? im : re; /* buffers 0 and 2, 1 and 3 */
        union slot *to = slot_at(workspace, op->to);
        const union slot *a = slot_at(workspace, op->a);
        if (op->op == IR_THREAD) EACH(integer, i < count ? position[i] : 0);
        else if (op->table) EACH(real, ((const REAL *)op->table)[a->integer[i]]);
        else if (op->op == IR_LOAD) EACH(real, i < count ? part[i] : 0);
        else if (op->op == IR_STORE) for (int i = 0; i < count; i++) part[i] = a->real[i];
        else compute(op, workspace);
    }
}
