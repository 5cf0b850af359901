/* Two scalars that are computed alike become the lanes of one vector, from the stores down to the
 * loads (S. Larsen, S. Amarasinghe, "Exploiting superword level parallelism", 2000). Which pairs
 * there can be follows from which numbers are neighbours in memory. */
#include "print/c_pair_form.h"

#include <string.h>

#include "base/error.h"

enum { MOST_OPERANDS = 3 };

/* An operation on pairs: that of its lanes, but for the signs of the first factor and of what is
 * added. */
struct form {
    enum ir_op op; /* IR_ADD, IR_MUL, IR_FMA */
    struct c_pair operand[MOST_OPERANDS];
    double sign[MOST_OPERANDS][2];
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

static const struct ir_node *node_of(const struct c_pair_printer *p, ir_value n)
{
    return &p->kernel->node[n];
}

static bool is_constant(const struct c_pair_printer *p, struct c_pair x)
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
static int64_t value_at(const struct c_pair_printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_INT_CONSTANT) return node->integer;
    if (node->op == IR_PARAM) return is_leg(p->kernel->param_name[node->integer]);
    if (node->op == IR_INT_ADD) return value_at(p, node->a) + value_at(p, node->b);
    if (node->op == IR_INT_MUL) return value_at(p, node->a) * value_at(p, node->b);
    return 0;
}

int64_t c_pair_address(const struct c_pair_printer *p, ir_value access)
{
    return value_at(p, node_of(p, access)->b) + node_of(p, access)->offset;
}

static bool are_neighbours(const struct c_pair_printer *p, ir_value a, ir_value b)
{
    return node_of(p, a)->buffer == node_of(p, b)->buffer &&
           (c_pair_address(p, a) ^ c_pair_address(p, b)) == 1;
}

/* ---- pairing ---- */

static bool find_form(const struct c_pair_printer *p, struct c_pair x, struct form *form);

static bool can_pair(const struct c_pair_printer *p, struct c_pair x)
{
    const enum ir_op a = node_of(p, x.lane[0])->op, b = node_of(p, x.lane[1])->op;
    struct form form;
    if (a == IR_LOAD && b == IR_LOAD) return are_neighbours(p, x.lane[0], x.lane[1]);
    return is_constant(p, x) || find_form(p, x, &form);
}

static bool can_pair_all(const struct c_pair_printer *p, const struct form *form, int operands)
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
static bool find_form(const struct c_pair_printer *p, struct c_pair x, struct form *form)
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

static void print_constant(struct c_pair_printer *p, double value)
{
    text_append(p->text, "(real)");
    text_real(p->text, p->target->single ? (double)(float)value : value);
}

/* Opposite ones come from a product with i, which is -i in the other direction. */
static void print_two(struct c_pair_printer *p, double first, double second)
{
    const bool sign = p->signs && first == -second;
    text_append(p->text, sign ? "SIGNED(" : "PAIR(");
    print_constant(p, first);
    if (sign) {
        text_append(p->text, ")");
        return;
    }
    text_append(p->text, ", ");
    print_constant(p, second);
    text_append(p->text, ")");
}

void c_pair_print_name(struct c_pair_printer *p, struct c_pair x)
{
    const ir_value a = x.lane[0], b = x.lane[1];
    if (is_constant(p, x))
        print_two(p, node_of(p, a)->hi, node_of(p, b)->hi);
    else if (p->partner[a] == b)
        text_append(p->text, "v%d", (int)a);
    else
        text_append(p->text, "SWAP(v%d)", (int)b);
}

static void print_signed(struct c_pair_printer *p, struct c_pair x, const double sign[2])
{
    if (is_constant(p, x)) {
        print_two(p, sign[0] * node_of(p, x.lane[0])->hi, sign[1] * node_of(p, x.lane[1])->hi);
        return;
    }
    c_pair_print_name(p, x);
    if (sign[0] > 0 && sign[1] > 0) return;
    text_append(p->text, " * ");
    print_two(p, sign[0], sign[1]);
}

static void print_call(struct c_pair_printer *p, const char *begin, struct c_pair x,
                       struct c_pair y)
{
    text_append(p->text, "%s", begin);
    c_pair_print_name(p, x);
    text_append(p->text, ", ");
    c_pair_print_name(p, y);
    text_append(p->text, ")");
}

/* The machine's own difference and sum needs no copy of a constant, nor a multiplier. */
static void print_sum(struct c_pair_printer *p, const struct form *form)
{
    const double *sign = form->sign[1];
    if (sign[0] == sign[1]) {
        c_pair_print_name(p, form->operand[0]);
        text_append(p->text, sign[0] > 0 ? " + " : " - ");
        c_pair_print_name(p, form->operand[1]);
        return;
    }
    if (!p->signs && sign[0] < 0) {
        print_call(p, "ADDSUB(", form->operand[0], form->operand[1]);
        return;
    }
    text_append(p->text, sign[0] < 0 ? "FNMA(" : "FMA(");
    print_two(p, 1, -1);
    print_call(p, ", ", form->operand[1], form->operand[0]);
}

/* What a constant is multiplied by for its first lane to be positive: one and its negative share
 * a register. */
static double sign_of(const struct c_pair_printer *p, struct c_pair x, const double sign[2])
{
    return is_constant(p, x) && sign[0] * node_of(p, x.lane[0])->hi < 0 ? -1 : 1;
}

/* Signs go to the factor that is constant. */
static void print_fused(struct c_pair_printer *p, const struct form *form)
{
    const int constant = is_constant(p, form->operand[1]) ? 1 : 0;
    const bool subtracts = form->sign[2][0] < 0 && form->sign[2][1] < 0;
    const struct c_pair factor = form->operand[constant];
    const double turn = subtracts ? 1 : sign_of(p, factor, form->sign[0]);
    const double sign[2] = {turn * form->sign[0][0], turn * form->sign[0][1]};
    text_append(p->text, subtracts ? "FMS(" : turn < 0 ? "FNMA(" : "FMA(");
    print_signed(p, factor, sign);
    text_append(p->text, ", ");
    c_pair_print_name(p, form->operand[1 - constant]);
    text_append(p->text, ", ");
    if (subtracts)
        c_pair_print_name(p, form->operand[2]);
    else
        print_signed(p, form->operand[2], form->sign[2]);
    text_append(p->text, ")");
}

static void print_form(struct c_pair_printer *p, const struct form *form)
{
    if (form->op == IR_ADD) {
        print_sum(p, form);
    } else if (form->op == IR_FMA) {
        print_fused(p, form);
    } else {
        c_pair_print_name(p, form->operand[0]);
        text_append(p->text, " * ");
        c_pair_print_name(p, form->operand[1]);
    }
}

void c_pair_refuse(struct c_pair_printer *p)
{
    error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: its reals are no pairs", p->kernel->name);
    p->text->failed = true;
}

/* Whether what it is a sum of, and something times a factor, stands the other way round in memory:
 * so only what is added may have to be turned, which serves two sums. */
static bool is_turned(const struct c_pair_printer *p, struct c_pair x)
{
    struct form form;
    while (find_form(p, x, &form))
        x = form.operand[form.op == IR_FMA ? 2 : is_constant(p, form.operand[0])];
    return c_pair_address(p, x.lane[0]) % 2 != 0;
}

/* Whether what is added to the other is that turned: the sum is none the dearer turned. */
static bool is_of_one(const struct form *form)
{
    const struct c_pair *x = &form->operand[0], *y = &form->operand[1];
    return form->op == IR_ADD && x->lane[0] == y->lane[1] && x->lane[1] == y->lane[0];
}

static ir_value find_node(const struct c_pair_printer *p, enum ir_op op, ir_value a, ir_value b)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        const struct ir_node *node = node_of(p, n);
        if (node->op != op) continue;
        if ((node->a == a && node->b == b) || (op == IR_ADD && node->a == b && node->b == a))
            return n;
    }
    return IR_NONE;
}

/* A sum and a difference leave what they are of to the difference and sum of the same, whose
 * result takes a register of its own: a product that is added to takes that of one of them, or
 * a copy. */
static void define_other(struct c_pair_printer *p, const struct form *form)
{
    const struct c_pair *x = &form->operand[0], *y = &form->operand[1];
    if (p->signs || form->op != IR_ADD || form->sign[1][0] < 0 || form->sign[1][1] > 0) return;
    const struct c_pair other = {{find_node(p, IR_SUB, x->lane[0], y->lane[0]),
                                  find_node(p, IR_ADD, x->lane[1], y->lane[1])}};
    if (other.lane[0] != IR_NONE && other.lane[1] != IR_NONE) c_pair_define(p, other);
}

void c_pair_define(struct c_pair_printer *p, struct c_pair x)
{
    const ir_value a = x.lane[0], b = x.lane[1];
    struct form form;
    if (is_constant(p, x) || p->partner[a] == b || p->partner[b] == a) return;
    if (p->partner[a] != IR_NONE || !find_form(p, x, &form)) {
        c_pair_refuse(p);
        return;
    }
    if (is_turned(p, x) && !is_of_one(&form)) {
        c_pair_define(p, (struct c_pair){{b, a}});
        return;
    }
    for (int i = 0; i < kin[node_of(p, a)->op].operands; i++)
        c_pair_define(p, form.operand[i]);
    define_other(p, &form);
    text_append(p->text, "const vec v%d = ", (int)a);
    print_form(p, &form);
    text_append(p->text, ";\n");
    p->partner[a] = b;
}

/* ---- accesses ---- */

ir_value c_pair_neighbour(const struct c_pair_printer *p, ir_value access)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        if (node_of(p, n)->op == node_of(p, access)->op && are_neighbours(p, n, access)) return n;
    }
    return IR_NONE;
}

bool c_pair_begin(struct c_pair_printer *p, arena *a, const struct ir *kernel)
{
    p->kernel = ir_form_fma(a, kernel);
    if (!p->kernel) return false;
    p->partner = arena_array(a, (size_t)p->kernel->count + 1, sizeof *p->partner);
    for (ir_value n = 0; n < p->kernel->count && p->partner; n++)
        p->partner[n] = IR_NONE;
    return p->partner != NULL;
}
