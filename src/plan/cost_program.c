/* What the passes of a program cost, and which of them several threads of a CPU share. */
#include <math.h>

#include "plan/cost.h"
#include "plan/cost_apart.h"
#include "plan/cost_pass.h"
#include "plan/cost_reals.h"
#include "plan/odd.h"
#include "plan/order.h"
#include "plan/resampled.h"
#include "plan/stride.h"
#include "spec/far.h"
#include "spec/lone_lines.h"

/* (Experiments "threads", "convolution", "legs", "estimates" and "near splits".) */
static const struct {
    double wake_seconds;   /* CPU: work below is not worth waking a thread for, */
    double loop_seconds;   /* ... which must gain more than handing out pieces takes, */
    double crossing;       /* ... and fetching at so many bytes a second a core what lies in caches
                            * of others, where one core would have it in its own */
    double narrow;         /* CPU: of a pass whose tiles are half as wide as two lines of the cache,
                            * the share of its time that it takes more */
    double incomplete;     /* CPU: the share of a tile's time that columns take which it lacks */
    double beside;         /* CPU: the share of the shorter one of moving and computing that is not
                            * done beside the other */
    double unfold_share;   /* CPU: of the third level, what keeps what a step touches until half a
                            * spectrum is unfolded, */
    double fold_share;     /* ... or while it is folded, */
    double line_share;     /* ... in runs as long as a line; */
    double resampled_piece; /* CPU: numbers that a thread takes at once, of lines that others are
                             * interpolated among; */
    int64_t whole_columns; /* CPU: lines of one butterfly that a thread takes at once */
} constants = {
    .wake_seconds = 20e-6,
    .loop_seconds = 1.5e-6,
    .crossing = 30e9,
    .narrow = 0.5,
    .incomplete = 0.75,
    .beside = 0.1,
    .unfold_share = 0.55,
    .fold_share = 1,
    .line_share = 0.8,
    .resampled_piece = 1024,
    .whole_columns = 64,
};

static bool is_unit(int64_t stride)
{
    return magnitude(stride) == 1;
}

/* Elements at an end of a pass, where neither Bluestein's zeros are moved nor what is out of its
 * range. */
static double moved_elements(const struct pass *pass, bool out, double elements)
{
    const struct pass_range *range = &pass->range[out];
    const bool chirped = out ? pass->chirp_after : pass->chirp_before;
    elements *= range_share(range->range, range->n);
    if (!chirped) return elements;
    return elements * (double)pass->chirp_n / ((double)pass->line.n * (double)pass->chirp_map.line);
}

struct stage_seconds {
    double alone, shared;
};

/* Where the two ends of a pass lie, how often it runs, and what its stage touches in a step. */
struct setting {
    int from_level, to_level, whole_level;
    double repeats, step_bytes;
    bool past;    /* what it writes may go past the caches */
    bool crosses; /* what is read was written, and what is written is read, by other passes */
};

/* How many times longer a pass takes whose tiles are too narrow for two lines of the cache: those
 * come in pairs. Only where the ends do not fit the second level, and computing hides nothing; or
 * that convolves. What is turned is copied by squares. */
static double narrowness(const struct cost_machine *machine, const struct pass *pass,
                         const struct setting *setting)
{
    if (pass->loops == 0 || cost_is_whole(machine, pass)) return 1;
    if (cost_turned(machine, pass) != 1) return 1;
    if (pass_convolves(pass))
        return cost_convolved_apart(pass, cost_pass_columns(machine, pass), setting->from_level);
    if (setting->from_level <= 1 && setting->to_level <= 1) return 1;
    if (is_unit(pass->line.in_stride) && is_unit(pass->line.out_stride)) return 1;
    if (long_lines_of(machine->limits, machine->precision, pass)) return 1;
    const double columns = (double)cost_pass_columns(machine, pass);
    const double whole = 2.0 * machine->limits->coalescing_bytes / machine->element_bytes;
    if (columns >= whole || columns >= (double)pass->loop[0].n) return 1;
    return 1 + constants.narrow * (whole / columns - 1);
}

/* How many times longer a pass takes whose last tile is not full. */
static double incompleteness(const struct cost_machine *machine, const struct pass *pass)
{
    if (pass->loops == 0 || cost_is_whole(machine, pass)) return 1;
    const double lines = (double)pass->loop[0].n;
    const double columns = (double)cost_pass_columns(machine, pass);
    return 1 + constants.incomplete * (ceil(lines / columns) * columns / lines - 1);
}

/* Whether what a step touches leaves what the third level keeps of it. */
static bool goes_far(const struct cost_machine *machine, const struct setting *setting,
                     double share)
{
    return setting->step_bytes > share * (double)machine->limits->cache_bytes[2];
}

/* Of a line by itself both of whose ends are in the second level. */
static double sweeping(const struct cost_machine *machine, const struct pass *pass,
                       const struct setting *setting)
{
    const bool near = setting->whole_level <= 1 && cost_pass_columns(machine, pass) == 1;
    return near ? cost_line_sweeping(machine, pass) : 1;
}

/* Seconds of one run of a pass by the machine's threads. */
static double run_seconds(const struct cost_machine *machine, const struct pass *pass,
                          const struct setting *setting, double read, double written)
{
    const int64_t loop_in = pass->loops > 0 ? pass_stride(pass, &pass->loop[0], false) : 0;
    const int64_t loop_out = pass->loops > 0 ? pass_stride(pass, &pass->loop[0], true) : 0;
    const bool gpu = machine->limits->vector_bytes == 0;
    if (pass_sweeps_half(pass)) {
        const bool unfolds = pass->half == PASS_HALF_UNFOLD;
        const double kept = unfolds ? constants.unfold_share : constants.fold_share;
        return cost_half_sweep(machine, pass, goes_far(machine, setting, kept));
    }
    const bool far = goes_far(machine, setting, constants.line_share);
    if (!gpu && pass_sweeps_line(pass)) return cost_line_sweep(machine, pass, far);
    if (pass_resamples(pass))
        return cost_resampling(machine, pass, setting->from_level, setting->to_level);
    if (pass_opens(pass))
        return cost_opening(machine, pass, setting->from_level, setting->to_level);
    const double share = gpu ? cost_share(machine, pass) : 1;
    const double in = gpu ? share : cost_coalesced(machine, pass, pass->line.in_stride, loop_in);
    const double out = gpu ? share : cost_coalesced(machine, pass, pass->line.out_stride, loop_out);
    double moving = read / in / cost_bandwidth(machine, setting->from_level) +
                    written / out / cost_bandwidth(machine, setting->to_level);
    /* A GPU's share says what instructions cost. */
    if (gpu) return moving;
    const double lines = (double)pass_lines(pass);
    /* Counted as if every twiddle came from a table as long as the split: so the model was fitted,
     * though tables of rows and legs are shorter. (Experiment "split twiddles".) */
    if (pass->twiddle_order > 0) {
        const double table = (double)pass->twiddle_order * machine->element_bytes;
        moving += lines * (double)pass_line_elements(pass) * machine->element_bytes /
                  cost_bandwidth(machine, cost_level(machine->limits, table));
    }
    moving *= cost_apart_moving(machine, pass);
    const double computing = lines * cost_pass_line(machine, pass) / machine->threads *
                             narrowness(machine, pass, setting) * incompleteness(machine, pass) *
                             sweeping(machine, pass, setting) * cost_apart_computing(machine, pass);
    const double both = fmax(moving, computing) + constants.beside * fmin(moving, computing);
    const double ends = cost_two_ends(machine, pass) * cost_turned(machine, pass) *
                        cost_unaligned_reals(machine, pass);
    return both * ends + cost_comprised_sweeps(machine, pass, far) +
           cost_long_half(machine, pass);
}

/* How much longer threads take that have a piece more than others. The last may be smaller. */
static double unevenness(const struct cost_machine *machine, double pieces)
{
    return ceil(pieces / machine->threads) * machine->threads / pieces;
}

/* Pieces that a pass may be handed out in. */
static double pass_pieces(const struct cost_machine *machine, const struct pass *pass)
{
    const double lines = (double)pass_lines(pass);
    if (pass_resamples(pass) || pass_opens(pass))
        return lines * ceil((double)pass->line.n / constants.resampled_piece);
    double columns = (double)cost_pass_columns(machine, pass);
    if (cost_is_whole(machine, pass)) columns = fmin(columns, constants.whole_columns);
    return lines / columns;
}

/* Of a run of a pass by all threads, which are several. */
static double shared_seconds(const struct cost_machine *machine, const struct pass *pass,
                             const struct setting *setting, double read, double written)
{
    const double running = run_seconds(machine, pass, setting, read, written) *
                           unevenness(machine, pass_pieces(machine, pass));
    if (!setting->crosses || setting->whole_level > 1) return running + constants.loop_seconds;
    const double bytes = (read + written) / machine->threads;
    const double others = 1 - 1.0 / machine->threads;
    return running + constants.loop_seconds + bytes * others / constants.crossing;
}

/* Adds to what the passes of a stage take if one thread runs each step, and if all threads share
 * each pass for which that pays. Returns what counts where orders of axes are compared. */
static double pass_cost(const struct cost_machine *machine, struct pass *pass,
                        const struct setting *setting, struct stage_seconds *sum)
{
    struct cost_machine one = *machine;
    one.threads = 1;
    const bool gpu = machine->limits->vector_bytes == 0;
    const double elements = (double)pass_lines(pass) * (double)pass_line_elements(pass);
    double read = moved_elements(pass, false, elements) * machine->element_bytes;
    const double written = moved_elements(pass, true, elements) * machine->element_bytes;
    if (pass->spectrum_given) read += elements * machine->element_bytes;
    const double launch = machine->limits->launch_seconds;
    const double alone = run_seconds(&one, pass, setting, read, written) + launch;
    double shared = alone;
    if (machine->threads > 1 && alone > constants.wake_seconds)
        shared = shared_seconds(machine, pass, setting, read, written) + launch;
    pass->shared = shared < alone;
    pass->bytes = (read + written) * setting->repeats;
    pass->seconds = fmin(shared, alone) * setting->repeats;
    sum->alone += alone * setting->repeats;
    sum->shared += pass->seconds;
    const struct order_traffic traffic = {
        read, written, setting->from_level > 1, setting->to_level > 1, setting->whole_level > 1,
        setting->past};
    return gpu ? pass->seconds : order_pass_seconds(machine, pass, &traffic) * setting->repeats;
}

/* Scratch of every thread's own must stay in the cache that they share. */
static bool has_room(const struct cost_machine *machine, const struct program *program)
{
    const double elements = (double)program_step_elements(program) * program->problem.threads;
    return elements * machine->element_bytes <= (double)machine->limits->cache_bytes[2];
}

/* Whether steps touch nothing in common but what all of them only read. */
static bool has_steps_apart(const struct program *program, const struct program_stage *stage)
{
    const bool own_work = program_step_elements(program) > program->scratch_elements;
    for (int i = stage->first; i < stage->first + stage->passes; i++) {
        const enum pass_place place[2] = {program->pass[i].from, program->pass[i].to};
        for (int out = 0; out < 2; out++) {
            const bool ends = place[out] == stage->from || place[out] == stage->to;
            const bool draft = place[out] == PASS_DRAFT && stage->to == PASS_OUTPUT;
            const bool own = place[out] == PASS_SCRATCH || (own_work && place[out] == PASS_WORK);
            if (!ends && !draft && !own) return false;
        }
    }
    return true;
}

/* Deals whole steps to the threads where that is quicker than sharing the passes of each. */
static void deal_steps(const struct cost_machine *machine, struct program *program,
                       struct program_stage *stage, int64_t steps, const struct stage_seconds *sum)
{
    stage->dealt = false;
    if (machine->threads == 1 || steps < 2 || sum->alone < constants.wake_seconds) return;
    if (!has_room(machine, program)) return;
    const double uneven = unevenness(machine, (double)steps);
    const double dealt = sum->alone / machine->threads * uneven + constants.loop_seconds;
    if (dealt >= sum->shared || !has_steps_apart(program, stage)) return;
    stage->dealt = true;
    for (int i = stage->first; i < stage->first + stage->passes; i++) {
        program->pass[i].shared = false;
        program->pass[i].seconds *= dealt / sum->shared;
    }
}

/* How often all steps of the stage are done. */
static int64_t stage_times(const struct program *program, const struct program_stage *stage)
{
    return stage - program->stage >= program->kernel_stage ? program->kernel_turns : 1;
}

/* The pass that finds the output where whatever came before the step has left it: the last one, or
 * that before it if half a spectrum is unfolded where it lies. (Experiment "in place".) */
static int meets_output(const struct program *program, const struct program_stage *stage)
{
    const int last = stage->first + stage->passes - 1;
    const bool unfolds = program->pass[last].half == PASS_HALF_UNFOLD;
    return unfolds && pass_sweeps_half(&program->pass[last]) && stage->passes > 1 ? last - 1 : last;
}

static void stage_cost(const struct cost_machine *machine, struct program *program,
                       struct program_stage *stage)
{
    int64_t steps = 1;
    for (int i = 0; i < stage->outers; i++)
        steps *= stage->outer[i].n;
    const double repeats = (double)steps;
    double elements = (double)problem_elements(&program->problem);
    double scratch = (double)program->scratch_elements;
    int whole = cost_level(machine->limits, (2 * elements + scratch) * machine->element_bytes);
    const double touched = order_step_elements(machine, program, stage, repeats);
    const double step_bytes = (touched + scratch) * machine->element_bytes;
    int step = cost_level(machine->limits, step_bytes);
    const bool far = ranges_are_far(machine->limits, &program->problem, FAR_RANGES);
    struct stage_seconds sum = {0, 0};
    double order_seconds = 0;
    for (int i = stage->first; i < stage->first + stage->passes; i++) {
        bool first = i == stage->first, last = i == meets_output(program, stage);
        struct setting setting = {first ? whole : step,
                                  last ? whole : step,
                                  .whole_level = whole,
                                  .repeats = repeats * (double)stage_times(program, stage),
                                  .step_bytes = step_bytes,
                                  .past = far && i == stage->first + stage->passes - 1,
            .crosses = program->passes > 1};
        order_seconds += pass_cost(machine, &program->pass[i], &setting, &sum);
    }
    deal_steps(machine, program, stage, steps, &sum);
    double seconds = 0, bytes = 0;
    for (int i = stage->first; i < stage->first + stage->passes; i++) {
        bytes += program->pass[i].bytes;
        seconds += program->pass[i].seconds;
    }
    if (stage->runs[WEFT_INVERSE]) program->back_seconds += seconds;
    if (!stage->runs[WEFT_FORWARD]) return;
    program->order_seconds += order_seconds;
    program->bytes += bytes;
    program->seconds += seconds;
}

void cost_program(struct program *program, const struct limits *limits)
{
    struct cost_machine machine = cost_machine(limits, &program->problem);
    program->bytes = program->seconds = program->back_seconds = program->order_seconds = 0;
    for (int i = 0; i < program->stages; i++)
        stage_cost(&machine, program, &program->stage[i]);
    double bytes = (problem_side_share(&program->problem, false) +
                    problem_side_share(&program->problem, true)) *
                   (double)problem_elements(&program->problem) * machine.element_bytes;
    program->bound_seconds = bytes / cost_bandwidth(&machine, cost_level(limits, bytes));
}
