#include "plan/lower_program.h"

#include "plan/cost.h"
#include "plan/draft.h"
#include "plan/lower.h"
#include "plan/order.h"
#include "plan/stride.h"
#include "spec/kind.h"

/* Whether nothing runs after the pass in some direction in which it runs itself, but for what has
 * others of the same lines. */
static bool is_last(const struct program *program, int pass)
{
    bool later[2] = {false, false};
    for (int s = program->stages - 1; s >= 0; s--) {
        const struct program_stage *stage = &program->stage[s];
        const int last = stage->first + stage->passes - 1;
        const bool ends = pass == last || pass == program_before_others(program, stage);
        for (int d = 0; d < 2; d++) {
            if (ends && stage->runs[d] && !later[d]) return true;
            later[d] |= stage->runs[d] && !stage->goes_on;
        }
    }
    return false;
}

static void extend_draft(struct program *program, int64_t n, int64_t stride)
{
    program->draft_elements += (n - 1) * magnitude(stride);
    if (stride < 0) program->draft_first -= (n - 1) * stride;
}

/* Nothing but the last pass writes to an output that keeps too little: what others write to it and
 * read from it goes to the draft. False: that is larger than a buffer may be. */
static bool draft_output(struct program *program, const struct limits *limits)
{
    const struct problem *p = &program->problem;
    bool drafted = false;
    for (int i = 0; i < program->passes; i++) {
        struct pass *pass = &program->pass[i];
        if (pass->from == PASS_OUTPUT) pass->from = PASS_DRAFT;
        if (pass->to != PASS_OUTPUT || is_last(program, i)) continue;
        pass->to = PASS_DRAFT;
        drafted = true;
    }
    if (!drafted) return true;
    program->draft_elements = 1;
    for (int i = 0; i < p->axes; i++)
        extend_draft(program, problem_side_length(p, true, i), p->axis[i].out_stride);
    for (int i = 0; i < p->loops; i++)
        extend_draft(program, p->loop[i].n, p->loop[i].out_stride);
    return program->draft_elements <= limits->largest_buffer / (2 * precision_bytes(p->precision));
}

static void end_program(struct lowering *l, const struct problem *problem)
{
    struct program *program = l->program;
    for (int i = 0; i < program->passes; i++) {
        struct pass *pass = &program->pass[i];
        /* What multiplies with a spectrum scales as well, not what leads back. */
        pass->scaled |= problem_convolves(problem) ? pass->spectrum_given : is_last(program, i);
    }
    lowering_store_hook(l, problem);
}

/* Whether the directions have passes of their own. */
static bool has_two_ends(const struct problem *problem, const struct plan_node *tree)
{
    return plan_transposes(tree) ||
           (tree->kind != PLAN_COPY && kind_is_trigonometric(problem->kind));
}

/* A tree that leaves frequencies in another order: each direction by itself. */
static void lower_directions(struct lowering *l, const struct plan_node *tree)
{
    struct program *program = l->program;
    for (int direction = WEFT_FORWARD; direction <= WEFT_INVERSE; direction++) {
        const int first = program->stages;
        l->inverse = direction == WEFT_INVERSE;
        axes_lower(l, tree);
        program->pass[program->passes - 1].scaled = true;
        lowering_store_hook(l, l->problem);
        for (int i = first; i < program->stages; i++)
            program->stage[i].runs[!direction] = false;
    }
}

static void lower_stages(struct lowering *l, const struct plan_node *tree)
{
    if (problem_convolves(l->problem)) convolution_stages_lower(l, tree);
    else if (tree->kind == PLAN_COPY)
        copy_stages_lower(l, l->problem, PASS_INPUT, PASS_OUTPUT, false);
    else if (kind_is_trigonometric(l->problem->kind)) trigonometric_stages_lower(l, tree);
    else if (kind_is_half(l->problem->kind)) real_stages_lower(l, tree);
    else if (plan_transposes(tree)) lower_directions(l, tree);
    else axes_lower(l, tree);
}

bool lower_program(struct program *program, const struct problem *problem,
                   const struct problem *whole, const struct limits *limits,
                   const struct plan_node *tree)
{
    struct problem arranged = *problem, drafted;
    struct plan_node in_turn = *tree;
    struct lowering l = {.limits = limits, .program = program, .problem = &arranged,
                         .whole = whole,
                         .from = PASS_INPUT, .to = PASS_OUTPUT};
    order_apply(&arranged, &in_turn);
    const bool ranged = draft_takes_ranges(limits, problem);
    const bool packed = !ranged && draft_is_packed(&arranged);
    l.loses = problem_output_loses(&arranged);
    program->problem = *problem;
    program->tree = tree;
    program->stages = program->passes = program->tables = 0;
    program->scratch_elements = program->work_elements = program->draft_elements = 0;
    program->draft_first = program->kernel_stage = 0;
    program->draft_cut = program->draft_half = false;
    program->kernel_turns = 1;
    program->middle_elements = program->product_elements = program->laid_elements = 0;
    if (packed) {
        drafted = draft_pack(&l, &arranged);
        l.drafted = &drafted;
    }
    if (problem_elements(problem) > 0) {
        lower_stages(&l, &in_turn);
        if (!has_two_ends(problem, tree)) end_program(&l, problem);
    }
    if (l.failed || (l.loses && l.program->draft_elements == 0 && !draft_output(program, limits)))
        return false;
    cost_program(program, limits);
    return true;
}
