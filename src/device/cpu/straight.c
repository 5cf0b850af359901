/* Kernels that are nothing but codelets on whole operands: no tiles are set up for them. */
#include "base/memory.h"
#include "device/cpu/laid.h"
#include "device/cpu/odd.h"
#include "device/cpu/resample.h"
#include "device/cpu/run.h"

/* The planes of a caller's array as a kernel of codelets alone takes them: those of pairs know
 * their direction. */
static void place_straight(const struct kernel *kernel, enum cpu_operand operand,
                           const struct device_memory *memory, bool inverse, char **re, char **im)
{
    const bool planar = laid_caller_has_planes(kernel, operand);
    const bool exchange = planar && inverse;
    const bool laid = kernel->laid && kernel->laid->end[operand].planes;
    const int64_t first = kernel->pass->offset[operand];
    const int64_t at = laid ? laid_bytes_to(kernel, operand, memory, first)
                            : run_bytes_to(kernel, operand, memory, first);
    char *first_re = (char *)memory->re + at;
    char *first_im = planar ? (char *)memory->im + at : NULL;
    re[operand] = exchange ? first_im : first_re;
    im[operand] = exchange ? first_re : first_im;
}

static void run_plain(const struct kernel *kernel, weft_direction direction, char **re)
{
    const struct cpu_operation *op = kernel->main.operation;
    for (const struct cpu_operation *end = op + kernel->main.operations; op < end; op++)
        run_plain_operation(kernel, op, direction, re);
}

static void place_buffers(const struct kernel *kernel, char *workspace, char **re, char **im)
{
    const int64_t plane = kernel->tile_plane * kernel->real_bytes;
    if (plane == 0) return;
    re[CPU_TILE_A] = workspace;
    im[CPU_TILE_A] = workspace + plane;
    re[CPU_TILE_B] = workspace + 2 * plane;
    im[CPU_TILE_B] = workspace + 3 * plane;
    if (kernel->behind) run_clear_behind(kernel, workspace);
    run_borrow(kernel, re[CPU_FROM], re[CPU_TO], re, im, re);
}

/* Nothing but codelets, between the planes of the ends. Small volumes are many such tiles: no call
 * more for each. */
static inline __attribute__((always_inline)) void run_tile_of(const struct kernel *kernel,
                                                              weft_direction direction,
                                                              char *workspace, char **re,
                                                              char **im)
{
    const weft_direction way = kernel->pass->one_way ? WEFT_FORWARD : direction;
    place_buffers(kernel, workspace, re, im);
    if (kernel->plain) {
        run_plain(kernel, direction, re);
        return;
    }
    for (int o = 0; o < kernel->main.operations; o++) {
        const struct cpu_operation *op = &kernel->main.operation[o];
        const weft_direction own = op->directed ? direction : way;
        const bool crossed = op->mixed && way == WEFT_INVERSE;
        char *const *const from_re = crossed && !op->from_pair ? im : re;
        char *const *const to_re = crossed && !op->to_pair ? im : re;
        char *const from_im = op->parts ? from_re[op->from] + op->part_bytes
                                        : (from_re == re ? im : re)[op->from];
        char *const to_im = (to_re == re ? im : re)[op->to];
        op->codelet[own](&op->shape[own], from_re[op->from] + op->from_bytes,
                         cpu_further(from_im, op->from_bytes), to_re[op->to] + op->to_bytes,
                         cpu_further(to_im, op->to_bytes), cpu_twiddles(op, direction),
                         op->fine);
    }
}

/* Whether the planes of ends that are laid are exchanged, whose pairs know their direction. */
static bool exchanges_planes(const struct kernel *kernel, const struct laid_end *end,
                             weft_direction direction)
{
    return end->planes && direction == WEFT_INVERSE && !kernel->pass->one_way;
}

/* Likewise between what is laid. */
static __attribute__((noinline)) void run_laid(const struct kernel *kernel,
                                               weft_direction direction, char *workspace,
                                               char *const *re, char *const *im)
{
    const struct laid_end *from = &kernel->laid->end[CPU_FROM], *to = &kernel->laid->end[CPU_TO];
    char *places[CPU_OPERANDS] = {re[CPU_FROM], re[CPU_TO]};
    char *others[CPU_OPERANDS] = {im[CPU_FROM], im[CPU_TO]};
    if (to->laid) places[CPU_TO] = workspace + to->start;
    if (from->laid) {
        char *const *const first = exchanges_planes(kernel, from, direction) ? im : re;
        places[CPU_FROM] = workspace + from->start;
        laid_bring(from, &from->move, first[CPU_FROM], (first == re ? im : re)[CPU_FROM],
                   places[CPU_FROM]);
    }
    run_tile_of(kernel, direction, workspace, places, others);
    if (to->laid) {
        char *const *const first = exchanges_planes(kernel, to, direction) ? im : re;
        laid_take(to, &to->move, places[CPU_TO], first[CPU_TO], (first == re ? im : re)[CPU_TO]);
    }
}

static void next_tile(const struct kernel *kernel, char **re, char **im)
{
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        re[end] += kernel->straight_bytes[end];
        im[end] = cpu_further(im[end], kernel->straight_bytes[end]);
    }
}

/* Of as many tiles as there are. */
static void run_tiles_of(const struct kernel *kernel, weft_direction direction, char *workspace,
                         char **re, char **im)
{
    for (int64_t left = kernel->straight_tiles;;) {
        run_tile_of(kernel, direction, workspace, re, im);
        if (--left == 0) return;
        next_tile(kernel, re, im);
    }
}

static inline void run_codelets(const struct kernel *kernel, weft_direction direction,
                                char *workspace, char **re, char **im)
{
    if (!kernel->laid) {
        run_tiles_of(kernel, direction, workspace, re, im);
        return;
    }
    for (int64_t left = kernel->straight_tiles; left > 0; left--) {
        run_laid(kernel, direction, workspace, re, im);
        next_tile(kernel, re, im);
    }
}

/* Spares small transforms the setting up of tiles. */
void straight_run(const struct kernel *kernel, const struct pass_arguments *arguments)
{
    const struct pass *pass = kernel->pass;
    const weft_direction direction = pass->one_way ? WEFT_FORWARD : arguments->direction;
    char *re[CPU_OPERANDS], *im[CPU_OPERANDS];
    place_straight(kernel, CPU_FROM, &arguments->place[pass->from], direction, re, im);
    place_straight(kernel, CPU_TO, &arguments->place[pass->to], direction, re, im);
    run_codelets(kernel, arguments->direction, arguments->workspace, re, im);
}

static inline void run_short(const struct kernel *kernel, weft_direction direction,
                             const void *in_re, const void *in_im, void *out_re, void *out_im)
{
    _Alignas(MEMORY_ALIGNMENT) char workspace[CPU_SHORT_BYTES];
    char *re[CPU_OPERANDS] = {(char *)(uintptr_t)in_re, out_re};
    char *im[CPU_OPERANDS] = {(char *)(uintptr_t)in_im, out_im};
    run_codelets(kernel, direction, workspace, re, im);
}

void cpu_run_forward(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                     void *out_re, void *out_im, const void *kernel, const void *fine)
{
    (void)shape;
    (void)fine;
    run_short(kernel, WEFT_FORWARD, in_re, in_im, out_re, out_im);
}

void cpu_run_inverse(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                     void *out_re, void *out_im, const void *kernel, const void *fine)
{
    (void)shape;
    (void)fine;
    run_short(kernel, WEFT_INVERSE, in_re, in_im, out_re, out_im);
}

size_t cpu_chain_bytes(const struct program *program)
{
    const int64_t numbers = 2 * program->work_elements;
    const int64_t bytes = numbers * precision_bytes(program->problem.precision);
    return (size_t)(bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

/* One pass of pairs or reals, between the memory of its ends. */
static inline void run_link(const struct kernel *kernel, weft_direction direction, char *from,
                            char *to, char *workspace)
{
    const struct pass *pass = kernel->pass;
    const int64_t pair = 2 * kernel->real_bytes;
    char *re[CPU_OPERANDS] = {from + pair * pass->offset[CPU_FROM],
                              to + pair * pass->offset[CPU_TO]};
    char *im[CPU_OPERANDS] = {re[CPU_FROM], re[CPU_TO]};
    if (kernel->resampling) resample_line(kernel, direction, re[CPU_FROM], re[CPU_TO]);
    else if (kernel->opening) odd_line(kernel, direction, re[CPU_FROM], re[CPU_TO]);
    else run_codelets(kernel, direction, workspace, re, im);
}

static inline void run_chain(struct kernel *const *kernel, const struct program *program,
                             weft_direction direction, const void *in, void *out)
{
    _Alignas(MEMORY_ALIGNMENT) char memory[CPU_CHAIN_BYTES];
    char *place[PASS_PLACES];
    place[PASS_INPUT] = (char *)(uintptr_t)in;
    place[PASS_OUTPUT] = out;
    place[PASS_WORK] = memory;
    char *const workspace = memory + cpu_chain_bytes(program);
    for (int p = 0; p < program->passes; p++) {
        const struct pass *pass = kernel[p]->pass;
        run_link(kernel[p], direction, place[pass->from], place[pass->to], workspace);
    }
}

/* Likewise of planes, which are those of the ends in any direction. */
static void run_chain_of_planes(struct kernel *const *kernel, const struct program *program,
                                weft_direction direction, const struct device_memory *ends)
{
    _Alignas(MEMORY_ALIGNMENT) char memory[CPU_CHAIN_BYTES];
    const int64_t plane = program->work_elements * kernel[0]->real_bytes;
    struct pass_arguments arguments = {.direction = direction,
                                       .workspace = memory + cpu_chain_bytes(program)};
    arguments.place[PASS_INPUT] = ends[0];
    arguments.place[PASS_OUTPUT] = ends[1];
    arguments.place[PASS_WORK] = (struct device_memory){.re = memory, .im = memory + plane};
    for (int p = 0; p < program->passes; p++) straight_run(kernel[p], &arguments);
}

void cpu_chain_planes_forward(const struct codelet_shape *shape, const void *in_re,
                              const void *in_im, void *out_re, void *out_im, const void *kernels,
                              const void *program)
{
    (void)shape;
    const struct device_memory ends[2] = {
        {.re = (void *)(uintptr_t)in_re, .im = (void *)(uintptr_t)in_im},
        {.re = out_re, .im = out_im}};
    run_chain_of_planes(kernels, program, WEFT_FORWARD, ends);
}

/* Callers exchange the planes of complex data. */
void cpu_chain_planes_inverse(const struct codelet_shape *shape, const void *in_re,
                              const void *in_im, void *out_re, void *out_im, const void *kernels,
                              const void *program)
{
    (void)shape;
    const bool exchanged = in_im && out_im;
    const struct device_memory ends[2] = {
        {.re = (void *)(uintptr_t)(exchanged ? in_im : in_re),
         .im = (void *)(uintptr_t)(exchanged ? in_re : in_im)},
        {.re = exchanged ? out_im : out_re, .im = exchanged ? out_re : out_im}};
    run_chain_of_planes(kernels, program, WEFT_INVERSE, ends);
}

void cpu_chain_forward(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                       void *out_re, void *out_im, const void *kernels, const void *program)
{
    (void)shape, (void)in_im, (void)out_im;
    run_chain(kernels, program, WEFT_FORWARD, in_re, out_re);
}

void cpu_chain_inverse(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                       void *out_re, void *out_im, const void *kernels, const void *program)
{
    (void)shape, (void)in_im, (void)out_im;
    run_chain(kernels, program, WEFT_INVERSE, in_re, out_re);
}
