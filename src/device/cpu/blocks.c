#include "device/cpu/blocks.h"

#include "device/cpu/laid.h"
#include "device/cpu/matrix.h"
#include "device/cpu/moved.h"
#include "device/cpu/past.h"
#include "device/cpu/staged.h"
#include "device/cpu/tiles.h"
#include "spec/far.h"

static void set_ends(struct kernel *kernel, const struct program *program)
{
    const struct pass *pass = kernel->pass;
    const weft_format scratch = kernel->device->scratch_format;
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        const bool out = end == CPU_TO;
        kernel->format[end] = program_format(program, pass, out, scratch);
        kernel->real_place[end] = program_place_is_real(program, out ? pass->to : pass->from);
    }
    const bool multiplies = pass->spectrum_given;
    for (int d = 0; d < 2; d++)
        kernel->scale[d] = pass->scaled && !multiplies ? program->problem.scale[d] : 1;
    kernel->product_scale = pass->scaled && multiplies ? program->problem.scale[WEFT_FORWARD] : 1;
}

/* (Experiment "ahead" in docs/experiments.) */
static int64_t steps_of(const struct program *program, int index)
{
    const struct program_stage *stage = program_stage_of(program, index);
    int64_t steps = 1;
    if (!stage || stage->first != index) return 1;
    for (int o = 0; o < stage->outers; o++) steps *= stage->outer[o].n;
    return steps;
}

static bool ends_stage(const struct program *program, int index)
{
    const struct program_stage *stage = program_stage_of(program, index);
    return stage && stage->first + stage->passes - 1 == index;
}

/* As a matrix. False: no memory. */
static bool describe(struct kernel *kernel, const struct program *program, int index)
{
    kernel->pass = &program->pass[index];
    kernel->threads = cpu_pass_threads(program, index);
    kernel->steps = steps_of(program, index);
    kernel->ends_stage = ends_stage(program, index);
    kernel->ranged = problem_has_ranges(&program->problem);
    kernel->far_ranges = ranges_are_far(&kernel->device->limits, &program->problem, FAR_RANGES);
    set_ends(kernel, program);
    if (!staged_describe(kernel, program)) return false;
    const bool beside = matrix_lies_beside(kernel);
    if (!beside && !laid_describe(kernel)) return false;
    kernel->products = beside || matrix_suits(kernel);
    kernel->past = !kernel->stays && past_suits(kernel, program);
    tiles_choose(kernel);
    kernel->past = kernel->past && kernel->tiles > 1;
    if (kernel->past) past_make_room(kernel);
    if (kernel->pass->loops) {
        kernel->tile_step[CPU_FROM] = kernel->main.columns * kernel->pass->loop[0].in_stride;
        kernel->tile_step[CPU_TO] = kernel->main.columns * kernel->pass->loop[0].out_stride;
    }
    staged_finish(kernel, program, index);
    laid_finish(kernel);
    /* Not before: a copy of one column is a line. */
    const bool scatters = tiles_scatters_some(kernel->pass) && !moved_suits(kernel);
    const bool scales = (scatters && !tiles_sums(kernel)) || tiles_mirrors(kernel) ||
                        pass_sweeps_half(kernel->pass) || kernel->products;
    kernel->scales_apart = !scales && (kernel->scale[0] != 1 || kernel->scale[1] != 1);
    return true;
}

/* What the first pass of a split leaves for each of its columns: how many there are, two where they
 * are computed two by two, which then are neighbours, and of how many elements. */
struct left {
    int64_t each, height;
};

static struct left find_left(const struct pass *columns)
{
    if (columns->half == PASS_HALF_PART && columns->half_pair == 1)
        return (struct left){2, columns->line.n / 2 + 1};
    return (struct left){1, columns->line.n};
}

/* Whether the second pass reads as rows what the first wrote as columns, one matrix for every
 * combination of the other loops. */
static bool are_columns_and_rows(const struct pass *columns, const struct pass *rows)
{
    if (columns->to != rows->from || columns->loops == 0 || columns->loops != rows->loops) {
        return false;
    }
    const struct left left = find_left(columns);
    const int64_t height = left.height, width = rows->line.n;
    const int64_t pitch = rows->loop[0].in_stride;
    bool one = left.each * columns->loop[0].n == width &&
               columns->loop[0].out_stride == left.each &&
               columns->line.out_stride == pitch && pitch >= width && rows->loop[0].n == height &&
               rows->line.in_stride == 1;
    for (int l = 1; l < rows->loops; l++) {
        one = one && columns->loop[l].n == rows->loop[l].n &&
              columns->loop[l].out_stride == rows->loop[l].in_stride &&
              rows->loop[l].in_stride >= height * pitch;
    }
    return one;
}

/* Scratch that lives from the pass to the next one and no longer. */
static bool are_alone(const struct program *program, int index)
{
    const struct program_stage *stage = program->stage;
    while (stage->first + stage->passes <= index) stage++;
    const int end = stage->first + stage->passes;
    bool alone = index + 1 < end;
    for (int i = stage->first; i < end; i++) {
        const struct pass *pass = &program->pass[i];
        alone = alone && (pass->from == PASS_SCRATCH) == (i == index + 1) &&
                (pass->to == PASS_SCRATCH) == (i == index);
    }
    return alone;
}

static bool is_tiled_transform(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->body == PASS_TRANSFORM && !pass->backward && kernel->tile_plane > 0;
}

static bool goes_across(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return tiles_go_across(kernel, &shape);
}

/* By codelets that transpose, or line by line. */
static bool gathers_pieces(const struct kernel *rows)
{
    const int64_t columns = rows->main.columns;
    if (!is_tiled_transform(rows) || tiles_gathers_general(rows->pass)) return false;
    if (!goes_across(rows)) return true;
    return columns <= CODELET_MAX_RADIX && codelet_exists(CODELET_TRANSPOSE, (int)columns);
}

/* A last tile that is wider than the others becomes one like them and a narrow one: blocks are
 * equally far apart. */
static void part_widest_tile(struct kernel *columns)
{
    if (columns->rest.columns <= columns->main.columns) return;
    columns->rest.columns -= columns->main.columns;
    columns->full_tiles++;
    columns->tiles++;
}

/* Whether columns left over, which fill less than half a vector, are better beside the last full
 * tile, without blocks: where the second level holds scratch, both ends and the twiddles.
 * (Experiment "leftovers" in docs/experiments.) */
static bool prefers_widest_tile(const struct kernel *columns, const struct program *program)
{
    const int64_t left = columns->rest.columns - columns->main.columns;
    const int64_t lanes = cpu_widest_lanes(columns);
    const int64_t scratch = program->scratch_elements * 2 * columns->real_bytes;
    return left > 0 && 2 * left < lanes &&
           4 * scratch <= columns->device->limits.cache_bytes[1];
}

/* Blocks of so many columns, so many elements apart. */
struct blocks {
    int64_t columns, pitch;
};

/* The gaps between the rows of the matrix become gaps between the blocks: rows gather the same
 * piece of every block, and powers of two fall into few sets of a cache. */
static int64_t block_pitch(const struct kernel *columns, const struct pass *rows)
{
    const struct left left = find_left(columns->pass);
    const int64_t block = left.each * columns->main.columns * left.height;
    const int64_t matrix = rows->loop[0].in_stride * left.height;
    return block + (matrix / columns->tiles - block) / 16 * 16;
}

/* No columns: passes index and index + 1 know no blocks. */
static struct blocks find_blocks(const struct kernel *kernel, const struct program *program,
                                 int index)
{
    const struct blocks none = {0, 0};
    if (index < 0 || index + 1 >= program->passes || !are_alone(program, index)) return none;
    if (!are_columns_and_rows(&program->pass[index], &program->pass[index + 1])) return none;
    struct kernel columns = *kernel, rows = *kernel;
    if (!describe(&columns, program, index) || !describe(&rows, program, index + 1)) return none;
    if (!is_tiled_transform(&columns) || !goes_across(&columns)) return none;
    if (prefers_widest_tile(&columns, program)) return none;
    part_widest_tile(&columns);
    if (columns.format[CPU_TO] != WEFT_PLANAR || !gathers_pieces(&rows)) return none;
    const int64_t block = find_left(columns.pass).each * columns.main.columns;
    if (columns.tiles * block > rows.pass->loop[0].in_stride) return none;
    return (struct blocks){block, block_pitch(&columns, rows.pass)};
}

bool blocks_describe(struct kernel *kernel, const struct program *program, int index)
{
    const struct blocks written = find_blocks(kernel, program, index);
    const struct blocks read = find_blocks(kernel, program, index - 1);
    if (!describe(kernel, program, index)) return false;
    if (!written.columns && !read.columns) return true;
    struct pass *pass = arena_alloc(kernel->arena, sizeof *pass);
    if (!pass) return false;
    *pass = *kernel->pass;
    kernel->pass = pass;
    if (written.columns) {
        part_widest_tile(kernel);
        pass->line.out_stride = written.columns;
        kernel->tile_step[CPU_TO] = written.pitch;
    } else {
        pass->loop[0].in_stride = read.columns;
        kernel->tile_step[CPU_FROM] = kernel->main.columns * read.columns;
        kernel->piece = read.columns;
        kernel->piece_pitch = read.pitch;
    }
    return true;
}
