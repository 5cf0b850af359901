/* What a pass does on the CPU, for people to read: the codelets it calls, which are compiled into
 * the library, and the general operations between them. */
#include <inttypes.h>

#include "base/error.h"
#include "device/cpu/abreast.h"
#include "device/cpu/beside.h"
#include "device/cpu/engine.h"
#include "device/cpu/extended.h"
#include "device/cpu/general.h"
#include "device/cpu/halves.h"
#include "device/cpu/mirror.h"
#include "device/cpu/rader.h"
#include "device/cpu/sum.h"
#include "kernel/line.h"

static const char *general_name(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct cpu_general *g = cpu_general_of(kernel);
    if (op->run == g->gather || op->run == beside_gather) return "gather";
    if (op->run == g->scatter || op->run == beside_scatter) return "scatter";
    if (op->run == g->multiply) return "multiply";
    if (op->run == g->part) return "part";
    if (op->run == g->join) return "join";
    if (op->run == g->twiddle) return "twiddle";
    if (op->run == halves_scatter_rows) return "scatter rows";
    if (op->run == halves_scatter_turned) return "scatter rows as reals";
    if (op->run == halves_scatter_others) return "scatter every other real";
    if (op->run == halves_gather_others) return "gather every other real";
    if (op->run == halves_gather_columns) return "gather columns";
    if (op->run == halves_gather_turned) return "gather columns of reals";
    return op->run == g->rader ? "rader" : "copy";
}

static void append_kind(const struct codelet_set *set, int kind, int radix, struct text *text)
{
    text_append(text, "%s %s %d", set->isa, codelet_kinds[kind].name, radix);
}

/* Appends the codelet's name if the set has it. */
static bool find_in_set(const struct codelet_set *set, codelet_function *codelet, struct text *text)
{
    for (int i = 0; i < set->lines; i++) {
        if (set->line[i].function[LINE_FORWARD] != codelet) continue;
        text_append(text, "%s line %d", set->isa, set->line[i].n);
        return true;
    }
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        for (int radix = 2; radix <= CODELET_MAX_RADIX; radix++) {
            if (set->function[kind][radix] != codelet) continue;
            append_kind(set, kind, radix, text);
            return true;
        }
    }
    return false;
}

/* Likewise if it is one of mirror.h. */
static void append_mirror(const struct cpu_mirrors *mirrors, codelet_function *codelet,
                          struct text *text)
{
    const struct {
        codelet_function *codelet;
        const char *name;
    } named[] = {{mirrors->fold, "fold"},
                 {mirrors->unfold, "unfold"},
                 {mirrors->fold_turned, "fold turned"},
                 {mirrors->unfold_turned, "unfold turned"},
                 {mirrors->of_ends, "of ends"},
                 {mirrors->to_ends, "to ends"},
                 {mirrors->columns, "part columns"},
                 {mirrors->joined, "join rows"},
                 {mirrors->part, "part"},
                 {mirrors->join, "join"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].codelet == codelet) text_append(text, "%s", named[i].name);
    }
}

static void append_codelet(const struct kernel *kernel, const struct cpu_operation *op,
                           struct text *text)
{
    const char *rader = rader_name(kernel, op);
    if (rader) {
        text_append(text, "%s, lines of %" PRId64, rader, op->shape[0].lanes);
        return;
    }
    const struct cpu_sets *sets = kernel->sets;
    const int count = sets->count[kernel->precision];
    const struct cpu_sums *sums = &sets->sums[kernel->precision];
    if (op->codelet[WEFT_FORWARD] == sums->sum[WEFT_FORWARD]) text_append(text, "sums");
    if (op->codelet[WEFT_FORWARD] == sums->open[op->from_pair])
        text_append(text, "opening sums %" PRId64, op->shape[0].out_row);
    const struct cpu_abreast *abreast = &sets->abreast[kernel->precision];
    if (op->codelet[WEFT_FORWARD] == abreast->gather) text_append(text, "transpose lines");
    if (op->codelet[WEFT_FORWARD] == abreast->scatter) text_append(text, "transpose back");
    if (kernel->products) text_append(text, "matrix");
    if (op->scales) text_append(text, "scale");
    append_mirror(mirrors_of(kernel), op->codelet[WEFT_FORWARD], text);
    const struct codelet_shape *shape = &op->shape[WEFT_FORWARD];
    const bool own = shape->set && shape->set->function[shape->kind][shape->radix] ==
                                       op->codelet[WEFT_FORWARD];
    if (own) append_kind(shape->set, (int)shape->kind, shape->radix, text);
    for (int i = 0; i < count && !own; i++) {
        if (find_in_set(sets->set[kernel->precision][i], op->codelet[WEFT_FORWARD], text)) break;
    }
    text_append(text, ", %" PRId64 " rows of %" PRId64 " lanes", op->shape[0].rows,
                op->shape[0].lanes);
    if (op->ragged) text_append(text, ", ragged rows past the caches");
}

static void append_operation(const struct kernel *kernel, const struct cpu_operation *op,
                             struct text *text)
{
    static const char *const operand[] = {
        [CPU_FROM] = "from", [CPU_TO] = "to", [CPU_TILE_A] = "tile a", [CPU_TILE_B] = "tile b"};
    text_append(text, "    %s -> %s: ", operand[op->from], operand[op->to]);
    if (op->codelet[WEFT_FORWARD]) {
        append_codelet(kernel, op, text);
    } else if (op->run == halves_scatter_rows && op->grouped) {
        text_append(text, "last step and scatter rows, %" PRId64 " lanes, %" PRId64 " at a time",
                    op->lanes, op->group);
    } else if (op->grouped) {
        text_append(text, "%" PRId64 " lanes, %" PRId64 " at a time, two steps", op->lanes,
                    op->group);
    } else {
        text_append(text, "%s, lines of %" PRId64, general_name(kernel, op), op->length);
    }
    text_append(text, "\n");
}

static void append_pipeline(const struct kernel *kernel, const struct cpu_pipeline *pipeline,
                            int64_t tiles, struct text *text)
{
    if (!pipeline->columns || !tiles) return;
    text_append(text, "%" PRId64 " tiles of %" PRId64 " lines each:\n", tiles, pipeline->columns);
    for (int i = 0; i < pipeline->operations; i++)
        append_operation(kernel, &pipeline->operation[i], text);
}

static void append_pipelines(const struct kernel *kernel, struct text *text)
{
    append_pipeline(kernel, &kernel->main, kernel->full_tiles * kernel->outer_tiles, text);
    append_pipeline(kernel, &kernel->rest, kernel->outer_tiles, text);
}

static void append_other(const struct pass *pass, struct text *text)
{
    static const char *const bodies[] = {[PASS_SPREAD] = "spread",
                                         [PASS_RESAMPLE] = "resample",
                                         [PASS_OPEN] = "open",
                                         [PASS_CLOSE] = "close"};
    const char *body = bodies[pass->body];
    text_append(text, "    from -> to: %s, lines of %" PRId64 "\n", body, pass->line.n);
}

weft_status cpu_pass_source(struct device *device, const struct program *program, int index,
                            const struct kernel *kernel, struct text *text)
{
    if (kernel->extended) return cpu_extended_source(device, program, index, text);
    text_append(text, "/* ");
    pass_print(text, &program->pass[index]);
    text_append(text, "\n * codelets of the library: */\n");
    if (kernel->resampling || kernel->opening) append_other(&program->pass[index], text);
    append_pipelines(kernel, text);
    if (kernel->past) {
        text_append(text, "    results past the caches; in place:\n");
        append_pipelines(kernel->in_place, text);
    }
    return text_failed(text) ? error_memory("the source of a pass") : WEFT_OK;
}
