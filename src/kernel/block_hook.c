/* Callers' expressions at the ends of a kernel (src/hook/). */
#include "hook/hook.h"
#include "kernel/block_state.h"

static int64_t most_outers(const struct block *k, bool out)
{
    const struct program_stage *stage = program_stage_of(k->program, k->info->pass);
    int64_t most = 0;
    for (int o = 0; stage && o < stage->outers; o++)
        most += (stage->outer[o].n - 1) * stage->outer_position[out][o];
    return most;
}

void block_declare_hooks(struct block *k)
{
    const bool hooked = block_hooks(k, false) || block_hooks(k, true);
    k->info->params = hooked ? BLOCK_PARAM_COUNT : BLOCK_IN_POSITION;
    if (!hooked) return;
    const int64_t *first = k->program->problem.hooks.most_first;
    k->position[0] = ir_param_within(k->b, "in_position", 0, first[0] + most_outers(k, false));
    k->position[1] = ir_param_within(k->b, "out_position", 0, first[1] + most_outers(k, true));
}

/* Element n of a line is the first of the next. */
static ir_value fold_position(struct block *k, bool out, ir_value place)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value n = ir_int(b, pass->line.n), beyond = ir_int_div(b, place, n);
    ir_value sum =
        ir_int_mul(b, ir_int_mod(b, place, n), ir_int(b, pass->position[out].line));
    for (int i = 0; i < pass->folds; i++) {
        ir_value count = ir_int(b, pass->fold[i].dim.n);
        ir_value counter = ir_int_mod(b, beyond, count);
        sum = ir_int_add(
            b, sum, ir_int_mul(b, counter, ir_int(b, pass->fold_position[out][i])));
        beyond = ir_int_div(b, beyond, count);
    }
    return sum;
}

ir_value block_position(struct block *k, bool out, ir_value column, ir_value place)
{
    struct pass_map map = k->pass->position[out];
    if (!block_hooks(k, out)) return IR_NONE;
    if (k->pass->folds > 0) {
        place = fold_position(k, out, place);
        map.line = 1;
    }
    const ir_value first = ir_int(k->b, k->pass->first_position[out]);
    return ir_int_add(k->b, ir_int_add(k->b, block_map(k, &map, column, place), k->position[out]),
                      first);
}

/* Whether the program runs in the inverse direction: the pass may run in the other one. */
static ir_value runs_inverse(struct block *k)
{
    const struct program_stage *stage = program_stage_of(k->program, k->info->pass);
    return stage && stage->turned ? ir_int_sub(k->b, ir_int(k->b, 1), k->swap) : k->swap;
}

static ir_value hook_real(struct block *k, bool out, ir_value position, ir_value x)
{
    const struct hook_element element = {true, x, IR_NONE, position, runs_inverse(k)};
    return hook_apply(k->b, &k->program->problem, out, &element).re;
}

static struct ir_complex hook_reals(struct block *k, bool out, ir_value position,
                                    struct ir_complex x)
{
    ir_value next = ir_int_add(k->b, position, ir_int(k->b, k->pass->pair_position));
    x.re = hook_real(k, out, position, x.re);
    if (!k->pass->lone) x.im = hook_real(k, out, next, x.im);
    return x;
}

/* Of x, exchanged if it is so. */
static struct ir_complex exchanged(struct block *k, bool exchanges, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    if (!exchanges) return x;
    ir_value inverse = ir_less(b, ir_int(b, 0), k->swap);
    return (struct ir_complex){ir_select(b, inverse, x.im, x.re),
                               ir_select(b, inverse, x.re, x.im)};
}

struct ir_complex block_hook(struct block *k, bool out, ir_value position, struct ir_complex x)
{
    const weft_format format = out ? k->info->out_format : k->info->in_format;
    const bool planes = format == WEFT_PLANAR && !k->pass->one_way;
    if (!block_hooks(k, out)) return x;
    if (problem_is_real(&k->program->problem, out)) return hook_reals(k, out, position, x);
    x = exchanged(k, planes, x);
    const struct hook_element element = {false, x.re, x.im, position, runs_inverse(k)};
    const struct hook_result made = hook_apply(k->b, &k->program->problem, out, &element);
    return exchanged(k, planes, (struct ir_complex){made.re, made.im});
}
